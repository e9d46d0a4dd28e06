// Package partition divides the vertices of a graph among workers, the threads of
// all ranks in order.
//
// Every worker owns a contiguous range of vertices: it alone finds and marks the
// vertices there. The boundaries lie between granules of some words of the bitmaps,
// so that no word has two owners, and the owner of a vertex is found in a table of
// granules that is small enough for the first-level cache.
//
// Labels take 64 bits here. Within the range of a worker, and within the range of a rank,
// a vertex has a number of 32 bits.
package partition

import (
	"math/bits"

	"github.com/gohops/hops/internal/base/bitset"
)

const (
	// granules is the number of granules that each worker gets at least, in a graph
	// with that many words. More granules make a larger table and a better balance:
	// a worker has at most one granule more than its share. All workers together get no
	// more than maxGranules, 4 MB of the table on every rank, unless that leaves a worker
	// fewer than leastGranules.
	granules      = 256
	maxGranules   = 1 << 20
	leastGranules = 16
	// VertexWeight is the work that a vertex makes beside its row entries, in entries.
	VertexWeight = 4
)

// A Partition says which worker owns which vertices. All ranks have the same one.
type Partition struct {
	N       uint64   // vertices
	Threads int      // workers of each rank
	Cuts    []uint64 // worker w owns the vertices from Cuts[w] up to Cuts[w+1]
	Shift   uint     // log₂ of the vertices of a granule
	Owners  []uint32 // of granules
}

// Even divides n vertices so that all workers have about as many.
func Even(n uint64, workers, threads int) *Partition {
	p := &Partition{N: n, Threads: threads}
	each := max(leastGranules, min(granules, maxGranules/workers))
	p.Shift = uint(max(6, bits.Len64(n/uint64(workers*each))-1))
	p.Owners = make([]uint32, (n+1<<p.Shift-1)>>p.Shift)
	return p.Weighed(make([]uint64, len(p.Owners)), workers, threads)
}

// Weighed divides the same granules anew, so that all workers have about the same
// work. The weight of a granule is the weight of its vertices beyond VertexWeight each.
func (p *Partition) Weighed(weights []uint64, workers, threads int) *Partition {
	p = &Partition{N: p.N, Threads: threads, Shift: p.Shift, Cuts: make([]uint64, workers+1), Owners: make([]uint32, len(p.Owners))}
	total := VertexWeight * p.N
	for _, w := range weights {
		total += w
	}
	sum, w := uint64(0), 1
	for i := range p.Owners {
		first := uint64(i) << p.Shift
		for ; w < workers && sum >= share(total, w, workers); w++ {
			p.Cuts[w] = first
		}
		p.Owners[i] = uint32(w - 1)
		sum += weights[i] + VertexWeight*(min(first+1<<p.Shift, p.N)-first)
	}
	for ; w <= workers; w++ {
		p.Cuts[w] = p.N
	}
	return p
}

// share is what w of so many workers have of a total, of which a multiple may not fit
// in 64 bits.
func share(total uint64, w, workers int) uint64 {
	hi, lo := bits.Mul64(total, uint64(w))
	q, rest := bits.Div64(hi, lo, uint64(workers))
	return q + min(rest, 1)
}

// Owner is the worker that owns v.
func (p *Partition) Owner(v uint64) int { return int(p.Owners[v>>p.Shift]) }

// Workers is the number of workers of all ranks.
func (p *Partition) Workers() int { return len(p.Cuts) - 1 }

// Count is the number of vertices of worker w.
func (p *Partition) Count(w int) uint32 { return uint32(p.Cuts[w+1] - p.Cuts[w]) }

// Rank returns the vertices of a rank.
func (p *Partition) Rank(r int) (first, end uint64) {
	return p.Cuts[r*p.Threads], p.Cuts[(r+1)*p.Threads]
}

// Most is the number of vertices of the rank that has the most.
func (p *Partition) Most() (most uint64) {
	for r := range p.Workers() / p.Threads {
		first, end := p.Rank(r)
		most = max(most, end-first)
	}
	return most
}

// Words returns the words of a bitmap of all vertices that a rank owns.
func (p *Partition) Words(r int) (lo, hi int64) {
	first, end := p.Rank(r)
	return int64(bitset.Words(int64(first))), int64(bitset.Words(int64(end)))
}
