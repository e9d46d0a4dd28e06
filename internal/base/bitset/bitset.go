// Package bitset is a set of small integers, one bit each.
//
// It is a plain slice of words so that hot loops can work word by word; the
// methods are for everyone else. Or is the one operation that may be used from
// several goroutines at once.
package bitset

import (
	"math/bits"
	"sync/atomic"
)

// A Set holds integers below 64·len.
type Set []uint64

// Words is the number of words that n bits need.
func Words(n int64) int { return int((n + 63) / 64) }

// New returns an empty set for integers below n.
func New(n int64) Set { return make(Set, Words(n)) }

// Has tells whether i is in the set.
func (s Set) Has(i uint64) bool { return s[i>>6]>>(i&63)&1 != 0 }

// Add puts i into the set.
func (s Set) Add(i uint64) { s[i>>6] |= 1 << (i & 63) }

// Remove takes i out of the set.
func (s Set) Remove(i uint64) { s[i>>6] &^= 1 << (i & 63) }

// Or puts i into the set while others do so too, and tells whether it is new.
func (s Set) Or(i uint64) bool {
	bit := uint64(1) << (i & 63)
	return atomic.OrUint64(&s[i>>6], bit)&bit == 0
}

// Clear empties the set.
func (s Set) Clear() { clear(s) }

// Count is the number of integers in the set.
func (s Set) Count() int64 {
	var n int
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return int64(n)
}

// Ranks is the number of integers of the set that come before each word of it.
func (s Set) Ranks() []uint32 {
	ranks, sum := make([]uint32, len(s)), 0
	for i, w := range s {
		ranks[i] = uint32(sum)
		sum += bits.OnesCount64(w)
	}
	return ranks
}

// Rank is the number of integers of the set that come before i, given its Ranks.
func (s Set) Rank(ranks []uint32, i uint64) uint32 {
	return ranks[i>>6] + uint32(bits.OnesCount64(s[i>>6]&(1<<(i&63)-1)))
}

// All yields the integers of the set in ascending order.
func (s Set) All(yield func(uint64) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(uint64(i)<<6 + uint64(bits.TrailingZeros64(w))) {
				return
			}
		}
	}
}
