package sssp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/alltoall"
	"github.com/gohops/hops/internal/ranks/deal"
	"github.com/gohops/hops/internal/ranks/distributed"
)

// Passes is how often ranks read the edges to build their rows: once to count them, once to deal
// them out.
const Passes = 2

// A rankBuilder makes the rows of one rank.
type rankBuilder struct {
	*deal.Edges
	group   *group
	slots   *slotGraph
	sides   [2]side // rows out of vertices and into them; one side in an undirected graph
	squares uint64  // of the degrees of the hubs
}

// A side is the rows of one direction. The rows of own vertices are filled as entries arrive, and
// the rows of hubs are made from them.
type side struct {
	offsets []int64
	entries []entry
	filled  []uint32
	between [][]hubEntry // of each thread
}

// A hubEntry is an entry in the row of a hub.
type hubEntry struct {
	hub uint32 // number
	entry
}

// buildRows is kernel 1 on one rank.
func buildRows(ctx context.Context, member *distributed.Member, src hops.Source) (*group, *slotGraph, error) {
	if member.Wide || uint64(member.N)+mostHubs+1 >= math.MaxUint32 {
		return nil, nil, fmt.Errorf("%s: %d vertices: shortest paths on ranks take at most %d", member.Engine, member.N, uint32(math.MaxUint32-mostHubs-2))
	}
	edges, err := deal.Count(ctx, member, src)
	if err != nil {
		return nil, nil, err
	}
	g := &group{Member: member, exchange: alltoall.New(member.Comm, 1, &member.Memory)}
	b := &rankBuilder{Edges: edges, group: g, slots: &slotGraph{directed: edges.Directed}}
	err = edges.InTurn(b.divide, b.layRows, func() error { return edges.DealWeighted(b) }, b.finish, b.agree)
	if e := edges.Close(); err == nil {
		err = e
	}
	if member.Hosts.Leader && err == nil {
		member.Count(g.host.bytes)
	}
	return g, b.slots, err
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
	b.group.host = newHost(b.group)
	return b.number()
}

// number gives slots to own vertices that have edges, by falling degree, and to the hubs.
func (b *rankBuilder) number() error {
	var order []uint64
	for i, n := range b.Entries {
		if _, isHub := b.group.hubs.index(uint32(b.group.first) + uint32(i)); n > 0 && !isHub {
			order = append(order, uint64(math.MaxUint32-n)<<32|uint64(i))
		}
	}
	slices.Sort(order)
	g, h, w := b.group, b.group.host, b.slots
	base, hubs, err := h.before(len(order))
	if err != nil {
		return err
	}
	g.rows, g.slots = uint64(len(order)), uint64(hubs+len(g.hubs.labels))
	h.base, h.hubs = uint32(base), uint32(hubs)
	if w.hubs = h.hubs; h.alone {
		w.hubs = uint32(g.slots) // no other host must be told
	}
	if w.label, err = share[uint32](h, int(g.slots)+1); err != nil {
		return err
	}
	at, vertices, err := h.before(int(g.count))
	if err != nil {
		return err
	}
	if h.slot, err = share[uint32](h, vertices); err != nil {
		return err
	}
	w.slot = h.slot[at:][:g.count]
	b.giveSlots(order)
	return h.comm.Barrier()
}

// giveSlots numbers own vertices in the given order, and own hubs.
func (b *rankBuilder) giveSlots(order []uint64) {
	g, h, w := b.group, b.group.host, b.slots
	for i := range w.slot {
		w.slot[i] = uint32(g.slots)
	}
	for i, x := range order {
		slot := h.base + uint32(i)
		w.label[slot], w.slot[uint32(x)] = uint32(g.first)+uint32(x), slot
	}
	for i, label := range g.hubs.labels {
		slot := h.hubs + uint32(i)
		if h.has(uint32(i)) {
			w.label[slot] = label
		}
		if own := uint64(label) - g.first; own < g.count {
			w.slot[own] = slot
			if !h.alone {
				g.own = append(g.own, slot)
			}
		}
	}
	if h.local == 0 {
		w.label[g.slots] = none
	}
}

// layRows makes room for the rows of own vertices except hubs.
func (b *rankBuilder) layRows() error {
	counts := []func(i uint32) uint32{func(i uint32) uint32 { return b.Out[i] }, b.In}
	for d := range b.directions() {
		s, err := &b.sides[d], error(nil)
		s.between = make([][]hubEntry, b.Team.Size())
		light := int(b.group.rows)
		if s.offsets, err = arena.Make[int64](&b.Memory, light+1); err != nil {
			return err
		}
		if s.filled, err = arena.Make[uint32](&b.Memory, light); err != nil {
			return err
		}
		for i, label := range b.slots.label[b.group.host.base:][:light] {
			s.offsets[i+1] = s.offsets[i] + int64(counts[d](label-uint32(b.group.first)))
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
		slot := b.slots.slot[own]
		e := newEntry(math.Float32frombits(uint32(entries[1])), b.group.slotOf(other))
		if slot >= b.group.host.hubs {
			s.between[thread] = append(s.between[thread], hubEntry{slot - b.group.host.hubs, e})
			continue
		}
		i := slot - b.group.host.base
		at := s.offsets[i] + int64(s.filled[i])
		if at == s.offsets[i+1] {
			return fmt.Errorf("more entries than were counted for vertex %d", row)
		}
		s.entries[at] = e
		s.filled[i]++
	}
	return nil
}
