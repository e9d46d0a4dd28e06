package adaptive

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A Portable machine can give a search away between two levels, and take one over. Parents found in
// large numbers stay where they were found: when the search is over, the device brings its own
// into the tree, once. Machines that share memory with the host lend it their arrays: both then work
// on the same bitmap and the same tree, and nothing but the list of a small frontier is ever copied.
type Portable interface {
	level.Machine
	// Bind names the tree of the searches that follow.
	Bind(t *hops.Tree) error
	// Give returns the search as it stands, for the step that is next to run on
	// another machine. It is valid until the next call of any method.
	Give(next level.Step) (*level.State, error)
	// Moves is the number of bytes that Give would have to move now, for a step of
	// another machine. Bytes of the tree are not among them.
	Moves() int64
	// Take continues a search that another machine gave, and adds the bytes that
	// crossed a bus to h.Bytes.
	Take(h *level.State, next level.Step) error
}

// A Host is the Portable machine that the program itself runs on.
type Host interface {
	Portable
	// Share makes it search on the memory that a device shares with it.
	Share(m level.SharedMemory)
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
	Finish(h *level.State) (bytes int64, err error)
	// Shared is the memory that the machine shares with the host, all nil where
	// their memories are apart.
	Shared() level.SharedMemory
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
