// Package partition divides the vertices of a graph among workers, the threads of
// all ranks in order.
//
// Every worker owns a contiguous range of vertices: it alone finds and marks the
// vertices there. The boundaries lie between granules of some words of the bitmaps,
// so that no word has two owners, and the owner of a vertex is found in a table of
// granules that is small enough for the first-level cache.
package partition

import (
	"math/bits"

	"github.com/gohops/hops/internal/bitset"
)

const (
	// granules is the number of granules that each worker gets at least, in a graph
	// with that many words. More granules make a larger table and a better balance:
	// a worker has at most one granule more than its share.
	granules = 256
	// VertexWeight is the work that a vertex makes beside its row entries, in entries.
	VertexWeight = 4
	// MaxWorkers is the number of workers that the table of owners can name.
	MaxWorkers = 1<<16 - 1
)

// A Partition says which worker owns which vertices. All ranks have the same one.
type Partition struct {
	N       uint32   // vertices
	Threads int      // workers of each rank
	Cuts    []uint32 // worker w owns the vertices from Cuts[w] up to Cuts[w+1]
	Shift   uint     // log₂ of the vertices of a granule
	Owners  []uint16 // of granules
}

// New divides vertices with the given numbers of row entries so that all workers
// have about the same work. The entries of rows above longest belong to no worker.
func New(entries []uint32, longest uint32, workers, threads int) *Partition {
	n := len(entries)
	p := &Partition{N: uint32(n), Threads: threads, Cuts: make([]uint32, workers+1)}
	p.Shift = uint(max(6, bits.Len(uint(n/(workers*granules)))-1))
	total := int64(0)
	for _, e := range entries {
		total += weight(e, longest)
	}
	p.Owners = make([]uint16, (n-1)>>p.Shift+1)
	sum, w := int64(0), 1
	for i := range p.Owners {
		first := i << p.Shift
		for ; w < workers && sum*int64(workers) >= total*int64(w); w++ {
			p.Cuts[w] = uint32(first)
		}
		p.Owners[i] = uint16(w - 1)
		for _, e := range entries[first:min(first+1<<p.Shift, n)] {
			sum += weight(e, longest)
		}
	}
	for ; w <= workers; w++ {
		p.Cuts[w] = p.N
	}
	return p
}

// weight is the work that a vertex makes for its owner.
func weight(entries, longest uint32) int64 {
	if entries > longest {
		return VertexWeight
	}
	return int64(entries) + VertexWeight
}

// Owner is the worker that owns v.
func (p *Partition) Owner(v uint32) int { return int(p.Owners[v>>p.Shift]) }

// Workers is the number of workers of all ranks.
func (p *Partition) Workers() int { return len(p.Cuts) - 1 }

// Count is the number of vertices of worker w.
func (p *Partition) Count(w int) uint32 { return p.Cuts[w+1] - p.Cuts[w] }

// Rank returns the vertices of a rank.
func (p *Partition) Rank(r int) (first, end uint32) {
	return p.Cuts[r*p.Threads], p.Cuts[(r+1)*p.Threads]
}

// Words returns the words of a bitmap of all vertices that a rank owns.
func (p *Partition) Words(r int) (lo, hi int64) {
	first, end := p.Rank(r)
	return int64(bitset.Words(int64(first))), int64(bitset.Words(int64(end)))
}
