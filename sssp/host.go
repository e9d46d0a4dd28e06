package sssp

// The ranks of a host share one numbering of slots, the states of all vertices and their rows.
// Between them a push is a compare-and-swap and a pull is a read, as between the workers of one
// rank. Every rank has the wake lists of its own vertices and of a part of the hubs.
//
// A rank that lowers distances publishes the vertices in shared memory, from which all ranks of
// the host take them in the next phase: few ranks find the first vertices of a search, and all
// help to expand them.

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
	bytes int64    // of shared memory

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

// share returns memory that the ranks of this host share. All of them call it with the same number.
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

// before returns the sum of mine over the ranks of this host before this one, and over all of them.
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

// has tells whether this rank has the candidate of a hub.
func (h *host) has(hub uint32) bool { return int(hub)%h.size == h.local }

const (
	// publishedRoom is how many vertices a rank publishes at most. It expands the others itself.
	publishedRoom = 1 << 14
	// publishedChunk is how many published vertices a worker claims at a time.
	publishedChunk = 16
	// ownFront is the number of published vertices up to which every rank expands its own: fetching
	// the vertices of other ranks takes about as long.
	ownFront = 64
)

// A sharedFrontier is the frontier of a phase in memory that all ranks of a host share. While it is
// read, the frontier of the next phase is written beside it.
type sharedFrontier[D distance] struct {
	phase  int
	claims []sharedCount // of three phases in turn
	counts []sharedCount // of each rank, of two phases in turn
	fronts []reached[D]
}

// A sharedCount fills a cache line.
type sharedCount struct {
	atomic.Int64
	_ [56]byte
}

func newSharedFrontier[D distance](h *host) (f *sharedFrontier[D], err error) {
	f = &sharedFrontier[D]{}
	if f.claims, err = share[sharedCount](h, 3); err != nil {
		return nil, err
	}
	if f.counts, err = share[sharedCount](h, 2*h.size); err != nil {
		return nil, err
	}
	f.fronts, err = share[reached[D]](h, 2*h.size*publishedRoom)
	return f, err
}

// count and front return the length and the room of a rank's frontier in this phase.
func (f *sharedFrontier[D]) count(h *host, r int) *sharedCount { return &f.counts[f.phase%2*h.size+r] }

func (f *sharedFrontier[D]) front(h *host, r int) []reached[D] {
	return f.fronts[(f.phase%2*h.size+r)*publishedRoom:][:publishedRoom]
}

// publish copies the vertices that this rank has found to shared memory. A barrier follows before
// they are read. It returns how many the rank has.
func (m *machine[D]) publish() (left uint64) {
	f, h := m.shared, m.group.host
	f.phase++
	if h.local == 0 {
		f.claims[(f.phase+1)%3].Store(0) // last used two phases ago
	}
	room, count := f.front(h, h.local), 0
	for i := range m.workers {
		w := &m.workers[i]
		w.front = append(w.front, w.next...)
		w.next = w.next[:0]
		left += uint64(len(w.front))
		n := copy(room[count:], w.front)
		w.front = w.front[:copy(w.front, w.front[n:])]
		count += n
	}
	f.count(h, h.local).Store(int64(count))
	return left
}

// published is the number of vertices that the ranks of this host have published.
func (m *machine[D]) published() (total int64) {
	for r := range m.group.host.size {
		total += m.shared.count(m.group.host, r).Load()
	}
	return total
}

// expandShared expands published vertices: a rank's own if there are few, and otherwise chunks of
// all ranks.
func (m *machine[D]) expandShared(w int) {
	f, h, me := m.shared, m.group.host, &m.workers[w]
	if m.published() <= ownFront {
		if w == 0 {
			m.expandSome(me, f.front(h, h.local)[:f.count(h, h.local).Load()])
		}
		return
	}
	claims := &f.claims[f.phase%3]
	claimed := claims.Add(1) - 1
	for r, before := 0, int64(0); r < h.size; {
		count := f.count(h, r).Load()
		chunks := (count + publishedChunk - 1) / publishedChunk
		if claimed-before >= chunks {
			r, before = r+1, before+chunks
			continue
		}
		lo := (claimed - before) * publishedChunk
		m.expandSome(me, f.front(h, r)[lo:min(lo+publishedChunk, count)])
		claimed = claims.Add(1) - 1
	}
}

// meet is a barrier of the ranks of this host, if there are several.
func (m *machine[D]) meet() error {
	if m.group == nil || m.group.host.size == 1 {
		return nil
	}
	return m.group.host.comm.Barrier()
}

// share is the number of a worker among the workers of all ranks of the host, and their number.
func (m *machine[D]) share(worker int) (part, parts int) {
	if m.group == nil {
		return worker, m.team.Size()
	}
	h := m.group.host
	return h.local*m.team.Size() + worker, h.size * m.team.Size()
}
