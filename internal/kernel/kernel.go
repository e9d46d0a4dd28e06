// Package kernel has the inner loops of a search on a CPU.
//
// Each loop has a form in Go, which is the reference and runs everywhere, and forms in
// assembly. The AVX-512 forms replace branches by masks: none of them branches
// on whether a vertex was found, because a mispredicted branch costs as much as a
// dozen probes (13 ns on two cores of Emerald Rapids). The loops over the frontier and
// over what is visited have AVX2 forms too. Advance and Adopt need no
// vectors, only the prefetch instruction. All forms do the same in the same
// order, and a test compares them.
//
// The argument structs hold plain pointers, because the assembly reads the fields by
// their offsets. The caller is responsible for bounds.
package kernel

import (
	"math/bits"
	"unsafe"
)

// Slack is how many entries a vector store may write past the last valid entry of an
// output array. Output arrays must have room for them.
const Slack = 16

// Kernels choose between the forms. The zero value is the reference.
type Kernels struct {
	vectors    bool // AVX-512
	avx2       bool // where there is no AVX-512 form to take
	prefetches bool
}

// Best returns the fastest kernels that this processor can run.
func Best() Kernels { return Kernels{haveVectors, haveAVX2, havePrefetch} }

// A HeadProbe holds the arguments of ProbeHeads. Front points to the whole bitmap; all
// other inputs and Parents point to the first word of a range, or to the entry of the
// first vertex in that range.
type HeadProbe struct {
	Visited *uint64
	Next    *uint64 // output: bits of the vertices that found a parent
	More    *uint64 // bits of the vertices whose row goes on after its head
	Head    *uint32
	Front   *uint64
	Parents *uint32 // output
	Misses  *uint32 // output: vertices that found no parent and whose row goes on
	Words   int64   // length of the range
	First   uint64  // label of the first vertex

	Missed   int64 // output: number of entries in Misses
	Examined int64 // output: number of heads probed
}

// ProbeHeads looks up the head of every unvisited vertex of a range in the frontier.
func (k Kernels) ProbeHeads(a *HeadProbe) {
	if k.vectors {
		probeHeadsAVX512(a)
		return
	}
	if k.avx2 {
		probeHeadsAVX2(a)
		return
	}
	var (
		vertices = int(a.Words) * 64
		visited  = unsafe.Slice(a.Visited, a.Words)
		next     = unsafe.Slice(a.Next, a.Words)
		more     = unsafe.Slice(a.More, a.Words)
		misses   = unsafe.Slice(a.Misses, vertices)
		missed   = 0
	)
	a.Examined = 0
	for w := range visited {
		open := ^visited[w]
		a.Examined += int64(bits.OnesCount64(open))
		next[w] = a.probeWord(w, open)
		for rest := open &^ next[w] & more[w]; rest != 0; rest &= rest - 1 {
			misses[missed] = uint32(a.First) + uint32(w)<<6 + uint32(bits.TrailingZeros64(rest))
			missed++
		}
	}
	a.Missed = int64(missed)
}

// probeWord returns the bits of the open vertices of word w whose head is in the
// frontier.
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

// An Enlistment holds the arguments of Enlist.
type Enlistment struct {
	Rows   *uint32 // labels
	List   *uint32 // output: the same rows as ProbeColumn takes them
	Slots  *uint16 // by number in the block
	Column *uint32 // in which their entries come next
	Count  int64
}

// Rows are numbered in blocks of 1<<BlockShift. BlockMask has the bits of a label that
// are the number of a row in its block.
const (
	BlockShift = 12
	BlockMask  = 1<<BlockShift - 1
)

// Enlist makes a list of rows for ProbeColumn. The assembly form prefetches their
// entries of the column.
func (k Kernels) Enlist(a *Enlistment) {
	if k.prefetches {
		enlistAMD64(a)
		return
	}
	list := unsafe.Slice(a.List, a.Count)
	for i, v := range unsafe.Slice(a.Rows, a.Count) {
		row := v & BlockMask
		list[i] = uint32(*at(a.Slots, uint64(row)))<<16 | row
	}
}

// A ColumnProbe holds the arguments of ProbeColumn. A column has the k-th entries of
// several rows of a block, for one k. A row in a list is its slot, the index of its entry
// in the column, in the high half of a word, and its number in the block in the low half.
type ColumnProbe struct {
	Column  *uint32
	Front   *uint64
	List    *uint32 // rows to find a parent for, before and after
	Hits    *uint32 // output: rows that found a parent
	Parents *uint32 // output: their parents
	Count   int64   // length of the list, before and after
	Longer  uint64  // length of the next column, in the high half of a word
	Found   int64   // output: number of entries in Hits

	// Ahead and Lines are what the assembly forms prefetch meanwhile, and how many cache lines of
	// it for a vector of the list, at least one. See Expect.
	Ahead       *uint32
	AheadLength int64
	Lines       int64
}

// Expect lets the probe prefetch entries, spread over the list: prefetches in a burst fill
// the buffers for cache lines, and whatever follows waits. A cache line has as many entries
// as a vector has rows.
func (a *ColumnProbe) Expect(entries []uint32) {
	a.Ahead, a.AheadLength, a.Lines = nil, 0, 1
	if len(entries) > 0 && a.Count > 0 {
		a.Ahead, a.AheadLength = &entries[0], int64(len(entries))
		a.Lines = (int64(len(entries)) + a.Count - 1) / a.Count
	}
}

// ProbeColumn looks up one entry of each row of a list in the frontier. It keeps in the
// list the rows that found no parent and are in the next column too.
func (k Kernels) ProbeColumn(a *ColumnProbe) {
	if k.vectors {
		probeColumnAVX512(a)
		return
	}
	if k.avx2 {
		probeColumnAVX2(a)
		return
	}
	list := unsafe.Slice(a.List, a.Count)
	a.Count, a.Found = 0, 0
	for _, row := range list {
		u := *at(a.Column, uint64(row>>16))
		if *at(a.Front, uint64(u>>6))>>(u&63)&1 != 0 {
			*at(a.Hits, uint64(a.Found)) = row
			*at(a.Parents, uint64(a.Found)) = u
			a.Found++
		} else if uint64(row) < a.Longer {
			list[a.Count] = row
			a.Count++
		}
	}
}

// Prefetch prefetches entries.
func (k Kernels) Prefetch(entries []uint32) {
	if k.prefetches {
		prefetchAMD64(unsafe.SliceData(entries), int64(len(entries)))
	}
}

// ScanRow returns the index of the first entry of row that is in front, or -1.
func (k Kernels) ScanRow(row []uint32, front *uint64) int {
	if k.vectors {
		return int(scanRowAVX512(unsafe.SliceData(row), int64(len(row)), front))
	}
	if k.avx2 {
		return int(scanRowAVX2(unsafe.SliceData(row), int64(len(row)), front))
	}
	for i, u := range row {
		if *at(front, uint64(u>>6))>>(u&63)&1 != 0 {
			return i
		}
	}
	return -1
}

// An Expansion holds the arguments of Expand.
type Expansion struct {
	Row         *uint32
	Length      int64
	Visited     *uint64
	Out         *uint32 // output: room for Length entries and Slack more
	First, Last uint32  // smallest and largest label to keep

	Kept int64 // output: number of entries in Out
}

// Expand copies the entries of a row that are not visited and lie in a range of labels.
func (k Kernels) Expand(a *Expansion) {
	if k.vectors {
		expandAVX512(a)
		return
	}
	if k.avx2 {
		expandAVX2(a)
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

// An Adoption holds the arguments of Adopt.
type Adoption struct {
	Pairs   *uint64 // vertex in the low half, parent in the high half
	Count   int64
	Visited *uint64
	Parents *uint32
}

// Adopt sets the parent of the vertex of each pair and marks the vertex as visited. Of
// several pairs for one vertex the last counts. The assembly form prefetches the entries
// of Parents.
func (k Kernels) Adopt(a *Adoption) {
	if k.prefetches {
		adoptAMD64(a)
		return
	}
	for _, pair := range unsafe.Slice(a.Pairs, a.Count) {
		u := uint32(pair)
		*at(a.Visited, uint64(u>>6)) |= 1 << (u & 63)
		*at(a.Parents, uint64(u)) = uint32(pair >> 32)
	}
}

// A RowAdoption holds the arguments of AdoptRow.
type RowAdoption struct {
	List    *uint32 // vertices
	Count   int64
	Visited *uint64
	Parents *uint32
	Parent  uint32 // of all of them
}

// AdoptRow is Adopt for vertices that have the same parent.
func (k Kernels) AdoptRow(a *RowAdoption) {
	if k.prefetches {
		adoptRowAMD64(a)
		return
	}
	for _, u := range unsafe.Slice(a.List, a.Count) {
		*at(a.Visited, uint64(u>>6)) |= 1 << (u & 63)
		*at(a.Parents, uint64(u)) = a.Parent
	}
}

// at returns the address of p[i].
func at[T any](p *T, i uint64) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}
