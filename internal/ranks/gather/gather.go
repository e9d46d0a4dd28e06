// Package gather makes a bitmap, of which every rank has written its own words,
// whole on every rank. There are five kinds of gathering:
//
//	per-rank  every rank has its own bitmap and receives the parts of all others:
//	        m·(ranks−1) bytes for a bitmap of m bytes, formula (1) of Cui et al.
//	leader  the first rank of every host collects the parts of its host, the
//	        leaders gather, and each hands the whole to the ranks of its host
//	shared  the ranks of a host have one bitmap and write their parts into it.
//	        Between hosts, the ranks with the same number on their hosts form
//	        subgroups that gather side by side: m·(hosts−1) bytes, formula (2). On
//	        one host nothing is sent.
//	share-all       the same bitmap, but the first rank of every host alone gathers
//	                between hosts, all parts of its host
//	share-in-queue  the same, and it first collects the parts of its host: what the
//	                ranks of a host share is the gathered bitmap alone
//
// The last two are steps of Cui et al. towards shared, for comparison.
package gather

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A Gatherer is one kind of gathering, on one rank.
type Gatherer interface {
	// Bitmap returns an empty bitmap of some words that can be gathered.
	Bitmap(words int) (bitset.Set, error)
	// Gather makes a bitmap whole. The bitmap has about the given number of
	// members, and written tells whether this rank has written to it since all
	// ranks have last met.
	Gather(set bitset.Set, members int64, written bool) error
	// Sends tells whether parts of a bitmap travel from rank to rank.
	Sends() bool
	// Group has the ranks that have a bitmap in common, and nil where every rank has
	// its own.
	Group() rank.Comm
}

// New returns the gatherer of a kind, by default shared. It sends lists instead of
// words, where these are shorter, unless dense is set.
func New(kind string, m *distributed.Member, dense bool) (Gatherer, error) {
	p := parts{byHost: make([][]rank.Span, m.Hosts.Count)}
	for r := range m.Comm.Size() {
		lo, hi := m.Parts.Words(r)
		span := rank.Span{Lo: 8 * lo, Hi: 8 * hi}
		p.all = append(p.all, span)
		p.byHost[m.Comm.Host(r)] = append(p.byHost[m.Comm.Host(r)], span)
	}
	if kind == "" && m.Hosts.Count == 1 {
		return &shared{m, p, Wire{}}, nil
	}
	wire, err := NewWire(&m.Memory, bitset.Words(int64(m.N)), m.Comm.Size(), WireLimit(int64(m.N), dense))
	if err != nil {
		return nil, err
	}
	switch kind {
	case "per-rank":
		return &perRank{own{m}, p, wire}, nil
	case "leader":
		return &leader{own{m}, p, wire}, nil
	case "share-all", "share-in-queue":
		return &byLeader{shared{m, p, wire}, kind == "share-in-queue"}, nil
	}
	return &shared{m, p, wire}, nil
}

// parts are the bytes of the words that ranks have written.
type parts struct {
	byHost [][]rank.Span // by host, and by rank within the host
	all    []rank.Span   // of every rank
}

// numbered returns the part of rank k of each host, empty where there is none.
func (p *parts) numbered(k int) []rank.Span {
	parts := make([]rank.Span, len(p.byHost))
	for h, ranks := range p.byHost {
		if k < len(ranks) {
			parts[h] = ranks[k]
		}
	}
	return parts
}

// own is what gatherers have in common that give every rank its own bitmap.
type own struct{ *distributed.Member }

func (o own) Bitmap(words int) (bitset.Set, error) { return arena.Make[uint64](&o.Memory, words) }
func (own) Sends() bool                            { return true }
func (own) Group() rank.Comm                       { return nil }

type perRank struct {
	own
	parts parts
	wire  Wire
}

func (p *perRank) Gather(set bitset.Set, members int64, _ bool) error {
	return p.wire.Gather(p.Comm, set, p.parts.all, members)
}
