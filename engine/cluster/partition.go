package cluster

import (
	"math/bits"

	"github.com/gohops/hops/internal/bitset"
)

// The vertices are divided among workers, the threads of all ranks in order, each
// of which owns a contiguous range: it alone finds and marks the vertices there.
// The boundaries lie between granules of some words of the bitmaps, so that no word
// has two owners, and the owner of a vertex is found in a table of granules that is
// small enough for the first-level cache.

const (
	// granules is how many a worker has at least, if it has so many words: what it
	// can have too much is one.
	granules = 256
	// vertexWeight is what a vertex costs beside its entries, in entries, when
	// work is divided.
	vertexWeight = 4
	// maxWorkers is how many the table of owners can name.
	maxWorkers = 1<<16 - 1
)

// A partition says which worker owns which vertices. All ranks have the same.
type partition struct {
	n       uint32
	threads int      // of each rank
	cuts    []uint32 // worker w owns the vertices from cuts[w] up to cuts[w+1]
	shift   uint     // log₂ of the vertices of a granule
	owners  []uint16 // of granules
}

// newPartition divides vertices with the given numbers of entries so that all
// workers have about the same work.
func newPartition(entries []uint32, longest uint32, workers, threads int) *partition {
	n := len(entries)
	p := &partition{n: uint32(n), threads: threads, cuts: make([]uint32, workers+1)}
	p.shift = uint(max(6, bits.Len(uint(n/(workers*granules)))-1))
	total := int64(0)
	for _, e := range entries {
		total += weight(e, longest)
	}
	p.owners = make([]uint16, (n-1)>>p.shift+1)
	sum, w := int64(0), 1
	for i := range p.owners {
		first := i << p.shift
		for ; w < workers && sum*int64(workers) >= total*int64(w); w++ {
			p.cuts[w] = uint32(first)
		}
		p.owners[i] = uint16(w - 1)
		for _, e := range entries[first:min(first+1<<p.shift, n)] {
			sum += weight(e, longest)
		}
	}
	for ; w <= workers; w++ {
		p.cuts[w] = p.n
	}
	return p
}

// weight is the work that a vertex makes for its owner, who does not have the
// entries of a heavy one.
func weight(entries, longest uint32) int64 {
	if entries > longest {
		return vertexWeight
	}
	return int64(entries) + vertexWeight
}

// owner is the worker that v belongs to.
func (p *partition) owner(v uint32) int { return int(p.owners[v>>p.shift]) }

func (p *partition) workers() int { return len(p.cuts) - 1 }

// rank returns the vertices of a rank.
func (p *partition) rank(r int) (first, end uint32) {
	return p.cuts[r*p.threads], p.cuts[(r+1)*p.threads]
}

// words returns the words of the bitmaps that a rank owns.
func (p *partition) words(r int) (lo, hi int64) {
	first, end := p.rank(r)
	return int64(bitset.Words(int64(first))), int64(bitset.Words(int64(end)))
}
