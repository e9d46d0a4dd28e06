// Package handover is the contract by which a search moves, between two levels, from
// one machine to another that holds the same graph in its own memory.
//
// A machine hands over what the receiver does not know yet, in the smaller of two
// forms:
//
//   - a list of the vertices that were found since the receiver last had the
//     search, in the order of their levels, each with its parent. The frontier is
//     the end of the list. This form is for the small levels at the start of a
//     search and along a path;
//   - the bitmap of all visited vertices, and the frontier as far as the next step
//     has a use for it: top-down wants a list, and bottom-up nothing more where a
//     machine looks for visited neighbours.
//
// Parents found in large numbers stay where they were found. When the search is
// over, the device that is not the host brings its own into the tree, once.
// Machines that share memory with the host lend it their arrays: both then work
// on the same bitmap and the same tree, and nothing but the list of a small
// frontier is ever copied.
package handover

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A Portable machine can give a search away and take one over.
type Portable interface {
	level.Machine
	// Bind names the tree of the searches that follow.
	Bind(t *hops.Tree) error
	// Give returns the search as it stands, for the step that is next to run on
	// another machine. It is valid until the next call of any method.
	Give(next level.Step) (*State, error)
	// Moves is the number of bytes that Give would have to move now, for a step of
	// another machine. Bytes of the tree are not among them.
	Moves() int64
	// Take continues a search that another machine gave, and adds the bytes that
	// crossed a bus to h.Bytes.
	Take(h *State, next level.Step) error
}

// A Host is the Portable machine that the program itself runs on.
type Host interface {
	Portable
	// Share makes it search on the memory that a device shares with it.
	Share(m SharedMemory)
	// Watch makes a step that runs several levels end at fronts that are not small
	// and for which ask is true. With a nil function the host expects that searches
	// stay here, and keeps nothing for the sake of a handover.
	Watch(ask func(level.Front) bool)
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
	// Finish completes the tree with the parents that this machine has found. The
	// search as it ended elsewhere is h, or nil if it ended here.
	Finish(h *State) (bytes int64, err error)
	// Shared is the memory that the machine shares with the host, all nil where
	// their memories are apart.
	Shared() SharedMemory
	// Solo is a whole search, tree included, by a device that needs no host between
	// levels. If the front that it returns has vertices, the search is not over: the
	// policy should look at it. The levels are valid until the next search.
	Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) ([]hops.Level, level.Front, error)
}

// A Sharer is a host that can divide a bottom-up level with a partner.
type Sharer interface {
	Host
	// RunFrom looks for the unvisited vertices from first on, a multiple of 64, while
	// partner looks for the others, in memory of its own. The search is then here, with
	// what partner found; the parents of that stay with it.
	RunFrom(first hops.Vertex, partner func() (visited []uint64, done level.Outcome, err error)) (level.Front, level.Outcome, error)
}

// A Partner is a device that can take a part of a bottom-up level.
type Partner interface {
	Device
	// RunBelow looks for the unvisited vertices below end, a multiple of 64, of a search
	// that it was given. It returns the bitmap of the visited vertices below end, which is
	// valid until the next call of any method.
	RunBelow(end hops.Vertex) (visited []uint64, done level.Outcome, err error)
}

// SharedMemory is memory of a device in which the host may search too. Each Bind of a
// tree may change it.
type SharedMemory struct {
	Visited []uint64
	Parents bool // the tree that was bound is the device's own array of parents
}

// A State is a search between two levels on its way to another machine, in the
// memory of the host.
type State struct {
	Root  hops.Vertex
	Front level.Front

	// Fresh says that no level has been run yet: the receiver seeds itself.
	Fresh bool
	// Found and Parents are the list form, where they are not nil.
	Found, Parents []uint32
	// Visited is the bitmap form, isolated vertices included. It is there if there is
	// no list, and if both machines work on the same bitmap.
	Visited []uint64
	// Queue is the frontier of the bitmap form, or nil if Before is the bitmap as it
	// was before the last level. Both are nil if the next step needs neither.
	Queue  []uint32
	Before []uint64

	Bytes int64 // that crossed a bus
}
