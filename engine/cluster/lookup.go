package cluster

import (
	"errors"
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/par"
)

// A lookup finds parents in the gathered frontier.
type lookup[L label] interface {
	// prepare makes use of a frontier that was gathered.
	prepare() error
	// block looks for parents of the unvisited vertices of worker w in the words
	// from lo up to hi, all of one block, and writes these words of next. It returns
	// the number of entries that it has looked at.
	block(me, w *worker[L], next bitset.Set, lo, hi int64) (examined int64)
	// list does the same for the vertices that a worker has left, marks those that
	// find a parent as visited, and returns the others and these.
	list(w *worker[L], next bitset.Set) (left, found []uint32, examined int64)
	// help looks for parents of vertices of other ranks, and completes what others have
	// done for a worker (help.go). It is called when all blocks of its rank are claimed.
	help(me *worker[L])
	// tree is memory for a tree of so many vertices that others can fill, or nil.
	tree(count hops.Vertex) []uint32
	// start prepares for filling a tree.
	start(t *hops.Tree)
}

// newLookup makes a lookup: with a summary if that has a size, of heads and tails where
// labels are narrow, and of the rows alone where they are wide.
func newLookup[L label](m *machine[L], o Options) (lookup[L], error) {
	if narrow, ok := any(m).(*machine[uint32]); ok && o.Summary == 0 {
		l, err := newHeadsAndTails(narrow)
		if err == nil && narrow.canHelp(o) {
			err = l.share()
		}
		if err != nil {
			return nil, err
		}
		return any(l).(lookup[L]), nil
	}
	return newRowLookup(m, o.Summary)
}

// headsAndTails is the lookup of internal/base/bottomup.
type headsAndTails struct {
	*machine[uint32]
	rows    []bottomup.Rows // of each worker
	misses  []bottomup.Misses
	helping *helping // nil: ranks do not help each other
}

func newHeadsAndTails(m *machine[uint32]) (*headsAndTails, error) {
	h := &headsAndTails{machine: m, rows: make([]bottomup.Rows, len(m.workers)), misses: make([]bottomup.Misses, len(m.workers))}
	errs := make([]error, len(m.workers))
	m.Team.Run(func(t int) {
		w := &m.workers[t]
		h.misses[t] = bottomup.NewMisses()
		h.rows[t], errs[t] = bottomup.NewRows(int64(w.count), int64(m.N), w.in.row, &m.Memory)
	})
	return h, errors.Join(errs...)
}

func (*headsAndTails) prepare() error { return nil }

func (h *headsAndTails) block(me, w *worker[uint32], next bitset.Set, lo, hi int64) (examined int64) {
	look := h.look(w, next)
	examined = look.Block(lo, hi, w.visited[lo:hi], &h.misses[me.thread])
	if h.helping != nil {
		h.finish(&h.helping.own[w.thread], lo, byOwner)
	}
	return examined
}

func (h *headsAndTails) list(w *worker[uint32], next bitset.Set) (left, found []uint32, examined int64) {
	look := h.look(w, next)
	return look.List(w.left, w.visited)
}

// look is a bottom-up level on the rows of a worker.
func (h *headsAndTails) look(w *worker[uint32], next bitset.Set) bottomup.Level {
	return bottomup.Level{Rows: &h.rows[w.thread], Kernels: h.kernels, Front: h.frontier.in, Next: next, Parents: w.parents.narrow}
}

// A rowLookup looks at the rows from their first entries on.
//
// With a summary it looks at one bit for every so many vertices before the frontier: the
// summary stays in a nearer cache, and where its bit is not set the frontier need not be
// looked at. Cui et al. found 256 vertices a bit the best. The vector kernels of heads and
// tails look at 16 vertices at a time and gain nothing by it, so that it is off by default.
type rowLookup[L label] struct {
	*machine[L]
	summary bitset.Set // that ranks have in common if they have the frontier in common; nil: none
	shift   uint       // log₂ of the vertices of a bit
}

func newRowLookup[L label](m *machine[L], summary int) (*rowLookup[L], error) {
	s := &rowLookup[L]{machine: m}
	if summary == 0 {
		return s, nil
	}
	s.shift = uint(bits.TrailingZeros(uint(summary)))
	var err error
	s.summary, err = m.frontier.gatherer.Bitmap(bitset.Words(int64(m.N)>>s.shift + 1))
	return s, err
}

// prepare makes the summary of the gathered frontier, each rank its share of one that
// they have in common.
func (s *rowLookup[L]) prepare() error {
	if s.summary == nil {
		return nil
	}
	group, in := s.frontier.gatherer.Group(), s.frontier.in
	lo, hi := int64(0), int64(len(s.summary))
	if group != nil {
		lo, hi = par.Split(hi, 1, group.Rank(), group.Size())
	}
	s.summary[lo:hi].Clear()
	first, end := min(lo<<s.shift, int64(len(in))), min(hi<<s.shift, int64(len(in)))
	for i, word := range in[first:end] {
		if word != 0 {
			s.summary.Add(uint64(first+int64(i)) << 6 >> s.shift)
		}
	}
	if group == nil {
		return nil
	}
	return group.Barrier()
}

func (s *rowLookup[L]) block(_, w *worker[L], next bitset.Set, lo, hi int64) (examined int64) {
	for i := lo; i < hi; i++ {
		next[i] = 0
		for open := ^w.visited[i]; open != 0; open &= open - 1 {
			examined += s.row(w, next, uint32(i)<<6+uint32(bits.TrailingZeros64(open)))
		}
	}
	return examined
}

// row looks for a parent of vertex v of a worker.
func (s *rowLookup[L]) row(w *worker[L], next bitset.Set, v uint32) (examined int64) {
	for _, u := range w.in.row(v) {
		examined++
		if (s.summary == nil || s.summary.Has(uint64(u)>>s.shift)) && s.frontier.in.Has(uint64(u)) {
			w.parents.set(v, u)
			next.Add(uint64(v))
			break
		}
	}
	return examined
}

func (*rowLookup[L]) help(*worker[L]) {}

func (*rowLookup[L]) tree(hops.Vertex) []uint32 { return nil }

func (*rowLookup[L]) start(*hops.Tree) {}

func (s *rowLookup[L]) list(w *worker[L], next bitset.Set) (left, found []uint32, examined int64) {
	end := len(w.left)
	for i := 0; i < end; {
		v := w.left[i]
		if !w.visited.Has(uint64(v)) {
			examined += s.row(w, next, v)
		}
		if !next.Has(uint64(v)) {
			i++
			continue
		}
		w.visited.Add(uint64(v))
		end--
		w.left[i], w.left[end] = w.left[end], v
	}
	return w.left[:end], w.left[end:], examined
}
