package kernel

import (
	"math/bits"
	"unsafe"
)

// Many-source search keeps a word of 64 bits for every vertex, one bit for each root.
// A bottom-up level has three kernels: AskHeads looks for the roots that a vertex misses
// in the word of its first neighbour, AskRows in the words of its other neighbours, and
// Compare finds out which vertices the level has reached. The vector forms handle
// eight words at a time.

// A HeadAsk holds the arguments of AskHeads. Seen points to the words of all vertices;
// the other inputs and Now point to the first word of a range of a bitmap, or to the
// entry of the first vertex in that range.
type HeadAsk struct {
	Closed *uint64 // bits of the vertices that are left out
	More   *uint64 // bits of the vertices whose row goes on after its head
	Head   *uint32
	Seen   *uint64 // roots that have reached each vertex before this level
	Now    *uint64 // output: Seen, and the roots found or still in Missing
	Misses *uint32 // output: vertices that miss a root and whose row goes on
	// Missing is an output: the roots that each vertex of Misses misses. AskHeads sets
	// them in Now too, and AskRows clears the roots in Now that it does not find.
	Missing *uint64
	Wanted  uint64 // roots to look for
	Keep    uint64 // all ones if Now holds roots that have been found, else zero
	Words   int64  // length of the range
	First   uint64 // rank of the first vertex

	Missed   int64 // output: number of entries in Misses
	Examined int64 // output: number of heads read
}

// AskHeads looks for roots in the word of the head of every vertex of a range that is
// not closed. Misses and Missing must have room for all of these vertices and Slack
// more.
func (k Kernels) AskHeads(a *HeadAsk) {
	if k.vectors {
		askHeadsAVX512(a)
		return
	}
	a.Missed, a.Examined = 0, 0
	for w := range uint64(a.Words) {
		for open := ^*at(a.Closed, w); open != 0; open &= open - 1 {
			a.askHead(w<<6+uint64(bits.TrailingZeros64(open)), *at(a.More, w)&(open&-open) != 0)
		}
	}
}

// askHead is AskHeads for vertex i of the range.
func (a *HeadAsk) askHead(i uint64, more bool) {
	now := *at(a.Seen, a.First+i) | *at(a.Now, i)&a.Keep
	if missing := a.Wanted &^ now; missing != 0 {
		a.Examined++
		got := *at(a.Seen, uint64(*at(a.Head, i))) & missing
		now |= got
		if missing &^= got; missing != 0 && more {
			now |= missing
			*at(a.Misses, uint64(a.Missed)) = uint32(a.First + i)
			*at(a.Missing, uint64(a.Missed)) = missing
			a.Missed++
		}
	}
	*at(a.Now, i) = now
}

// A RowAsk holds the arguments of AskRows.
type RowAsk struct {
	Vertices  *uint32 // list of vertices
	Missing   *uint64 // roots that each vertex of the list misses
	Count     int64   // length of the list
	Offsets   *int64
	Neighbors *uint32
	Seen, Now *uint64 // as in HeadAsk, both for all vertices

	Examined int64 // output: number of row entries read
}

// rowStride is how many entries of a row AskRows reads before it tests whether the
// vertex still misses a root.
const rowStride = 16

// AskRows looks for roots in the words of the neighbours that follow the head of each
// vertex of a list, and clears the roots in Now that it does not find.
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

// A Comparison holds the arguments of Compare. Pointers are to the first word of a range
// of a bitmap, or to the entry of the first vertex in that range.
type Comparison struct {
	Seen   *uint64 // words before the level
	Now    *uint64 // words after the level
	Closed *uint64 // output: bits of the vertices that had all of Active are added
	Fresh  *uint64 // output: bits of the vertices that a root has reached
	Words  int64   // length of the range
	Active uint64  // roots whose search is not over

	Reached uint64 // output: roots that have reached any vertex
}

// Compare finds the vertices whose words a level has changed, and the vertices that
// later levels can leave out.
func (k Kernels) Compare(a *Comparison) {
	if k.vectors {
		compareAVX512(a)
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
			} else if a.Active&^seen == 0 {
				closed |= 1 << i
			}
		}
		*at(a.Fresh, w) = fresh
		*at(a.Closed, w) |= closed
	}
}

// Mark adds the bits of now that are not in seen to dst, word by word. The slices have
// the same length, a multiple of eight.
func (k Kernels) Mark(dst, now, seen []uint64) {
	if k.vectors {
		markAVX512(unsafe.SliceData(dst), unsafe.SliceData(now), unsafe.SliceData(seen), int64(len(dst)))
		return
	}
	for i := range dst {
		dst[i] |= now[i] &^ seen[i]
	}
}

// Pick sets dst[i] to src[from[i]].
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
