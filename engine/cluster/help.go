package cluster

import (
	"math/bits"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Ranks of one host help each other in bottom-up levels over a gathered frontier. Cores
// differ in speed from one millisecond to the next, and a level ends with its slowest rank. So
// the heads, tails and results of a worker's blocks are in memory that the ranks of its host share,
// and a worker that has no block left takes one of the worker that has the most left.
//
//  1. A helper claims a block as threads of one rank do, by the owner's counter. It waits for
//     owners that have not come to the level yet, as it would at the end of the level.
//  2. It looks at heads and tails, records results in the owner's arrays, and notes in a bitmap
//     the rows that heads and tails do not decide: rows are not shared.
//  3. The owner waits for the blocks that helpers have claimed, which takes at most as long
//     as one of them, and scans those rows.
//
// No rank comes to the next level before all helpers have ended this one. Trees are shared too: a
// rank that searches into another tree than its first has its blocks for itself.
//
// Rejected: parents in other memory, which the owner copies to its tree, and found vertices that it
// counts. That took the owner as long as the block itself, and the owner is the slowest.

// helping is one rank's side of it.
type helping struct {
	tree   []uint32   // of this rank's vertices; nil where all ranks fill one tree
	given  bool       // a caller has the tree
	own    []helpable // this rank's workers
	others []helpable // the workers of the other ranks of this host
	open   [][]uint32 // of each worker: room for the rows of a block
}

// A helpable is what the ranks of a host share of a worker.
type helpable struct {
	first    int64 // its first word of the bitmaps of all vertices
	vertices rank.Span
	taken    *claims
	rows     bottomup.Rows
	visited  bitset.Set
	samples  bottomup.Samples
	// finished has, for each block, the level in which it was last finished, and how.
	finished []atomic.Uint32
	parents  []uint32   // in the tree
	open     bitset.Set // rows that helpers leave to be scanned
}

// How a block was finished: by the threads of its own rank, or by threads of another rank, which may
// leave rows to be scanned.
const (
	byOwner = iota
	byHelper
	butForRows
	finishes
)

// canHelp tells whether ranks help each other: several ranks of a host that have the
// frontier in common, and a core for each of their threads. Where they share cores, an owner
// would wait for helpers that are not running.
func (m *machine[L]) canHelp(o Options) bool {
	return o.Gather == "" && m.Hosts.Most > 1 && !m.Modelled && (m.OwnCores || o.helping)
}

// share moves what helpers need to memory that the ranks of this host share.
func (h *headsAndTails) share() error {
	mine, threads := h.Hosts.Mine, len(h.workers)
	tails := make([]uint64, mine.Size()*threads)
	for t := range h.workers {
		tails[h.Hosts.Local*threads+t] = uint64(h.rows[t].Layout(0, 0).Tails)
	}
	if err := rank.Reduced(mine, rank.Sum, tails); err != nil {
		return err
	}
	var cut arena.Cut
	_, _ = h.layOut(&cut, tails)
	memory, err := h.ShareIn(h.Hosts.Leader, mine, cut.Used)
	if err != nil {
		return err
	}
	all, tree := h.layOut(&arena.Cut{Memory: memory}, tails)
	at := h.Hosts.Local * threads
	x := &helping{own: all[at:][:threads:threads], tree: tree}
	x.others = append(append(x.others, all[at+threads:]...), all[:at]...)
	h.Team.Run(func(t int) {
		w, s := &h.workers[t], &x.own[t]
		h.rows[t].MoveTo(&s.rows, &h.Memory)
		copy(s.samples, w.samples)
		arena.Free(&h.Memory, w.samples)
		arena.Free(&h.Memory, w.visited)
		w.samples, w.visited, w.taken = s.samples, s.visited, s.taken
	})
	for range h.workers {
		x.open = append(x.open, make([]uint32, 0, 64*bottomup.BlockWords))
	}
	h.helping = x
	return mine.Barrier()
}

// layOut lays out what is shared of all workers of this host, whose tails have so many
// entries, and the tree of this rank.
func (h *headsAndTails) layOut(cut *arena.Cut, tails []uint64) (all []helpable, tree []uint32) {
	for r := range h.Comm.Size() {
		if h.Comm.Host(r) != h.Comm.Host(h.Comm.Rank()) {
			continue
		}
		var parents []uint32
		first, end := h.Parts.Rank(r)
		if !h.InProcess {
			parents = arena.Next[uint32](cut, int64(end-first))
		}
		if r == h.Comm.Rank() {
			tree = parents
		}
		for w := r * h.Parts.Threads; w < (r+1)*h.Parts.Threads; w++ {
			count := int64(h.Parts.Count(w))
			words := int64(bitset.Words(count))
			s := helpable{first: int64(bitset.Words(int64(h.Parts.Cuts[w]))), vertices: rank.Span{Lo: int64(h.Parts.Cuts[w]), Hi: int64(h.Parts.Cuts[w+1])}}
			if taken := arena.Next[claims](cut, 1); taken != nil {
				s.taken = &taken[0]
			}
			s.finished = arena.Next[atomic.Uint32](cut, (words+bottomup.BlockWords-1)/bottomup.BlockWords)
			s.visited, s.open = arena.Next[uint64](cut, words), arena.Next[uint64](cut, words)
			s.samples = arena.Next[uint32](cut, bottomup.SamplesLength(words))
			if parents != nil {
				s.parents = parents[h.Parts.Cuts[w]-first:][:count]
			}
			s.rows = bottomup.RowsIn(cut, bottomup.Layout{Count: count, Labels: int64(h.N), Tails: int64(tails[len(all)])})
			all = append(all, s)
		}
	}
	return all, tree
}

// tree implements lookup: helpers reach one tree of each rank.
func (h *headsAndTails) tree(count hops.Vertex) []uint32 {
	x := h.helping
	if x == nil || x.given || count != hops.Vertex(len(x.tree)) {
		return nil
	}
	x.given = true
	return x.tree
}

// start implements lookup. The ranks of one process fill one tree, which all of them reach.
func (h *headsAndTails) start(t *hops.Tree) {
	x := h.helping
	if x == nil {
		return
	}
	if h.InProcess {
		for _, side := range [][]helpable{x.own, x.others} {
			for i := range side {
				s := &side[i]
				s.parents = t.Narrow[s.vertices.Lo-int64(t.First) : s.vertices.Hi-int64(t.First)]
			}
		}
	}
	for i := range x.own {
		mine, shared := h.workers[i].parents.narrow, x.own[i].parents
		x.own[i].taken.alone.Store(len(mine) == 0 || len(shared) == 0 || &mine[0] != &shared[0])
	}
}

// finish notes that the block which begins with a word of a worker was finished.
func (h *headsAndTails) finish(s *helpable, word int64, by uint32) {
	s.finished[word/bottomup.BlockWords].Store(h.gatherings*finishes + by)
}

// help implements lookup.
func (h *headsAndTails) help(me *worker[uint32]) {
	x := h.helping
	if x == nil {
		return
	}
	backoff := h.Backoff()
	for {
		s, begun := x.busiest(h.gatherings)
		if s == nil && begun {
			break
		}
		if s == nil {
			if err := h.Comm.Err(); err != nil {
				h.fail(err)
				return
			}
			backoff.Wait()
			continue
		}
		if lo, words := s.taken.block(), int64(len(s.visited)); lo < words {
			h.helpWith(me, s, lo, min(lo+bottomup.BlockWords, words))
		}
	}
	h.collect(me)
}

// busiest is the worker of another rank with the most words left in a level, nil if none has
// more than a block, which its own rank is about to take. It also tells whether all of them
// have begun the level.
func (x *helping) busiest(level uint32) (of *helpable, begun bool) {
	most := int64(bottomup.BlockWords)
	begun = true
	for i := range x.others {
		s := &x.others[i]
		left, here := s.taken.left(level, int64(len(s.visited)))
		begun = begun && here
		if here && left > most && !s.taken.alone.Load() {
			of, most = s, left
		}
	}
	return of, begun
}

// helpWith looks for parents of the vertices in some words of another rank's worker.
func (h *headsAndTails) helpWith(me *worker[uint32], s *helpable, lo, hi int64) {
	look := bottomup.Level{
		Rows: &s.rows, Kernels: h.kernels, Front: h.frontier.in,
		Next: h.frontier.out[s.first:][:len(s.visited)], Parents: s.parents,
	}
	examined, open := look.Begin(lo, hi, s.visited[lo:hi], &h.misses[me.thread])
	me.tally.counts[sumExamined] += examined
	me.bookBlock(s.samples, s.visited, look.Next, lo, hi)
	if len(open) == 0 {
		h.finish(s, lo, byHelper)
		return
	}
	s.open[lo:hi].Clear()
	for _, v := range open {
		s.open.Add(uint64(v))
	}
	h.finish(s, lo, butForRows)
}

// collect completes the blocks of a worker that helpers have claimed.
func (h *headsAndTails) collect(w *worker[uint32]) {
	x := h.helping
	s := &x.own[w.thread]
	for b := range s.finished {
		lo := int64(b) * bottomup.BlockWords
		hi := min(lo+bottomup.BlockWords, w.words())
		how, err := h.awaitBlock(&s.finished[b])
		if err != nil {
			h.fail(err)
			return
		}
		if how == butForRows {
			h.scanLeft(w, s, lo, hi)
		}
	}
}

// awaitBlock waits until a block is finished in this level, and tells how.
func (h *headsAndTails) awaitBlock(finished *atomic.Uint32) (how uint32, err error) {
	if how = finished.Load() - h.gatherings*finishes; how < finishes {
		return how, nil
	}
	err = h.Backoff().Await(func() (bool, error) {
		how = finished.Load() - h.gatherings*finishes
		return how < finishes, h.Comm.Err()
	})
	return how, err
}

// scanLeft scans the rows that a helper has left in some words of a worker.
func (h *headsAndTails) scanLeft(w *worker[uint32], s *helpable, lo, hi int64) {
	next, open := h.frontier.outWords[w.thread], h.helping.open[w.thread][:0]
	for i := lo; i < hi; i++ {
		for left := s.open[i]; left != 0; left &= left - 1 {
			open = append(open, uint32(i)<<6+uint32(bits.TrailingZeros64(left)))
		}
	}
	look := h.look(w, next)
	w.tally.counts[sumExamined] += look.Scan(open)
	w.bookBlock(w.samples, w.visited, next, lo, hi)
}
