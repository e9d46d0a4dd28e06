// Package mrg implements the splittable random number generator of Graph500: the
// multiple recursive generator of order 5 of L'Ecuyer, Blouin and Couture (1993),
// with jumps of any length.
//
//	x(n) = (107374182·x(n-1) + 104480·x(n-5)) mod (2³¹ - 1)
//
// One step multiplies the state by a 5×5 matrix A, so n steps are one multiplication
// by Aⁿ. Since the state is a window over the sequence, each
// row of Aⁿ is the row below it times A: the bottom row fixes the whole matrix,
// and a product of two powers costs one row and not five.
//
// A jump of any length is composed from the 192 powers A^(2^k).
package mrg

import (
	"iter"
	"math/bits"
	"sync"
)

const (
	// Modulus is the prime 2³¹ - 1; all words of a state are below it.
	Modulus = 1<<31 - 1

	// FactorNewest and FactorOldest are the two coefficients of the recurrence.
	FactorNewest = 107374182
	FactorOldest = 104480
)

// A State is the last five outputs, the newest first.
type State [5]uint32

// Seed spreads two user seeds over a state.
func Seed(s1, s2 uint64) State {
	const low30 = 1<<30 - 1
	return State{
		uint32(s1&low30) + 1,
		uint32(s1>>30&low30) + 1,
		uint32(s2&low30) + 1,
		uint32(s2>>30&low30) + 1,
		uint32(s2>>60<<4) + uint32(s1>>60) + 1,
	}
}

// Next advances the state by one step and returns the new output.
func (s *State) Next() uint32 {
	x := reduce(FactorNewest*uint64(s[0]) + FactorOldest*uint64(s[4]))
	*s = State{x, s[0], s[1], s[2], s[3]}
	return x
}

// Float64 returns a number in [0, 1) made of two outputs. The conversions keep
// the compiler from fusing product and sum, which would round differently.
func (s *State) Float64() float64 {
	high := float64(float64(s.Next()) * 4.65661287524579692e-10)
	low := float64(float64(s.Next()) * 2.168404346990492787e-19)
	return high + low
}

// Skip advances the state by high·2¹²⁸ + mid·2⁶⁴ + low steps.
func (s *State) Skip(high, mid, low uint64) {
	for jump := range binary(high, mid, low) {
		*s = jump.Apply(s)
	}
}

// A Jump is a number of steps taken at once: a power of A, row by row.
type Jump [5]State

// Ahead returns the jump of high·2¹²⁸ + mid·2⁶⁴ + low steps.
func Ahead(high, mid, low uint64) Jump {
	ahead := expand(State{4: 1}) // the identity
	for jump := range binary(high, mid, low) {
		ahead = ahead.Then(jump)
	}
	return ahead
}

// Apply returns the state that the jump leads to.
func (j *Jump) Apply(s *State) State {
	return State{dot(&j[0], s), dot(&j[1], s), dot(&j[2], s), dot(&j[3], s), dot(&j[4], s)}
}

// Then returns the jump that takes both, in any order: powers of A commute.
func (j *Jump) Then(k *Jump) Jump {
	var bottom State
	for c := range bottom {
		bottom[c] = dot(&j[4], &State{k[0][c], k[1][c], k[2][c], k[3][c], k[4][c]})
	}
	return expand(bottom)
}

// expand returns the power of A with the given bottom row.
func expand(row State) Jump {
	var j Jump
	for i := 4; i >= 0; i-- {
		j[i] = row
		row = State{
			reduce(FactorNewest*uint64(row[0]) + uint64(row[1])),
			row[2], row[3], row[4],
			reduce(FactorOldest * uint64(row[0])),
		}
	}
	return j
}

// binary yields the powers A^(2^k) whose product is the jump of
// high·2¹²⁸ + mid·2⁶⁴ + low steps.
func binary(high, mid, low uint64) iter.Seq[*Jump] {
	table := powers()
	return func(yield func(*Jump) bool) {
		for i, word := range [3]uint64{low, mid, high} {
			for ; word != 0; word &= word - 1 {
				if !yield(&table[64*i+bits.TrailingZeros64(word)]) {
					return
				}
			}
		}
	}
}

// powers returns the jumps of 2^k steps.
var powers = sync.OnceValue(func() *[192]Jump {
	var p [192]Jump
	p[0] = expand(State{3: 1}) // the bottom row of A moves the fourth word to the fifth
	for k := 1; k < len(p); k++ {
		p[k] = p[k-1].Then(&p[k-1])
	}
	return &p
})

// dot returns the scalar product. Four products of words fit in 64 bits; folded
// once, their sum leaves room for the fifth.
func dot(row, s *State) uint32 {
	sum := uint64(row[0])*uint64(s[0]) + uint64(row[1])*uint64(s[1]) +
		uint64(row[2])*uint64(s[2]) + uint64(row[3])*uint64(s[3])
	return reduce(sum&Modulus + sum>>31 + uint64(row[4])*uint64(s[4]))
}

// reduce returns x mod 2³¹-1. Since 2³¹ ≡ 1, the upper bits are added to the
// lower ones: the first fold leaves less than 2³⁴, the second at most 2³¹+6.
func reduce(x uint64) uint32 {
	x = x&Modulus + x>>31
	x = x&Modulus + x>>31
	return min(uint32(x), uint32(x)-Modulus) // the smaller, as the other has wrapped
}
