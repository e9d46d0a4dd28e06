package level

import (
	"context"
	"math"

	"github.com/gohops/hops"
)

// A search can move between machines that hold the same graph, each in its own
// memory, between two levels. What is moved is what the receiver does not know
// yet, in the smaller of two forms:
//
//   - a list of the vertices that were found since the receiver last had the
//     search, in the order of their levels, each with its parent. The frontier is
//     the end of the list. It is for the small levels at the start of a search
//     and along a path;
//   - the bitmap of everything visited, and the frontier as far as the next step
//     has a use for it: top-down wants a list, and bottom-up nothing more where a
//     machine looks for visited neighbours.
//
// Parents found in large numbers stay where they were found. When the search is
// over, the device that is not the host brings its own into the tree, once.
// Machines that share memory with the host lend it their arrays: both then work
// on the same bitmap and the same tree, and nothing but the list of a small
// frontier is ever copied.

// A Portable machine can give a search away and take one over.
type Portable interface {
	Machine
	// Bind names the tree of the searches that follow.
	Bind(t *hops.Tree) error
	// Give returns the search as it stands, for the step that is next to run on
	// another machine. It is valid until the next call of any method.
	Give(next Step) (*Handover, error)
	// Take goes on with a search that another machine gave, and adds the bytes
	// that crossed a bus to it.
	Take(h *Handover, next Step) error
}

// A Host is the Portable machine that the program itself runs on.
type Host interface {
	Portable
	// Borrow makes it search on the memory that a device shares with it.
	Borrow(l Lent)
	// Watch makes a step that runs several levels end at fronts that are not small
	// and for which ask is true. Without one the searches that follow are expected
	// to stay here: nothing is kept for the sake of a move.
	Watch(ask func(Front) bool)
	// Solo is a whole search as if there were no other machine.
	Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
	// Isolated tells whether a vertex has no edge.
	Isolated(v hops.Vertex) bool
}

// A Device is a Portable machine that is not the host.
type Device interface {
	Portable
	// NewTree returns an empty tree in memory that the machine fills fastest.
	NewTree() (*hops.Tree, error)
	// Settle completes the tree with what this machine has found. The search as
	// it ended elsewhere is h, or nil if it ended here.
	Settle(h *Handover) (bytes int64, err error)
	// Lent is the memory that the machine shares with the host, all nil where
	// the two are apart. The host searches on these arrays from then on.
	Lent() Lent
	// Solo is a whole search by a device that drives itself in memory of its own,
	// with the tree. Where the front that it returns has vertices, it is not over,
	// and the host should have a look. The levels are valid until the next search.
	Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) ([]hops.Level, Front, error)
}

// Lent is memory of a device that the host may use as its own, to be asked for
// anew whenever a tree was bound.
type Lent struct {
	Visited []uint64
	Parents bool // the tree that was bound is the device's own array of parents
}

// A Handover is a search between two levels on its way to another machine, in the
// memory of the host.
type Handover struct {
	Root  hops.Vertex
	Front Front

	// Fresh: no level has been run yet. The receiver seeds itself.
	Fresh bool
	// Found and Parents are the list, where this is not nil.
	Found, Parents []uint32
	// Visited is the bitmap, isolated vertices included: where there is no list,
	// and where both sides work on the same one.
	// Queue is the frontier, or nil if Before is the bitmap as it was before the
	// last level. Both are nil if the next step needs neither.
	Visited, Before []uint64
	Queue           []uint32

	Bytes int64 // that crossed a bus
}

// SmallFront is how many vertices and row entries a frontier has at most that is
// best left to the host: about a microsecond's work, less than any other step or
// device takes to start.
const SmallFront = 64

// Small tells whether the frontier is.
func (f *Front) Small() bool { return f.Vertices+f.Edges <= SmallFront }

// Expect estimates the row entries that each direction would examine, for a
// machine that cannot try a sample of rows. If ends of edges met at random, an
// entry of an unvisited vertex would lead to the frontier with the probability p
// of the frontier's share of the edges, and a row of average length d would be
// looked at for (1-(1-p)^d)/p entries.
func Expect(f Front) (work [Directions]int64) {
	open, edges, rest := float64(f.Unvisited), float64(f.Edges), float64(f.Remaining)
	work[TopDown] = f.Edges
	if open > 0 && edges > 0 {
		p := edges / (edges + rest)
		looked := (1 - math.Pow(1-p, max(1, rest/open))) / p
		work[BottomUp] = int64(min(rest, open*looked))
	}
	work[Split] = work[BottomUp]
	return work
}
