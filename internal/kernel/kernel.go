// Package kernel has the inner loops of a search on a CPU.
//
// Each comes in two forms: in Go, which is the reference and runs everywhere, and
// in assembly. With AVX-512 a mispredicted branch (13 ns on the machine where this
// was measured, as much as a dozen probes) is replaced by a mask: none of the
// vector forms branches on whether a vertex was found. The advance needs no
// vectors, only the instruction that fetches memory ahead. The two forms do the
// same in the same order, and a test compares them.
package kernel

import (
	"math/bits"
	"unsafe"
)

// Slack is how far a vector store may reach past the last entry it means.
const Slack = 16

// Kernels choose between the two forms. The zero value is the reference.
type Kernels struct{ vectors, fetching bool }

// Best are the fastest kernels that this processor can run.
func Best() Kernels { return Kernels{haveVectors, canFetch} }

// A HeadProbe looks at the first neighbour of every open vertex of a range of
// words. Pointers are to the first word of the range or the first of its
// vertices, but for front, which is the whole bitmap.
type HeadProbe struct {
	Visited *uint64
	Next    *uint64 // receives the bits of the vertices that found a parent
	Tail    *uint64 // bits of the vertices that have more than one neighbour
	Head    *uint32
	Front   *uint64
	Parents *uint32
	Misses  *uint32 // receives the vertices whose tail must be looked at
	Words   int64
	First   uint64 // label of the first vertex

	Missed   int64 // entries of misses
	Examined int64
}

// ProbeHeads runs the probe.
func (k Kernels) ProbeHeads(a *HeadProbe) {
	if k.vectors {
		probeHeadsAVX512(a)
		return
	}
	var (
		vertices = int(a.Words) * 64
		visited  = unsafe.Slice(a.Visited, a.Words)
		next     = unsafe.Slice(a.Next, a.Words)
		tail     = unsafe.Slice(a.Tail, a.Words)
		misses   = unsafe.Slice(a.Misses, vertices)
		missed   = 0
	)
	a.Examined = 0
	for w := range visited {
		open := ^visited[w]
		a.Examined += int64(bits.OnesCount64(open))
		next[w] = a.probeWord(w, open)
		for rest := open &^ next[w] & tail[w]; rest != 0; rest &= rest - 1 {
			misses[missed] = uint32(a.First) + uint32(w)<<6 + uint32(bits.TrailingZeros64(rest))
			missed++
		}
	}
	a.Missed = int64(missed)
}

// probeWord returns the bits of the open vertices of word w whose first
// neighbour is in the frontier.
func (a *HeadProbe) probeWord(w int, open uint64) (found uint64) {
	for ; open != 0; open &= open - 1 {
		bit := bits.TrailingZeros64(open)
		u := *at(a.Head, uint64(w<<6+bit))
		if *at(a.Front, uint64(u>>6))>>(u&63)&1 != 0 {
			*at(a.Parents, uint64(w<<6+bit)) = u
			found |= 1 << bit
		}
	}
	return found
}

// A ColumnProbe looks at one neighbour of each vertex of a list, all from one
// column, and keeps those of the list that are still undecided and have an entry
// in the next column.
type ColumnProbe struct {
	Column   *uint32
	Front    *uint64
	Parents  *uint32
	Vertices *uint32 // the list, with
	Slots    *uint32 // the place of each in the column
	Hits     *uint32 // receives the vertices that found a parent
	Count    int64   // length of the list, before and after
	Longer   uint64  // places below this are in the next column too

	Found int64 // entries of hits
}

// ProbeColumn runs the probe.
func (k Kernels) ProbeColumn(a *ColumnProbe) {
	if k.vectors {
		probeColumnAVX512(a)
		return
	}
	var (
		vertices = unsafe.Slice(a.Vertices, a.Count)
		slots    = unsafe.Slice(a.Slots, a.Count)
	)
	a.Count, a.Found = 0, 0
	for i, v := range vertices {
		u := *at(a.Column, uint64(slots[i]))
		if *at(a.Front, uint64(u>>6))>>(u&63)&1 != 0 {
			*at(a.Parents, uint64(v)) = u
			*at(a.Hits, uint64(a.Found)) = v
			a.Found++
		} else if uint64(slots[i]) < a.Longer {
			vertices[a.Count], slots[a.Count] = v, slots[i]
			a.Count++
		}
	}
}

// Fetch asks for memory that is about to be read.
func (k Kernels) Fetch(entries []uint32) {
	if k.fetching {
		fetchAMD64(unsafe.SliceData(entries), int64(len(entries)))
	}
}

// ScanRow returns the position of the first entry that is in front, or -1.
func (k Kernels) ScanRow(row []uint32, front *uint64) int {
	if k.vectors {
		return int(scanRowAVX512(unsafe.SliceData(row), int64(len(row)), front))
	}
	for i, u := range row {
		if *at(front, uint64(u>>6))>>(u&63)&1 != 0 {
			return i
		}
	}
	return -1
}

// An Expansion copies the entries of a row that are not visited and lie in a
// range of labels to out, which must have room for all of them and Slack
// more.
type Expansion struct {
	Row         *uint32
	Length      int64
	Visited     *uint64
	Out         *uint32
	First, Last uint32

	Kept int64 // entries of out
}

// Expand runs the Expansion.
func (k Kernels) Expand(a *Expansion) {
	if k.vectors {
		expandAVX512(a)
		return
	}
	a.Kept = 0
	for _, u := range unsafe.Slice(a.Row, a.Length) {
		if u >= a.First && u <= a.Last {
			*at(a.Out, uint64(a.Kept)) = u
			a.Kept += int64(^*at(a.Visited, uint64(u>>6)) >> (u & 63) & 1)
		}
	}
}

// ShortRow is the length up to which an Advance reads a row.
const ShortRow = 64

// An Advance goes from a queue of vertices to the queue of those found from
// them: each neighbour that is not visited is visited, gets its parent, and is
// listed. It ends before a row that is not short.
type Advance struct {
	Queue     *uint32
	Count     int64
	Offsets   *int64
	Neighbors *uint32
	Visited   *uint64
	Parents   *uint32
	Out       *uint32 // receives the vertices found

	Done     int64 // vertices of the queue whose rows were read
	Found    int64 // entries of out
	Examined int64
}

// Advance runs the advance. What makes the other form fast is that it fetches
// rows ahead, and the offsets of what it finds, for which Go has no word.
func (k Kernels) Advance(a *Advance) {
	if k.fetching {
		advanceAMD64(a)
		return
	}
	a.Done, a.Found, a.Examined = 0, 0, 0
	for _, v := range unsafe.Slice(a.Queue, a.Count) {
		start := *at(a.Offsets, uint64(v))
		length := *at(a.Offsets, uint64(v)+1) - start
		if length > ShortRow {
			return
		}
		for i := range length {
			u := *at(a.Neighbors, uint64(start+i))
			word, bit := at(a.Visited, uint64(u>>6)), uint64(1)<<(u&63)
			if *word&bit == 0 {
				*word |= bit
				*at(a.Parents, uint64(u)), *at(a.Out, uint64(a.Found)) = v, u
				a.Found++
			}
		}
		a.Examined += length
		a.Done++
	}
}

// An Adoption gives vertices their parents and marks them as visited. A pair has
// the vertex in its low half and the parent in its high half; of several pairs for
// a vertex the last counts.
type Adoption struct {
	Pairs   *uint64
	Count   int64
	Visited *uint64
	Parents *uint32
}

// Adopt runs the adoption. The other form fetches the places of parents ahead.
func (k Kernels) Adopt(a *Adoption) {
	if k.fetching {
		adoptAMD64(a)
		return
	}
	for _, pair := range unsafe.Slice(a.Pairs, a.Count) {
		u := uint32(pair)
		*at(a.Visited, uint64(u>>6)) |= 1 << (u & 63)
		*at(a.Parents, uint64(u)) = uint32(pair >> 32)
	}
}

// at is p[i]. The kernels' arguments are plain pointers because the assembly
// reads them; their bounds are the callers' affair.
func at[T any](p *T, i uint64) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}
