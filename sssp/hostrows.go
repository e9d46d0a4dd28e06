package sssp

import (
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/ranks/rank"
)

// finish copies the rows to memory that the ranks of the host share, and sorts them.
func (b *rankBuilder) finish() error {
	w, last := b.slots, b.directions()-1
	out, in := &b.sides[0], &b.sides[last]
	var err, errIn error
	if w.out, err = b.shareRows(out, in); b.Directed && err == nil {
		w.in, errIn = b.shareRows(in, out)
	} else {
		w.in = w.out
	}
	for _, s := range b.sides[:last+1] {
		arena.Free(&b.Memory, s.entries)
		arena.Free(&b.Memory, s.filled)
		arena.Free(&b.Memory, s.offsets)
	}
	return errors.Join(err, errIn)
}

// shareRows returns the rows of a side: the rows of all ranks of this host one after the other, and
// the rows of hubs behind them. An edge from a hub to an own vertex is taken from the row of that
// vertex on the opposite side.
func (b *rankBuilder) shareRows(s, opposite *side) (r rows, err error) {
	h, light := b.group.host, s.offsets[b.group.rows]
	at, all, err := h.before(int(light))
	if err != nil {
		return r, err
	}
	if r.heads, err = share[head](h, int(b.group.slots)); err != nil {
		return r, err
	}
	next, end, err := b.hubRows(s, opposite, int64(all), r.heads[h.hubs:])
	if err != nil {
		return r, err
	}
	if r.entries, err = share[entry](h, int(end)); err != nil {
		return r, err
	}
	for i, from := range s.offsets[:b.group.rows] {
		slot := int(h.base) + i
		r.heads[slot] = head{int64(at) + from, uint32(s.offsets[i+1] - from), b.slots.label[slot]}
	}
	copy(r.entries[at:], s.entries[:light])
	b.eachHubEntry(s, opposite, func(e hubEntry) {
		r.entries[next[e.hub]] = e.entry
		next[e.hub]++
	})
	if err := h.comm.Barrier(); err != nil {
		return r, err
	}
	sorters := make([]sorter, b.Team.Size())
	b.Team.For(int64(b.group.rows), 64, func(worker int, lo, hi int64) {
		for i := lo; i < hi; i++ {
			sorters[worker].sort(r.row(h.base + uint32(i)))
		}
	})
	b.Team.For(int64(len(b.group.hubs.labels)), 1, func(worker int, lo, hi int64) {
		for i := lo; i < hi; i++ {
			if h.has(uint32(i)) {
				sorters[worker].sort(r.row(h.hubs + uint32(i)))
			}
		}
	})
	return r, h.comm.Barrier()
}

// hubRows lays out the rows of the hubs from an offset on. Each rank of the host has a part of every
// row. It returns the offsets where the parts of this rank begin, and where all rows end.
func (b *rankBuilder) hubRows(s, opposite *side, from int64, heads []head) (next []int64, end int64, err error) {
	h, hubs := b.group.host, len(b.group.hubs.labels)
	temporary, err := h.comm.Split(0, h.local)
	if err != nil {
		return nil, 0, err
	}
	defer temporary.Close()
	mem, err := temporary.Share(int64(max(8, 8*h.size*hubs)))
	if err != nil {
		return nil, 0, err
	}
	sizes := arena.View[int64](mem) // by rank and hub
	b.eachHubEntry(s, opposite, func(e hubEntry) { sizes[h.local*hubs+int(e.hub)]++ })
	if err := temporary.Barrier(); err != nil {
		return nil, 0, err
	}
	next, end = make([]int64, hubs), from
	for i := range hubs {
		first := end
		for r := range h.size {
			if r == h.local {
				next[i] = end
			}
			end += sizes[r*hubs+i]
		}
		if h.local == 0 {
			heads[i] = head{first, uint32(end - first), b.group.hubs.labels[i]}
		}
	}
	return next, end, temporary.Barrier()
}

// eachHubEntry calls f for the entries in the rows of hubs that this rank has.
func (b *rankBuilder) eachHubEntry(s, opposite *side, f func(e hubEntry)) {
	h := b.group.host
	for i := range uint32(b.group.rows) {
		for _, e := range opposite.entries[opposite.offsets[i]:opposite.offsets[i+1]] {
			if other := e.slot(); other >= h.hubs && uint64(other) < b.group.slots {
				f(hubEntry{other - h.hubs, newEntry(e.weight(), h.base+i)})
			}
		}
	}
	for _, list := range s.between {
		for _, e := range list {
			f(e)
		}
	}
}

// mine goes through the slots of own vertices that are no hubs, and of the rank's part of
// the hubs.
func (g *group) mine() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		h := g.host
		for i := range uint32(g.rows) {
			if !yield(h.base + i) {
				return
			}
		}
		for i := range uint32(len(g.hubs.labels)) {
			if h.has(i) && !yield(h.hubs+i) {
				return
			}
		}
	}
}

// agree adds up the counts of the whole graph over all ranks.
func (b *rankBuilder) agree() (err error) {
	w, g := b.slots, b.group
	if err = w.newWakeLists(g.mine(), &b.Memory); err != nil {
		return err
	}
	counts, heaviest := newWeightCounts(&w.out, g.mine(), g.host.hubs)
	ends := b.candidatesOnce()
	sums := slices.Concat([]uint64{g.rows, counts.Entries, counts.Squares}, ends[:], w.wake.counts.Degree[:], counts.Classes[:])
	if err := rank.Reduced(b.Comm, rank.Sum, sums); err != nil {
		return err
	}
	most := []uint64{uint64(math.Float32bits(heaviest))}
	if err := rank.Reduced(b.Comm, rank.Max, most); err != nil {
		return err
	}
	w.Vertices, w.Entries = int64(sums[0])+int64(len(g.hubs.labels)), int64(sums[1])
	counts.Entries, counts.Squares = sums[1], sums[2]+b.squares
	sums = sums[3:]
	sums = sums[copy(w.Candidates.Ends[:], sums):]
	sums = sums[copy(w.Candidates.Degree[:], sums):]
	copy(counts.Classes[:], sums)
	w.Shares = bucket.NewShares(&counts, math.Float32frombits(uint32(most[0])))
	g.sums, err = arena.Make[uint64](&b.Memory, 8)
	return err
}

// candidatesOnce counts the candidates of this rank by octave. A hub is counted on the host of its
// owner only: counted on every host, hubs would make pulls look as many times as expensive.
func (b *rankBuilder) candidatesOnce() (ends [bucket.NumOctaves]uint64) {
	g, w := b.group, b.slots
	ends = w.wake.counts.Ends
	for i, label := range g.hubs.labels {
		owner := g.Parts.Owner(uint64(label)) / g.Parts.Threads
		if row := w.in.row(g.host.hubs + uint32(i)); g.host.has(uint32(i)) && g.host.ranks[owner].at < 0 && len(row) > 0 {
			for o := bucket.Octave(row[0].weight()); o < bucket.NumOctaves; o++ {
				ends[o]--
			}
		}
	}
	return ends
}
