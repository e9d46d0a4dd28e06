package kernel

import (
	"sync/atomic"
	"unsafe"
)

// ShortRow is the length of the longest row that Advance reads. The vector form of
// Expand reads longer rows faster.
const ShortRow = 64

// An Advance holds the arguments of the method Advance.
type Advance struct {
	Queue     *uint32
	Count     int64
	Offsets   *int64
	Neighbors *uint32
	Visited   *uint64
	Parents   *uint32
	Out       *uint32 // output: vertices found
	Room      int64   // length of Out

	Done     int64 // output: number of vertices of the queue whose rows were read
	Found    int64 // output: number of entries in Out or Pairs
	Examined int64 // output: number of row entries read

	// Pairs is the output of Bid, of length Room, instead of Out: the vertex in the low
	// half, its parent in the high half.
	Pairs *uint64
}

// Advance reads the rows of a queue of vertices. It marks each neighbour that is not
// visited as visited, sets its parent and lists it. It stops before a row that is longer
// than ShortRow, and before one that Out may have no room for. The assembly
// form prefetches rows, and the offsets of the vertices that it finds.
func (k Kernels) Advance(a *Advance) {
	if k.prefetches {
		advanceAMD64(a)
		return
	}
	a.advance(func(u, v uint32) bool {
		word, bit := at(a.Visited, uint64(u>>6)), uint64(1)<<(u&63)
		if *word&bit != 0 {
			return false
		}
		*word |= bit
		*at(a.Parents, uint64(u)) = v
		*at(a.Out, uint64(a.Found)) = u
		return true
	})
}

// Bid is Advance for workers that share Visited and Parents. A vertex has a parent, or all
// ones. Workers that set the parent of one vertex at the same time all list it, and the last
// of them has found it: Won tells, when all workers are done. The assembly form stores to
// Visited what it has loaded, with one bit more, so that bits that others set at the same
// time may be lost: a vertex that has no bit may have a parent.
func (k Kernels) Bid(a *Advance) {
	if k.prefetches {
		bidAMD64(a)
		return
	}
	a.advance(func(u, v uint32) bool {
		return bid(a.Visited, a.Parents, at(a.Pairs, uint64(a.Found)), u, v)
	})
}

// A RowBid holds the arguments of BidRow.
type RowBid struct {
	Row     *uint32
	Length  int64
	Parent  uint32
	Visited *uint64
	Parents *uint32
	Pairs   *uint64 // output: room for Length bids
	Kept    *uint32 // memory for Length entries and Slack more

	Found int64 // output: number of entries in Pairs
}

// BidRow is Bid for one row of any length.
func (k Kernels) BidRow(a *RowBid) {
	if k.prefetches {
		if k.vectors || k.avx2 { // most entries of long rows are visited
			e := Expansion{Row: a.Row, Length: a.Length, Visited: a.Visited, Out: a.Kept, Last: ^uint32(0)}
			k.Expand(&e)
			a.Row, a.Length = a.Kept, e.Kept
		}
		bidRowAMD64(a)
		return
	}
	a.Found = 0
	for _, u := range unsafe.Slice(a.Row, a.Length) {
		if bid(a.Visited, a.Parents, at(a.Pairs, uint64(a.Found)), u, a.Parent) {
			a.Found++
		}
	}
}

// bid makes v the parent of u and writes the pair, unless u is visited.
func bid(visited *uint64, parents *uint32, pair *uint64, u, v uint32) bool {
	word, bit := at(visited, uint64(u>>6)), uint64(1)<<(u&63)
	if atomic.LoadUint64(word)&bit != 0 {
		return false
	}
	atomic.OrUint64(word, bit)
	parent := at(parents, uint64(u))
	if atomic.LoadUint32(parent) != ^uint32(0) {
		return false
	}
	atomic.StoreUint32(parent, v)
	*pair = uint64(v)<<32 | uint64(u)
	return true
}

// advance is the reference of Advance and Bid. find makes v the parent of u and lists u,
// unless u is visited.
func (a *Advance) advance(find func(u, v uint32) bool) {
	a.Done, a.Found, a.Examined = 0, 0, 0
	for _, v := range unsafe.Slice(a.Queue, a.Count) {
		start := *at(a.Offsets, uint64(v))
		length := *at(a.Offsets, uint64(v)+1) - start
		if length > ShortRow || a.Found+length > a.Room {
			return
		}
		for i := range length {
			if find(*at(a.Neighbors, uint64(start+i)), v) {
				a.Found++
			}
		}
		a.Examined += length
		a.Done++
	}
}

// WonSlack is how many entries Won may write past those that it returns.
const WonSlack = 1

// Won returns the vertices of the pairs whose parent is the one of the pair. They are in
// out, which has room for all and WonSlack more. Parents must be different in all pairs of
// one vertex.
func (k Kernels) Won(pairs []uint64, parents *uint32, out []uint32) []uint32 {
	if k.vectors {
		return out[:wonAVX512(unsafe.SliceData(pairs), int64(len(pairs)), parents, unsafe.SliceData(out))]
	}
	if k.prefetches {
		return out[:wonAMD64(unsafe.SliceData(pairs), int64(len(pairs)), parents, unsafe.SliceData(out))]
	}
	won := out[:0]
	for _, pair := range pairs {
		if u := uint32(pair); *at(parents, uint64(u)) == uint32(pair>>32) {
			won = append(won, u)
		}
	}
	return won
}
