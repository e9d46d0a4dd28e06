package kernel

import (
	"math/bits"
	"unsafe"
)

// Searches from many roots keep a word of 64 bits for every vertex, one bit for
// each root. Their kernels look for the roots that a vertex is missing in the
// words of its neighbours, eight at a time: first in that of its first neighbour
// (AskHeads), then along its row (AskRows). They are done with a vertex when it
// misses nothing. Settle and Mark book what was found.

// A HeadAsk asks the first neighbour of every open vertex of a range of words of
// a bitmap. Pointers are to the first word of the range or the first of its
// vertices, but for Seen, which is all words.
type HeadAsk struct {
	Closed *uint64
	Tail   *uint64 // bits of the vertices that have more than one neighbour
	Head   *uint32
	Seen   *uint64 // roots that have reached each vertex before this level
	Now    *uint64 // receives these and those that are found, see Missing
	Misses *uint32 // receives the vertices whose rows must be asked
	// Missing receives the roots that each of Misses is still missing. They are
	// in Now already, from where those that are not found must be taken out.
	Missing *uint64
	Wanted  uint64 // roots to look for
	Keep    uint64 // all ones if Now holds roots that have been found, else zero
	Words   int64
	First   uint64 // number of the first vertex

	Missed   int64 // entries of Misses
	Examined int64
}

// AskHeads asks. Both lists must have Slack more than there are vertices.
func (k Kernels) AskHeads(a *HeadAsk) {
	if k.vectors {
		askHeadsAVX512(a)
		return
	}
	a.Missed, a.Examined = 0, 0
	for w := range uint64(a.Words) {
		for open := ^*at(a.Closed, w); open != 0; open &= open - 1 {
			a.askHead(w<<6+uint64(bits.TrailingZeros64(open)), *at(a.Tail, w)&(open&-open) != 0)
		}
	}
}

// askHead asks for vertex i of the range.
func (a *HeadAsk) askHead(i uint64, tail bool) {
	now := *at(a.Seen, a.First+i) | *at(a.Now, i)&a.Keep
	if missing := a.Wanted &^ now; missing != 0 {
		a.Examined++
		got := *at(a.Seen, uint64(*at(a.Head, i))) & missing
		now |= got
		if missing &^= got; missing != 0 && tail {
			now |= missing
			*at(a.Misses, uint64(a.Missed)) = uint32(a.First + i)
			*at(a.Missing, uint64(a.Missed)) = missing
			a.Missed++
		}
	}
	*at(a.Now, i) = now
}

// A RowAsk asks what follows the first neighbour of each vertex of a list, sixteen
// entries at a time, and takes the roots that none of them has seen out of Now.
type RowAsk struct {
	Vertices  *uint32
	Missing   *uint64
	Count     int64
	Offsets   *int64
	Neighbors *uint32
	Seen, Now *uint64

	Examined int64
}

// rowStride is how many entries of a row are asked before it is looked whether
// anything is missing still.
const rowStride = 16

// AskRows asks.
func (k Kernels) AskRows(a *RowAsk) {
	if k.vectors {
		askRowsAVX512(a)
		return
	}
	a.Examined = 0
	for i := range uint64(a.Count) {
		v := uint64(*at(a.Vertices, i))
		missing := *at(a.Missing, i)
		start, end := *at(a.Offsets, v)+1, *at(a.Offsets, v+1)
		for start < end && missing != 0 {
			part := unsafe.Slice(at(a.Neighbors, uint64(start)), min(rowStride, end-start))
			for _, u := range part {
				missing &^= *at(a.Seen, uint64(u))
			}
			start += int64(len(part))
			a.Examined += int64(len(part))
		}
		*at(a.Now, v) &^= missing
	}
}

// A Settlement compares the words of a range of vertices before and after a level.
type Settlement struct {
	Seen   *uint64 // before
	Now    *uint64 // after
	Closed *uint64 // receives the bits of vertices that have all of Alive, and had
	Fresh  *uint64 // receives the bits of vertices that were reached
	Words  int64   // of the bitmaps
	Alive  uint64  // roots whose search is not over

	Reached uint64 // roots that have reached any
}

// Settle runs the settlement.
func (k Kernels) Settle(a *Settlement) {
	if k.vectors {
		settleAVX512(a)
		return
	}
	a.Reached = 0
	for w := range uint64(a.Words) {
		var fresh, closed uint64
		for i := range uint64(64) {
			seen := *at(a.Seen, w<<6+i)
			got := *at(a.Now, w<<6+i) &^ seen
			a.Reached |= got
			if got != 0 {
				fresh |= 1 << i
			} else if a.Alive&^seen == 0 {
				closed |= 1 << i
			}
		}
		*at(a.Fresh, w) = fresh
		*at(a.Closed, w) |= closed
	}
}

// Mark adds to each word of dst what now has and seen has not. All are of the same
// length, a multiple of eight.
func (k Kernels) Mark(dst, now, seen []uint64) {
	if k.vectors {
		markAVX512(unsafe.SliceData(dst), unsafe.SliceData(now), unsafe.SliceData(seen), int64(len(dst)))
		return
	}
	for i := range dst {
		dst[i] |= now[i] &^ seen[i]
	}
}

// Pick sets each word of dst to that of src whose number is in the same place of
// from.
func (k Kernels) Pick(dst, src []uint64, from []uint32) {
	done := 0
	if aligned := uintptr(unsafe.Pointer(unsafe.SliceData(dst)))&63 == 0; k.vectors && aligned && len(from) >= 8 {
		done = len(from) &^ 7
		pickAVX512(unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(from), int64(done))
	}
	for i := done; i < len(from); i++ {
		dst[i] = src[from[i]]
	}
}
