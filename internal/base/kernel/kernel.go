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
	"encoding/binary"
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
	Slots   *uint16 // may be nil: then all are 0
	Front   *uint64
	Parents *uint32 // output
	Misses  *uint32 // output: number of each vertex that found no parent and whose row goes on, its slot added in the high half
	Words   int64   // length of the range
	First   uint64  // number of the first vertex, by which Misses count

	Missed   int64 // output: number of entries in Misses
	Examined int64 // output: number of heads probed

	slotStep int64 // bytes from the slots of a word to the slots of the next
}

// noSlots are the slots of every word if there are none: one array stays in the cache.
var noSlots [64]uint16

// ProbeHeads looks up the head of every unvisited vertex of a range in the frontier.
func (k Kernels) ProbeHeads(a *HeadProbe) {
	a.slotStep = 2 * 64
	if a.Slots == nil {
		a.Slots, a.slotStep = &noSlots[0], 0
	}
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
			bit := bits.TrailingZeros64(rest)
			slot := *at(a.Slots, uint64(w)*uint64(a.slotStep/2)+uint64(bit))
			misses[missed] = uint32(slot)<<16 | uint32(int(a.First)+w<<6+bit)
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

// Rows are numbered in blocks of 1<<BlockShift. BlockMask has the bits of a label that
// are the number of a row in its block.
const (
	BlockShift = 12
	BlockMask  = 1<<BlockShift - 1
)

// A ColumnProbe holds the arguments of ProbeColumn. A column has the k-th entries of
// several rows of a block, for one k, in three or four bytes each, the lowest first. A row in a
// list is its slot, the place of its entry in the column in bytes, in the high half of a word, and
// its number in the block in the low half.
type ColumnProbe struct {
	Column  *byte // and the byte behind it, where entries have three
	Front   *uint64
	List    *uint32 // rows to find a parent for, before and after
	Hits    *uint32 // output: rows that found a parent
	Parents *uint32 // output: their parents
	Count   int64   // length of the list, before and after
	Longer  uint64  // length of the next column in bytes, in the high half of a word
	Found   int64   // output: number of entries in Hits
	Mask    uint64  // the bits of an entry: 1<<24 - 1 or 1<<32 - 1

	// Ahead and Lines are what the assembly forms prefetch meanwhile, and how many cache lines of
	// it for a vector of the list, at least one. See Expect.
	Ahead       *byte
	AheadLength int64
	Lines       int64
}

// Expect lets the probe prefetch a column, spread over the list: prefetches in a burst fill
// the buffers for cache lines, and whatever follows waits.
func (a *ColumnProbe) Expect(column []byte) {
	a.Ahead, a.AheadLength, a.Lines = nil, 0, 1
	if len(column) > 0 && a.Count > 0 {
		const vector, line = 16, 64
		a.Ahead, a.AheadLength = &column[0], int64(len(column))
		a.Lines = (int64(len(column))*vector/line + a.Count - 1) / a.Count
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
		u := uint32(a.Mask) & binary.LittleEndian.Uint32(unsafe.Slice(at(a.Column, uint64(row>>16)), 4))
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
	k.PrefetchBytes(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(entries))), 4*len(entries)))
}

// PrefetchBytes prefetches memory.
func (k Kernels) PrefetchBytes(b []byte) {
	if k.prefetches {
		prefetchAMD64(unsafe.SliceData(b), int64(len(b)))
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

// A Deal holds the arguments of Deal. Vertices belong to owners, by blocks and in ascending order.
type Deal struct {
	List    *uint32 // vertices
	Count   int64
	Parent  uint64 // of all of them
	Owner   *uint16
	Ends    *uint64 // of the vertices of each owner: the first that is not one
	Owners  int64
	Bins    *uint64 // output: pairs for each owner
	Stride  int64   // from the bin of one owner to the bin of the next
	Lengths *uint32 // of the bins, before and after
}

// fewOwners is up to how many owners the vectors ask for each of them which vertices are its own:
// that takes longer the more there are.
const fewOwners = 4

// DealSlack is how many pairs a vector store may write past the end of a bin, which must have room
// for them.
const DealSlack = 8

// Deal appends each vertex, with its parent in the high half, to the bin of its owner.
func (k Kernels) Deal(a *Deal) {
	if k.vectors && a.Owners <= fewOwners {
		dealAVX512(a)
		return
	}
	parent := a.Parent << 32
	for _, u := range unsafe.Slice(a.List, a.Count) {
		o := uint64(*at(a.Owner, uint64(u>>BlockShift)))
		length := at(a.Lengths, o)
		*at(a.Bins, o*uint64(a.Stride)+uint64(*length)) = parent | uint64(u)
		*length++
	}
}

// at returns the address of p[i].
func at[T any](p *T, i uint64) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}
