package sssp

// Shortest paths on ranks. Every rank runs the machine of one host on its share of the graph. The
// memory that the ranks of a host share is in host.go, the messages between hosts in this file.
//
// The vertices are divided by work. A host has slots for the vertices of its ranks and,
// behind these, for the hubs: the vertices with the longest rows, of which every host has a
// part of the row and a copy of the distance. An edge between a hub and another vertex lies
// with the owner of the other vertex, in both rows. An edge between two hubs lies in both rows,
// with the owner of each hub. So no edge of a hub takes a message: on a Kronecker graph of scale 20
// five of six lightest entries lead to hubs.
//
//   - A push to a vertex of another host is a message with the distance and the parent.
//   - A hub whose distance became smaller is told to all hosts, which expand their parts
//     of its row in the next phase.
//   - A vertex that pulls asks the owners of its neighbours on other hosts for their
//     distances, if these can matter beside what it found without asking (ask.go).
//
// Messages are exchanged by all ranks at the end of a phase. All decisions depend on
// numbers that are added up over all ranks, so that all ranks take the same ones.

import (
	"context"
	"math"
	"sort"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/alltoall"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A group is this rank's side of the ranks that search together.
type group struct {
	*distributed.Member
	host     *host
	ctx      context.Context
	exchange *alltoall.Exchange
	sums     []uint64
	first    uint64   // label of the first own vertex
	slots    uint64   // of the host, with hubs; codes beyond it name vertices of other hosts
	count    uint64   // own vertices
	rows     uint64   // own vertices that have edges and are no hubs
	hubs     hubs     // by label
	own      []uint32 // slots of hubs that are own vertices, where there are other hosts
	traffic  rank.Traffic

	words     []uint64 // the messages of a phase, by rank
	cuts      []int64
	owner     []int32 // of each question
	positions []int64 // of each question, among the words
}

// code names a vertex of another host, beyond all slots.
func (g *group) code(owner int, label uint64) uint32 {
	r := &g.host.ranks[owner]
	return uint32(g.slots + 1 + r.away + label - r.first)
}

// locate returns the rank that owns the vertex of a code, and its number there.
func (g *group) locate(code uint32) (owner int, number uint64) {
	at := uint64(code) - g.slots - 1
	owner = sort.Search(len(g.host.ranks), func(r int) bool { return g.host.ranks[r].away > at }) - 1
	return owner, at - g.host.ranks[owner].away
}

// label is the vertex of a code.
func (g *group) label(code uint32) uint32 {
	owner, number := g.locate(code)
	return uint32(g.host.ranks[owner].first + number)
}

// reduce combines the first numbers of sums over all ranks.
func (g *group) reduce(op rank.Op, numbers ...uint64) ([]uint64, error) {
	v := g.sums[:len(numbers)]
	copy(v, numbers)
	return v, rank.Reduced(g.Comm, op, v)
}

// agreeOnNext takes the least next distance of all ranks.
func (m *machine[D]) agreeOnNext() error {
	if m.group == nil {
		return nil
	}
	v, err := m.group.reduce(rank.Max, ^math.Float64bits(float64(m.next)))
	m.next = D(math.Float64frombits(^v[0]))
	return err
}

// addUp adds up the numbers of a level over all ranks. A hub counts as found with its owner.
func (m *machine[D]) addUp(l *hops.Level, degree *int64) error {
	g := m.group
	if g == nil {
		return nil
	}
	for _, slot := range g.own {
		if far := m.states[slot].far; far >= m.from && far < m.bound && slot != m.root {
			l.Found++
		}
	}
	stop := uint64(0)
	if g.ctx.Err() != nil {
		stop = 1
	}
	now := g.Comm.Traffic()
	sent := now.Minus(g.traffic)
	g.traffic = now
	v, err := g.reduce(rank.Sum, uint64(l.Examined), uint64(l.Found), uint64(l.Bucket.Lowered), uint64(*degree),
		uint64(sent.Messages), uint64(sent.Bytes), stop)
	if err != nil {
		return err
	}
	l.Examined, l.Found, l.Bucket.Lowered, *degree = int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3])
	l.Messages, l.Bytes = int64(v[4]), int64(v[5])
	if v[6] > 0 {
		return distributed.Agreed(g.Stopped(g.ctx, 1))
	}
	return m.agreeOnNext()
}

// labelOf is the label of a slot or of a vertex of another host.
func (m *machine[D]) labelOf(code uint32) uint32 {
	if int(code) < len(m.label) {
		return m.label[code]
	}
	return m.group.label(code)
}

// slotOf is the slot of a label, or the code of a vertex of another host.
func (g *group) slotOf(label uint32) uint32 {
	if i, ok := g.hubs.index(label); ok {
		return g.host.hubs + i
	}
	owner := g.Parts.Owner(uint64(label)) / g.Parts.Threads
	if r := &g.host.ranks[owner]; r.at >= 0 {
		return g.host.slot[r.at+int64(uint64(label)-r.first)]
	}
	return g.code(owner, uint64(label))
}

// seeds tells whether a search from a slot begins with this rank: on every host if it is a hub.
func (g *group) seeds(slot uint32) bool {
	switch h := g.host; {
	case uint64(slot) >= g.slots:
		return false
	case slot >= h.hubs:
		return h.has(slot - h.hubs)
	default:
		return slot >= h.base && uint64(slot-h.base) < g.rows
	}
}
