package cpu

import (
	"math/bits"
	"unsafe"
)

// The inner loops of a search, each in two forms: in Go, which is the reference
// and runs everywhere, and with AVX-512, where a mispredicted branch (13 ns on
// the machine where this was measured, as much as a dozen probes) is replaced by
// a mask. The two forms do the same in the same order, and a test compares them.
//
// None of the vector forms branches on whether a vertex was found.

// vectorSlack is how far a vector store may reach past the last entry it means.
const vectorSlack = 16

// kernels choose between the two forms. The zero value is the reference.
type kernels struct{ vectors bool }

// A headProbe looks at the first neighbour of every open vertex of a range of
// words. Pointers are to the first word of the range or the first of its
// vertices, but for front, which is the whole bitmap.
type headProbe struct {
	visited *uint64
	next    *uint64 // receives the bits of the vertices that found a parent
	tail    *uint64 // bits of the vertices that have more than one neighbour
	head    *uint32
	front   *uint64
	parents *uint32
	misses  *uint32 // receives the vertices whose tail must be looked at
	words   int64
	first   uint64 // label of the first vertex

	missed   int64 // entries of misses
	examined int64
}

// probeHeads runs the probe.
func (k kernels) probeHeads(a *headProbe) {
	if k.vectors {
		probeHeadsAVX512(a)
		return
	}
	var (
		vertices = int(a.words) * 64
		visited  = unsafe.Slice(a.visited, a.words)
		next     = unsafe.Slice(a.next, a.words)
		tail     = unsafe.Slice(a.tail, a.words)
		misses   = unsafe.Slice(a.misses, vertices)
		missed   = 0
	)
	a.examined = 0
	for w := range visited {
		open := ^visited[w]
		a.examined += int64(bits.OnesCount64(open))
		next[w] = a.probeWord(w, open)
		for rest := open &^ next[w] & tail[w]; rest != 0; rest &= rest - 1 {
			misses[missed] = uint32(a.first) + uint32(w)<<6 + uint32(bits.TrailingZeros64(rest))
			missed++
		}
	}
	a.missed = int64(missed)
}

// probeWord returns the bits of the open vertices of word w whose first
// neighbour is in the frontier.
func (a *headProbe) probeWord(w int, open uint64) (found uint64) {
	for ; open != 0; open &= open - 1 {
		bit := bits.TrailingZeros64(open)
		u := *at(a.head, uint64(w<<6+bit))
		if *at(a.front, uint64(u>>6))>>(u&63)&1 != 0 {
			*at(a.parents, uint64(w<<6+bit)) = u
			found |= 1 << bit
		}
	}
	return found
}

// A tailProbe looks at the next neighbour of each vertex of a list, and keeps
// those of the list that are still undecided. Positions are relative to
// neighbors, so that they fit in 32 bits.
type tailProbe struct {
	neighbors *uint32
	front     *uint64
	parents   *uint32
	vertices  *uint32 // the list, with
	pos       *uint32 // where to look next in each row
	end       *uint32 // where each row ends
	hits      *uint32 // receives the vertices that found a parent
	count     int64   // length of the list, before and after

	found int64 // entries of hits
}

// probeTails runs the probe.
func (k kernels) probeTails(a *tailProbe) {
	if k.vectors {
		probeTailsAVX512(a)
		return
	}
	var (
		vertices = unsafe.Slice(a.vertices, a.count)
		pos      = unsafe.Slice(a.pos, a.count)
		end      = unsafe.Slice(a.end, a.count)
	)
	a.count, a.found = 0, 0
	for i, v := range vertices {
		u := *at(a.neighbors, uint64(pos[i]))
		if *at(a.front, uint64(u>>6))>>(u&63)&1 != 0 {
			*at(a.parents, uint64(v)) = u
			*at(a.hits, uint64(a.found)) = v
			a.found++
		} else if pos[i]+1 < end[i] {
			vertices[a.count], pos[a.count], end[a.count] = v, pos[i]+1, end[i]
			a.count++
		}
	}
}

// scanRow returns the position of the first entry that is in front, or -1.
func (k kernels) scanRow(row []uint32, front *uint64) int {
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

// An expansion copies the entries of a row that are not visited and lie in a
// range of labels to out, which must have room for all of them and vectorSlack
// more.
type expansion struct {
	row         *uint32
	length      int64
	visited     *uint64
	out         *uint32
	first, last uint32

	kept int64 // entries of out
}

// expand runs the expansion.
func (k kernels) expand(a *expansion) {
	if k.vectors {
		expandAVX512(a)
		return
	}
	a.kept = 0
	for _, u := range unsafe.Slice(a.row, a.length) {
		if u >= a.first && u <= a.last {
			*at(a.out, uint64(a.kept)) = u
			a.kept += int64(^*at(a.visited, uint64(u>>6)) >> (u & 63) & 1)
		}
	}
}

// harvestRoom is how many entries a harvest may list.
const harvestRoom = blockWords * 64

// A harvest reads the rows of a queue of vertices and lists the entries that are
// not visited, with the vertex whose row it was. It ends before a row that might
// not fit. Both lists must have vectorSlack more than room.
type harvest struct {
	queue     *uint32
	count     int64
	offsets   *int64
	neighbors *uint32
	visited   *uint64
	out       *uint32 // receives the entries
	from      *uint32 // receives the vertices
	room      int64

	done     int64 // vertices of the queue whose rows were read
	kept     int64 // entries of out and from
	examined int64
}

// harvest runs the harvest.
func (k kernels) harvest(a *harvest) {
	if k.vectors {
		harvestAVX512(a)
		return
	}
	a.done, a.kept, a.examined = 0, 0, 0
	for _, v := range unsafe.Slice(a.queue, a.count) {
		start := *at(a.offsets, uint64(v))
		length := *at(a.offsets, uint64(v)+1) - start
		if a.kept+length > a.room {
			return
		}
		for i := range length {
			u := *at(a.neighbors, uint64(start+i))
			*at(a.out, uint64(a.kept)), *at(a.from, uint64(a.kept)) = u, v
			a.kept += int64(^*at(a.visited, uint64(u>>6)) >> (u & 63) & 1)
		}
		a.examined += length
		a.done++
	}
}

// at is p[i]. The kernels' arguments are plain pointers because the assembly
// reads them; their bounds are the callers' affair.
func at[T any](p *T, i uint64) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}
