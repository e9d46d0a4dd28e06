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
		*at(a.Parents, uint64(u)) = v
		*at(a.Out, uint64(a.Found)) = u
		return true
	})
}

// Bid is Advance for workers that share Parents. Visited is the worker's own and may lack
// vertices that others have found. A vertex has a parent already, or all ones. Workers
// that set the parent of one vertex at the same time all list it, and the last of them
// has found it: Won tells, when all workers are done.
func (k Kernels) Bid(a *Advance) {
	if k.prefetches {
		bidAMD64(a)
		return
	}
	a.advance(func(u, v uint32) bool {
		parent := at(a.Parents, uint64(u))
		if atomic.LoadUint32(parent) != ^uint32(0) {
			return false
		}
		atomic.StoreUint32(parent, v)
		*at(a.Pairs, uint64(a.Found)) = uint64(v)<<32 | uint64(u)
		return true
	})
}

// advance is the reference of Advance and Bid. find makes v the parent of u and lists u,
// unless another worker has found u before.
func (a *Advance) advance(find func(u, v uint32) bool) {
	a.Done, a.Found, a.Examined = 0, 0, 0
	for _, v := range unsafe.Slice(a.Queue, a.Count) {
		start := *at(a.Offsets, uint64(v))
		length := *at(a.Offsets, uint64(v)+1) - start
		if length > ShortRow || a.Found+length > a.Room {
			return
		}
		for i := range length {
			u := *at(a.Neighbors, uint64(start+i))
			word, bit := at(a.Visited, uint64(u>>6)), uint64(1)<<(u&63)
			if *word&bit != 0 {
				continue
			}
			*word |= bit
			if find(u, v) {
				a.Found++
			}
		}
		a.Examined += length
		a.Done++
	}
}

// Won returns the vertices of the pairs whose parent is the one of the pair. They are in
// out, which has room for all and one more. Parents must be different in all pairs of
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

// RecordSize is the number of entries of a record. A record has the row of a vertex, if
// it is that short, with the vertex itself behind the last entry. The record of a longer
// row begins with the vertex. A vertex is never its own neighbour, and is visited when
// its row is read. So the length of a row needs no branch, and a search touches one cache
// line for a vertex where offset and row are two.
const RecordSize = 4

// FillRecord writes the record of v.
func FillRecord(record *[RecordSize]uint32, v uint32, row []uint32) {
	*record = [RecordSize]uint32{v, v, v, v}
	if len(row) <= RecordSize {
		copy(record[:], row)
	}
}

// RecordLength is the length of the row in the record of v, and 0 if it is not there.
func RecordLength(record *[RecordSize]uint32, v uint32) (length int) {
	for _, u := range record {
		if u != v {
			length++
		}
	}
	return length
}

// A Collection holds the arguments of Collect.
type Collection struct {
	Queue   *uint32
	Count   int64
	Records *[RecordSize]uint32
	Visited *uint64
	Pairs   *uint64 // output: vertices found, and their parents in the high half
	Room    int64   // length of Pairs

	Done     int64 // output: number of vertices of the queue whose records were read
	Found    int64 // output: number of entries in Pairs
	Examined int64 // output: number of row entries read
}

// Collect reads the records of a queue of vertices, marks each neighbour that is not
// visited as visited, and lists it. It stops before a vertex whose row is no record, and
// before one that Pairs may have no room for.
func (k Kernels) Collect(a *Collection) {
	if k.vectors {
		collectAVX512(a)
		return
	}
	if k.prefetches {
		collectAMD64(a)
		return
	}
	a.Done, a.Found, a.Examined = 0, 0, 0
	for _, v := range unsafe.Slice(a.Queue, a.Count) {
		record := at(a.Records, uint64(v))
		if record[0] == v || a.Found+RecordSize > a.Room {
			return
		}
		for _, u := range record {
			if u != v {
				a.Examined++
			}
			word, bit := at(a.Visited, uint64(u>>6)), uint64(1)<<(u&63)
			*at(a.Pairs, uint64(a.Found)) = uint64(v)<<32 | uint64(u)
			if *word&bit == 0 {
				*word |= bit
				a.Found++
			}
		}
		a.Done++
	}
}

// Offer sets the parents of the vertices of the pairs that have none yet. The assembly
// form prefetches parents, and the records of the vertices.
func (k Kernels) Offer(pairs []uint64, parents *uint32, records *[RecordSize]uint32) {
	if k.vectors {
		offerAVX512(unsafe.SliceData(pairs), int64(len(pairs)), parents, records)
		return
	}
	if k.prefetches {
		offerAMD64(unsafe.SliceData(pairs), int64(len(pairs)), parents, records)
		return
	}
	for _, pair := range pairs {
		parent := at(parents, uint64(uint32(pair)))
		if atomic.LoadUint32(parent) == ^uint32(0) {
			atomic.StoreUint32(parent, uint32(pair>>32))
		}
	}
}
