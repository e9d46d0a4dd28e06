package sssp

// What the ranks of a host share. Their vertices have slots of one numbering, and all of them
// read and write the same places and read the same rows, so that between them a push is
// what it is between the workers of one rank, and a pull asks nobody. Every rank has the
// wake lists of its own vertices and of a part of the hubs.
//
// A rank that lowers distances writes the vertices on a board, from which all ranks
// of the host take them in the next phase: the first vertices of a search are found by
// few ranks, and all help to expand them.

import (
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A host is this rank's side of the ranks of its host.
type host struct {
	comm  rank.Comm
	local int      // number of this rank
	size  int      // ranks
	alone bool     // there is no other host
	slot  []uint32 // of the host's vertices, by rank and label
	base  uint32   // first slot of own vertices that are no hubs
	hubs  uint32   // slot of the first hub
	bytes int64    // that are shared

	ranks []rankRange // all ranks of all hosts
	// mates has the ranks of the other hosts, by host: one of each is told about a hub.
	mates [][]int
}

// A rankRange is where the vertices of a rank are.
type rankRange struct {
	first uint64 // label
	at    int64  // in slot, or -1 for another host
	away  uint64 // vertices of other hosts before it
}

// newHost lays out the vertices of all ranks.
func newHost(g *group) *host {
	h := &host{comm: g.Hosts.Mine, local: g.Hosts.Local, size: g.Hosts.Mine.Size(), alone: g.Hosts.Count == 1}
	mine, at, away := g.Comm.Host(g.Comm.Rank()), int64(0), uint64(0)
	byHost := make([][]int, g.Hosts.Count)
	for r := range g.Comm.Size() {
		first, end := g.Parts.Rank(r)
		if where := g.Comm.Host(r); where == mine {
			h.ranks = append(h.ranks, rankRange{first, at, away})
			at += int64(end - first)
		} else {
			h.ranks = append(h.ranks, rankRange{first, -1, away})
			away += end - first
			byHost[where] = append(byHost[where], r)
		}
	}
	for _, ranks := range byHost {
		if len(ranks) > 0 {
			h.mates = append(h.mates, ranks)
		}
	}
	return h
}

// share returns memory of the ranks of this host, all of which call it with the same number.
func share[T any](h *host, n int) ([]T, error) {
	var one T
	size := int64(n) * int64(unsafe.Sizeof(one))
	h.bytes += size
	mem, err := h.comm.Share(max(size, 8))
	if err != nil {
		return nil, err
	}
	return arena.View[T](mem[:size]), nil
}

// before returns how much the ranks of this host before this one have, and how much all.
func (h *host) before(mine int) (before, all int, err error) {
	counts := make([]uint64, h.size)
	counts[h.local] = uint64(mine)
	if err := rank.Reduced(h.comm, rank.Sum, counts); err != nil {
		return 0, 0, err
	}
	for r, n := range counts {
		if all += int(n); r < h.local {
			before += int(n)
		}
	}
	return before, all, nil
}

// has tells whether the waker of a hub is with this rank.
func (h *host) has(hub uint32) bool { return int(hub)%h.size == h.local }

const (
	// boardRoom is how many vertices a rank writes on the board. What is beyond it
	// the rank expands itself.
	boardRoom = 1 << 14
	// boardChunk is how many of these a worker claims at a time.
	boardChunk = 16
	// ownFront is the number of vertices on the board up to which every rank expands its
	// own: about what it takes to fetch those of others.
	ownFront = 64
)

// A board has the frontier of a phase. While it is read, that of the next phase is written
// beside it.
type board[D distance] struct {
	phase  int
	claims []sharedCount // of three phases in turn
	counts []sharedCount // of each rank, of two phases in turn
	fronts []reached[D]
}

// A sharedCount has a cache line.
type sharedCount struct {
	atomic.Int64
	_ [56]byte
}

func newBoard[D distance](h *host) (b *board[D], err error) {
	b = &board[D]{}
	if b.claims, err = share[sharedCount](h, 3); err != nil {
		return nil, err
	}
	if b.counts, err = share[sharedCount](h, 2*h.size); err != nil {
		return nil, err
	}
	b.fronts, err = share[reached[D]](h, 2*h.size*boardRoom)
	return b, err
}

// count and front are those of a rank in this phase.
func (b *board[D]) count(h *host, r int) *sharedCount { return &b.counts[b.phase%2*h.size+r] }

func (b *board[D]) front(h *host, r int) []reached[D] {
	return b.fronts[(b.phase%2*h.size+r)*boardRoom:][:boardRoom]
}

// publish writes the vertices that this rank has found on the board. All ranks meet before
// these are read. It returns how many the rank has.
func (m *machine[D]) publish() (left uint64) {
	b, h := m.board, m.group.host
	b.phase++
	if h.local == 0 {
		b.claims[(b.phase+1)%3].Store(0) // which was last used two phases ago
	}
	room, count := b.front(h, h.local), 0
	for i := range m.workers {
		w := &m.workers[i]
		w.front = append(w.front, w.next...)
		w.next = w.next[:0]
		left += uint64(len(w.front))
		n := copy(room[count:], w.front)
		w.front = w.front[:copy(w.front, w.front[n:])]
		count += n
	}
	b.count(h, h.local).Store(int64(count))
	return left
}

// onBoard is the number of vertices that the ranks of this host have published.
func (m *machine[D]) onBoard() (total int64) {
	for r := range m.group.host.size {
		total += m.board.count(m.group.host, r).Load()
	}
	return total
}

// expandBoard expands vertices of the board. Own ones are all where they are few.
func (m *machine[D]) expandBoard(w int) {
	b, h, me := m.board, m.group.host, &m.workers[w]
	if m.onBoard() <= ownFront {
		if w == 0 {
			m.expandSome(me, b.front(h, h.local)[:b.count(h, h.local).Load()])
		}
		return
	}
	claims := &b.claims[b.phase%3]
	claimed := claims.Add(1) - 1
	for r, before := 0, int64(0); r < h.size; {
		count := b.count(h, r).Load()
		chunks := (count + boardChunk - 1) / boardChunk
		if claimed-before >= chunks {
			r, before = r+1, before+chunks
			continue
		}
		lo := (claimed - before) * boardChunk
		m.expandSome(me, b.front(h, r)[lo:min(lo+boardChunk, count)])
		claimed = claims.Add(1) - 1
	}
}

// meet waits for the ranks of this host, if there are several.
func (m *machine[D]) meet() error {
	if m.group == nil || m.group.host.size == 1 {
		return nil
	}
	return m.group.host.comm.Barrier()
}

// share is a worker's share of something that the workers of all ranks of the host divide.
func (m *machine[D]) share(worker int) (part, parts int) {
	if m.group == nil {
		return worker, m.team.Size()
	}
	h := m.group.host
	return h.local*m.team.Size() + worker, h.size * m.team.Size()
}
