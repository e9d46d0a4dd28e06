package cluster

import (
	"github.com/gohops/hops/internal/bitset"
)

// The vertices are divided among workers, the threads of all ranks in order, each
// of which owns a contiguous range: it alone finds and marks the vertices there.
// The boundaries lie between words of the bitmaps, so that no word has two
// owners.

const (
	// ownerShift is log₂ of the vertices that have one entry in the table of
	// owners.
	ownerShift = 12
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
	table   []uint16 // worker of the first vertex of every 1<<ownerShift
}

// newPartition divides vertices with the given numbers of entries so that all
// workers have about the same work.
func newPartition(entries []uint32, longest uint32, workers, threads int) *partition {
	p := &partition{n: uint32(len(entries)), threads: threads, cuts: make([]uint32, workers+1)}
	words := bitset.Words(int64(len(entries)))
	total := int64(0)
	for _, e := range entries {
		total += weight(e, longest)
	}
	sum, w := int64(0), 1
	for word := range words {
		for ; w < workers && sum*int64(workers) >= total*int64(w); w++ {
			p.cuts[w] = uint32(word * 64)
		}
		for _, e := range entries[word*64 : min(word*64+64, len(entries))] {
			sum += weight(e, longest)
		}
	}
	for ; w <= workers; w++ {
		p.cuts[w] = p.n
	}
	p.table = make([]uint16, len(entries)>>ownerShift+1)
	w = 0
	for i := range p.table {
		for w < workers-1 && p.cuts[w+1] <= uint32(i)<<ownerShift {
			w++
		}
		p.table[i] = uint16(w)
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
func (p *partition) owner(v uint32) int {
	w := int(p.table[v>>ownerShift])
	for v >= p.cuts[w+1] {
		w++
	}
	return w
}

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
