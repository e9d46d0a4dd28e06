package sssp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/alltoall"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bucket"
	"github.com/gohops/hops/internal/deal"
	"github.com/gohops/hops/internal/distributed"
	"github.com/gohops/hops/internal/rank"
)

// Passes is how often ranks read the edges to build their rows: to count them and to deal
// them.
const Passes = 2

// mostHubs is the number of hubs at most: their distances and parents, half a mebibyte,
// stay in a second-level cache.
const mostHubs = 1 << 16

// hubDegree is the number of entries that a hub has at least: in a graph without long rows
// there are no hubs.
const hubDegree = 64

// hubs number the hubs by falling degree.
type hubs struct {
	labels []uint32
	table  []uint32 // open addressing: number+1 of a label, or 0
	shift  uint
}

func newHubs(vertices []deal.Vertex) hubs {
	slices.SortFunc(vertices, func(a, b deal.Vertex) int {
		return cmp.Or(cmp.Compare(b.Out+b.In, a.Out+a.In), cmp.Compare(a.Label, b.Label))
	})
	log := bits.Len(uint(2*len(vertices) + 1))
	h := hubs{table: make([]uint32, 1<<log), shift: uint(64 - log)}
	for i, v := range vertices {
		h.labels = append(h.labels, uint32(v.Label))
		at := h.place(uint32(v.Label))
		for h.table[at] != 0 {
			at = (at + 1) % len(h.table)
		}
		h.table[at] = uint32(i) + 1
	}
	return h
}

func (h *hubs) place(label uint32) int { return int(uint64(label) * 0x9e3779b97f4a7c15 >> h.shift) }

// index is the number of a hub.
func (h *hubs) index(label uint32) (i uint32, ok bool) {
	for at := h.place(label); h.table[at] != 0; at = (at + 1) % len(h.table) {
		if i := h.table[at] - 1; h.labels[i] == label {
			return i, true
		}
	}
	return 0, false
}

// A rankBuilder makes the rows of one rank.
type rankBuilder struct {
	*deal.Edges
	group   *group
	weave   *weave
	sides   [2]side // rows out of vertices and into them; one side in an undirected graph
	squares uint64  // of the degrees of the hubs
}

// A side is the rows of one direction. Those of own vertices are filled as entries come,
// those of hubs follow from them.
type side struct {
	rows
	filled  []uint32
	between [][]hubEntry // of each thread
}

// A hubEntry is an entry in the row of a hub.
type hubEntry struct {
	hub uint32 // slot
	entry
}

// buildRows is kernel 1 on one rank.
func buildRows(ctx context.Context, member *distributed.Member, src hops.Source) (*group, *weave, error) {
	if member.Wide || uint64(member.N)+mostHubs+1 >= math.MaxUint32 {
		return nil, nil, fmt.Errorf("%s: %d vertices: shortest paths on ranks take at most %d", member.Engine, member.N, uint32(math.MaxUint32-mostHubs-2))
	}
	edges, err := deal.Count(ctx, member, src)
	if err != nil {
		return nil, nil, err
	}
	g := &group{Member: member, exchange: alltoall.New(member.Comm, 1, &member.Memory)}
	b := &rankBuilder{Edges: edges, group: g, weave: &weave{directed: edges.Directed}}
	err = edges.InTurn(b.divide, b.layRows, func() error { return edges.DealWeighted(b) }, b.finish, b.agree)
	if e := edges.Close(); err == nil {
		err = e
	}
	return g, b.weave, err
}

// divide finds the hubs, divides the vertices among the ranks and numbers them.
func (b *rankBuilder) divide() error {
	cut, total := deal.Classes, uint64(0)
	for cut > 1+int(deal.ClassOf(hubDegree)) && total+b.Histogram[cut-1] <= mostHubs {
		cut--
		total += b.Histogram[cut]
	}
	if err := b.Divide(cut, b.Team.Size()); err != nil {
		return err
	}
	vertices, err := b.From(cut)
	if err != nil {
		return err
	}
	b.group.hubs = newHubs(vertices)
	for _, v := range vertices {
		b.squares += v.Out * v.Out
	}
	first, end := b.Parts.Rank(b.Comm.Rank())
	b.group.first, b.group.count = first, end-first
	return b.number()
}

// number gives slots to own vertices that have edges, by falling degree, and to the hubs.
func (b *rankBuilder) number() (err error) {
	var order []uint64
	for i, n := range b.Entries {
		if _, isHub := b.group.hubs.index(uint32(b.group.first) + uint32(i)); n > 0 && !isHub {
			order = append(order, uint64(math.MaxUint32-n)<<32|uint64(i))
		}
	}
	slices.Sort(order)
	w := b.weave
	w.hubs = uint32(len(order))
	b.group.slots = uint64(len(order) + len(b.group.hubs.labels))
	if w.label, err = arena.Make[uint32](&b.Memory, int(b.group.slots)+1); err != nil {
		return err
	}
	if w.slot, err = arena.Make[uint32](&b.Memory, int(b.group.count)); err != nil {
		return err
	}
	for i := range w.slot {
		w.slot[i] = uint32(b.group.slots)
	}
	for s, x := range order {
		w.label[s], w.slot[uint32(x)] = uint32(b.group.first)+uint32(x), uint32(s)
	}
	for i, label := range b.group.hubs.labels {
		slot := w.hubs + uint32(i)
		w.label[slot] = label
		if own := uint64(label) - b.group.first; own < b.group.count {
			w.slot[own] = slot
			b.group.own = append(b.group.own, slot)
		}
	}
	w.label[b.group.slots] = none
	return nil
}

// layRows makes room for the rows of own vertices that are no hubs.
func (b *rankBuilder) layRows() error {
	counts := []func(i uint32) uint32{func(i uint32) uint32 { return b.Out[i] }, b.In}
	for d := range b.directions() {
		s, err := &b.sides[d], error(nil)
		s.between = make([][]hubEntry, b.Team.Size())
		light := int(b.weave.hubs)
		if s.offsets, err = arena.Make[int64](&b.Memory, int(b.group.slots)+1); err != nil {
			return err
		}
		if s.filled, err = arena.Make[uint32](&b.Memory, light); err != nil {
			return err
		}
		for slot, label := range b.weave.label[:light] {
			s.offsets[slot+1] = s.offsets[slot] + int64(counts[d](label-uint32(b.group.first)))
		}
		if s.entries, err = arena.Make[entry](&b.Memory, int(s.offsets[light])); err != nil {
			return err
		}
	}
	b.FreeCounts()
	return nil
}

// directions is the number of sides.
func (b *rankBuilder) directions() int {
	if b.Directed {
		return 2
	}
	return 1
}

// RouteWeighted implements deal.WeightedLayout. An entry is two words: the labels of its
// row and of the other end, and the weight with the side.
func (b *rankBuilder) RouteWeighted(edges []hops.Edge, weights []float32, to []deal.Routed) []deal.Routed {
	for i, e := range edges {
		if e.U == e.V {
			continue
		}
		u, v := uint32(e.U), uint32(e.V)
		_, hubU := b.group.hubs.index(u)
		_, hubV := b.group.hubs.index(v)
		weight := uint64(math.Float32bits(weights[i] + 0)) // no negative zero
		if !hubU || hubV {
			to = b.route(to, u, v, weight)
		}
		if !hubV || hubU {
			to = b.route(to, v, u, weight|uint64(b.directions()-1)<<32)
		}
	}
	return to
}

func (b *rankBuilder) route(to []deal.Routed, row, other uint32, weight uint64) []deal.Routed {
	w := uint32(b.Parts.Owner(uint64(row)))
	return append(to, deal.Routed{Worker: w, Entry: uint64(row)<<32 | uint64(other)}, deal.Routed{Worker: w, Entry: weight})
}

// Place implements deal.WeightedLayout.
func (b *rankBuilder) Place(thread int, entries []uint64) error {
	for ; len(entries) > 1; entries = entries[2:] {
		row, other := uint32(entries[0]>>32), uint32(entries[0])
		s := &b.sides[entries[1]>>32&1]
		own := uint64(row) - b.group.first
		if own >= b.group.count || hops.Vertex(other) >= b.N {
			return fmt.Errorf("an entry of vertex %d with neighbour %d, which is not of this rank", row, other)
		}
		slot := b.weave.slot[own]
		e := newEntry(math.Float32frombits(uint32(entries[1])), b.codeOf(other))
		if slot >= b.weave.hubs {
			s.between[thread] = append(s.between[thread], hubEntry{slot, e})
			continue
		}
		at := s.offsets[slot] + int64(s.filled[slot])
		if at == s.offsets[slot+1] {
			return fmt.Errorf("more entries than were counted for vertex %d", row)
		}
		s.entries[at] = e
		s.filled[slot]++
	}
	return nil
}

// codeOf is the slot of a vertex, or the code of one of another rank.
func (b *rankBuilder) codeOf(label uint32) uint32 { return b.group.slotOf(b.weave, label) }

// finish makes the rows of the hubs, and sorts all rows.
func (b *rankBuilder) finish() error {
	w, last := b.weave, b.directions()-1
	out, in := b.sides[0], b.sides[last]
	var err, errIn error
	if w.out, err = b.withHubs(&out, &in); b.Directed {
		w.in, errIn = b.withHubs(&in, &out)
	} else {
		w.in = w.out
	}
	for _, s := range b.sides[:last+1] {
		arena.Free(&b.Memory, s.entries)
		arena.Free(&b.Memory, s.filled)
	}
	return errors.Join(err, errIn)
}

// withHubs returns the rows of a side with those of the hubs behind them. What leads from
// a hub to an own vertex stands in the row of that vertex on the opposite side.
func (b *rankBuilder) withHubs(s, opposite *side) (r rows, err error) {
	first, light := b.weave.hubs, s.offsets[b.weave.hubs]
	r.offsets = s.offsets
	sizes := make([]int64, len(b.group.hubs.labels)+1)
	b.eachHubEntry(s, opposite, func(e hubEntry) { sizes[e.hub-first+1]++ })
	for i := range b.group.hubs.labels {
		sizes[i+1] += sizes[i]
		r.offsets[int(first)+i+1] = light + sizes[i+1]
	}
	if r.entries, err = arena.Make[entry](&b.Memory, int(r.offsets[b.group.slots])); err != nil {
		return r, err
	}
	copy(r.entries, s.entries)
	b.eachHubEntry(s, opposite, func(e hubEntry) {
		at := &sizes[e.hub-first]
		r.entries[light+*at] = e.entry
		*at++
	})
	sorters := make([]sorter, b.Team.Size())
	b.Team.For(int64(b.group.slots), 64, func(worker int, lo, hi int64) {
		for slot := lo; slot < hi; slot++ {
			sorters[worker].sort(r.row(uint32(slot)))
		}
	})
	return r, nil
}

// eachHubEntry calls f for the entries in the rows of hubs that this rank has.
func (b *rankBuilder) eachHubEntry(s, opposite *side, f func(e hubEntry)) {
	for slot := range b.weave.hubs {
		for _, e := range opposite.entries[opposite.offsets[slot]:opposite.offsets[slot+1]] {
			if other := e.slot(); other >= b.weave.hubs && uint64(other) < b.group.slots {
				f(hubEntry{other, newEntry(e.weight(), slot)})
			}
		}
	}
	for _, list := range s.between {
		for _, e := range list {
			f(e)
		}
	}
}

// agree completes what all ranks know of the whole graph.
func (b *rankBuilder) agree() (err error) {
	w := b.weave
	if w.wake, err = newWakeLists(&w.in, &b.Memory); err != nil {
		return err
	}
	counts, heaviest := newWeightCounts(w.out, w.hubs)
	sums := slices.Concat([]uint64{uint64(w.hubs), counts.Entries, counts.Squares}, w.wake.counts.Ends[:], w.wake.counts.Degree[:], counts.Classes[:])
	if err := rank.Reduced(b.Comm, rank.Sum, sums); err != nil {
		return err
	}
	most := []uint64{uint64(math.Float32bits(heaviest))}
	if err := rank.Reduced(b.Comm, rank.Max, most); err != nil {
		return err
	}
	w.Vertices, w.Entries = int64(sums[0])+int64(len(b.group.hubs.labels)), int64(sums[1])
	counts.Entries, counts.Squares = sums[1], sums[2]+b.squares
	sums = sums[3:]
	sums = sums[copy(w.Wakers.Ends[:], sums):]
	sums = sums[copy(w.Wakers.Degree[:], sums):]
	copy(counts.Classes[:], sums)
	w.Shares = bucket.NewShares(&counts, math.Float32frombits(uint32(most[0])))
	b.group.sums, err = arena.Make[uint64](&b.Memory, 8)
	return err
}
