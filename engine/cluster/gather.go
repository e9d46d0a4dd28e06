package cluster

import (
	"time"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/rank"
)

// Gathering the frontier: after it, in has the frontier of the whole graph.
//
//	plain   every rank has its own in and receives the parts of all others:
//	        m·(ranks−1) bytes for a bitmap of m, formula (1) of Cui et al.
//	leader  the first rank of every host collects the parts of its host, the
//	        leaders gather, and each hands the whole to the ranks of its host
//	shared  the ranks of a host have one in, and write their parts where they
//	        belong. Between hosts, the ranks with the same number on their hosts
//	        form subgroups that gather side by side: m·(hosts−1) bytes, formula
//	        (2). On one host nothing is sent at all.
//
// The next frontier, out, is kept like in, so that it becomes in without being
// copied.

// A gatherer knows where the parts of a bitmap are.
type gatherer struct {
	ranks  [][]rank.Span // of each host, the bytes of the words of each of its ranks
	all    []rank.Span   // of every rank
	wire   wire
	shared bool
}

func (m *machine) newGatherer() (err error) {
	g := &m.gatherer
	words := bitset.Words(int64(m.n))
	g.shared = m.opts.Gather == ""
	for _, set := range []*bitset.Set{&m.in, &m.out} {
		if !g.shared {
			*set, err = arena.Make[uint64](&m.mem, words)
		} else if mem, e := m.share(m.comm, 8*int64(words)); e == nil {
			*set = arena.View[uint64](mem)
		} else {
			err = e
		}
		if err != nil {
			return err
		}
	}
	m.pointAtWords()
	g.ranks = make([][]rank.Span, m.hosts.count)
	for r := range m.comm.Size() {
		lo, hi := m.parts.words(r)
		span := rank.Span{Lo: 8 * lo, Hi: 8 * hi}
		g.all = append(g.all, span)
		g.ranks[m.comm.Host(r)] = append(g.ranks[m.comm.Host(r)], span)
	}
	if m.hosts.count > 1 || !g.shared {
		g.wire, err = newWire(&m.mem, words, m.comm.Size())
	}
	return err
}

// pointAtWords finds the words of each worker in the two bitmaps.
func (m *machine) pointAtWords() {
	m.mirrors, m.nextWords = m.mirrors[:0], m.nextWords[:0]
	for t := range m.workers {
		w := &m.workers[t]
		lo := bitset.Words(int64(w.first))
		m.mirrors = append(m.mirrors, m.in[lo:][:w.words()])
		m.nextWords = append(m.nextWords, m.out[lo:][:w.words()])
	}
}

// advance makes the next frontier, of which every worker has written its own
// words, the frontier.
func (m *machine) advance() {
	m.in, m.out = m.out, m.in
	m.mirrors, m.nextWords = m.nextWords, m.mirrors
	m.hasQueue, m.hasFront, m.gathered = false, true, false
}

// gather makes the frontier of the whole graph available.
func (m *machine) gather() error {
	if m.gathered {
		return nil
	}
	written := !m.hasFront
	m.wantFront()
	start := time.Now()
	defer func() { m.gathering += time.Since(start) }()
	if m.heavy.front.Count() > 0 {
		written = true
		m.markHeavy()
	}
	m.gathered, m.wired = true, m.hosts.count > 1 || !m.gatherer.shared
	switch {
	case m.opts.Gather == "plain":
		return m.gatherParts(m.comm, m.gatherer.all)
	case m.opts.Gather == "leader":
		return m.gatherByLeaders()
	case m.hosts.count > 1:
		return m.gatherShared()
	case written:
		return m.comm.Barrier()
	}
	return nil
}

// markHeavy adds the heavy vertices of the frontier that this rank owns.
func (m *machine) markHeavy() {
	for i := m.heavy.first; i < m.heavy.end; i++ {
		if m.heavy.front.Has(uint64(i)) {
			m.in.Add(uint64(m.heavy.labels[i]))
		}
	}
}

// gatherShared gathers between hosts, in as many turns as the host with the most
// ranks has for each subgroup. Nobody on this host still reads what others bring:
// that was the frontier of another level. Nor need anybody have come but the peers,
// unless a rank also gathers the parts of one whose number some hosts do not have.
func (m *machine) gatherShared() error {
	if m.hosts.least < m.hosts.most {
		if err := m.hosts.mine.Barrier(); err != nil {
			return err
		}
	}
	if m.hosts.local < m.hosts.least {
		for k := m.hosts.local; k < m.hosts.most; k += m.hosts.least {
			if err := m.gatherParts(m.hosts.peers, m.gatherer.numbered(k)); err != nil {
				return err
			}
		}
	}
	return m.hosts.mine.Barrier()
}

// numbered returns the part of rank k of each host, empty where there is none.
func (g *gatherer) numbered(k int) []rank.Span {
	parts := make([]rank.Span, len(g.ranks))
	for h, ranks := range g.ranks {
		if k < len(ranks) {
			parts[h] = ranks[k]
		}
	}
	return parts
}

// gatherByLeaders is the form with a leader for each host.
func (m *machine) gatherByLeaders() error {
	g := &m.gatherer
	if err := m.collectAtLeader(); err != nil {
		return err
	}
	if m.hosts.leader {
		for k := range m.hosts.most {
			if err := m.gatherParts(m.hosts.leaders, g.numbered(k)); err != nil {
				return err
			}
		}
	}
	whole := make([]rank.Span, m.hosts.mine.Size())
	whole[0].Hi = 8 * int64(len(m.in))
	return m.hosts.mine.Gather(arena.Bytes(m.in), whole)
}

// collectAtLeader sends the parts of a host to its first rank.
func (m *machine) collectAtLeader() error {
	g := &m.gatherer
	ranks := g.ranks[m.comm.Host(m.comm.Rank())]
	outCuts, inCuts := make([]int64, len(ranks)+1), make([]int64, len(ranks)+1)
	for r, part := range ranks {
		outCuts[r+1] = g.all[m.comm.Rank()].Size()
		if m.hosts.leader {
			inCuts[r+1] = inCuts[r] + part.Size()
		}
	}
	bitmap := arena.Bytes(m.in)
	mine := g.all[m.comm.Rank()]
	if err := m.hosts.mine.Exchange(bitmap[mine.Lo:mine.Hi], outCuts, g.wire.stage, inCuts); err != nil {
		return err
	}
	if m.hosts.leader {
		for r, part := range ranks {
			copy(bitmap[part.Lo:part.Hi], g.wire.stage[inCuts[r]:inCuts[r+1]])
		}
	}
	return nil
}

// gatherParts gathers parts of in, one of each rank of a group, as they are or as
// lists.
func (m *machine) gatherParts(c rank.Comm, parts []rank.Span) error {
	lists := m.opts.Bitmaps != "dense" && m.state.Vertices <= m.state.Size/sparseBelow
	return m.gatherer.wire.gather(c, m.in, parts, lists)
}
