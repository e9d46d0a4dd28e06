// Package distributed is the frame of an engine that runs on ranks: processes
// joined by MPI, or goroutines of one process.
//
// A Rank is one rank's side of an engine. A Searcher runs all ranks inside one
// process, so that a distributed engine is studied and tested on one host. The
// engine's Machine runs the levels of a rank.
package distributed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/base/turn"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// An Engine is what the frame must know of an engine.
type Engine struct {
	Name    string
	Invalid error // what is wrong with its options
	Threads int   // of each rank; 0 divides the CPUs of this process among the ranks
	// MaxThreads is the number of threads up to which a rank of the engine works.
	MaxThreads int
	// Place is how ranks and their memory are placed on the NUMA nodes of a host: one of
	// placement.Known.
	Place string
	Nodes []topo.Node // of this host; nil: those that this process may use
	// NarrowLimit is the number of vertices up to which labels take 32 bits; 0 is that
	// of hops.
	NarrowLimit hops.Vertex
	// Build is kernel 1 on one rank. It sets the member's Parts, and has closed its
	// machine if it fails.
	Build func(ctx context.Context, m *Member, src hops.Source) (Machine, level.Policy, error)

	inProcess bool
}

// A Machine runs levels on one rank.
type Machine interface {
	level.Machine
	// Start prepares for filling a tree. A Keeper leaves the tree where it is if t is nil.
	Start(ctx context.Context, t *hops.Tree)
	// Finish completes the tree after the last level.
	Finish() error
	Close()
}

// A TreePlacer is a Machine whose searches fill some memory fastest.
type TreePlacer interface {
	// TreeMemory is such memory for so many parents of 32 bits, or nil if any will do. It lives
	// until the machine is closed.
	TreeMemory(count hops.Vertex) []uint32
}

// An OnDevice is a Machine that may search on a device. Its times end when the tree is
// complete in the memory of devices.
type OnDevice interface {
	Machine
	TreePlacer
	// DeviceName describes the device and the ways to others. It is empty if the host
	// searches.
	DeviceName() string
	// Complete is when the last tree was complete, and what all devices moved for it after
	// the last level: bytes through the bus, and bytes from device to device.
	Complete() (at time.Time, bus, direct int64, err error)
}

// DeviceName describes the device that this rank searches on, if it is not the host.
func (r *Rank) DeviceName() string {
	if d, ok := r.Machine.(OnDevice); ok {
		return d.DeviceName()
	}
	return ""
}

// A Rank is one rank's side of an engine: its share of the graph and the state of a
// search.
type Rank struct {
	*Member
	Machine Machine
	Policy  level.Policy
	levels  []hops.Level
	depth   int32     // hops from the root after which searches end
	turn    turn.Turn // of a search, or of Close
}

// A Side is what engines show of a rank.Comm to other modules.
type Side interface {
	Rank() int
	Size() int
}

// Join is kernel 1 of one rank. All ranks of side, which must be a rank.Comm, call it, with the
// same source and engine. It returns when the graph is built, or with the reason why some rank
// failed. The Comm remains the caller's.
func Join(ctx context.Context, side Side, src hops.Source, e Engine) (*Rank, error) {
	comm, ok := side.(rank.Comm)
	if !ok {
		return nil, spec.Refuse(fmt.Errorf("%s: a %T does not connect ranks", e.Name, side))
	}
	r, err := join(ctx, comm, src, e)
	if err != nil {
		comm.Abort(err)
		return nil, err
	}
	return r, nil
}

func join(ctx context.Context, comm rank.Comm, src hops.Source, e Engine) (*Rank, error) {
	m, err := newMember(comm, src, e)
	if err != nil {
		return nil, err
	}
	defer m.enter()()
	machine, policy, err := e.Build(ctx, m, src)
	if err != nil {
		_ = m.close()
		return nil, err
	}
	return &Rank{Member: m, Machine: machine, Policy: policy, depth: math.MaxInt32}, nil
}

// LimitDepth ends the searches that follow after so many hops from the root; 0 means no
// limit. All ranks have the same limit.
func (r *Rank) LimitDepth(hops int) {
	r.depth = math.MaxInt32
	if hops > 0 {
		r.depth = int32(min(hops, math.MaxInt32))
	}
}

// NewTree returns an empty tree for the vertices of this rank.
func (r *Rank) NewTree() (*hops.Tree, error) {
	first, end := r.Parts.Rank(r.Comm.Rank())
	return r.emptyTree(hops.Vertex(first), hops.Vertex(end-first)), nil
}

// emptyTree is newTree in the memory that searches fill fastest.
func (r *Rank) emptyTree(first, count hops.Vertex) *hops.Tree {
	d, ok := r.Machine.(TreePlacer)
	if !ok || r.Wide {
		return r.newTree(first, count)
	}
	room := d.TreeMemory(count)
	if room == nil {
		return r.newTree(first, count)
	}
	t := &hops.Tree{First: first, Narrow: room}
	t.Reset()
	return t
}

// Clear empties a tree as its Reset does, with the threads that will fill it. They are
// still awake when a search follows.
func (r *Rank) Clear(t *hops.Tree) {
	if r.turn.Begin(r.Engine) != nil {
		t.Reset()
		return
	}
	defer r.turn.End()
	defer r.enter()()
	t.Root = hops.NoVertex
	r.Team.Run(func(thread int) {
		share := hops.Tree{Narrow: shareOf(t.Narrow, thread, r.Team.Size()), Wide: shareOf(t.Wide, thread, r.Team.Size())}
		share.Reset()
	})
	if r.OwnCores {
		r.Team.Gather()
	}
}

// shareOf is one of so many shares of a slice of parents, which have no cache line in common.
func shareOf[E any](of []E, i, shares int) []E {
	lo, hi := par.Split(int64(len(of)), 16, i, shares)
	return of[lo:hi]
}

// Search is kernel 2 of one rank. All ranks call it with the same root and a tree
// that covers at least their own vertices, which are all it fills.
func (r *Rank) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if err := r.turn.Begin(r.Engine); err != nil {
		return hops.Trace{}, err
	}
	defer r.turn.End()
	if t == nil {
		return hops.Trace{}, fmt.Errorf("%s: the tree is nil", r.Engine)
	}
	defer r.enter()()
	trace, err := r.search(ctx, root, t)
	if err != nil && !errors.Is(err, errAgreed) {
		r.Comm.Abort(err)
	}
	return trace, err
}

// fits says why a tree has no room for the vertices of this rank.
func (r *Rank) fits(t *hops.Tree) error {
	first, end := r.Parts.Rank(r.Comm.Rank())
	if t.First > hops.Vertex(first) || t.First+hops.Vertex(t.Len()) < hops.Vertex(end) || r.Wide != (t.Wide != nil) {
		return Agreed(fmt.Errorf("%s: the tree has no room for vertices %d to %d of rank %d, with labels of their width", r.Engine, first, end, r.Comm.Rank()))
	}
	return nil
}

// search searches into a tree, or leaves it on devices where t is nil.
func (r *Rank) search(ctx context.Context, root hops.Vertex, t *hops.Tree) (trace hops.Trace, err error) {
	if root >= r.N {
		return trace, Agreed(fmt.Errorf("%s: root %d: the graph has %d vertices", r.Engine, root, r.N))
	}
	if t != nil {
		if err := r.fits(t); err != nil {
			return trace, err
		}
		t.Root = root
	}
	r.start(ctx, t)
	trace.Levels = r.levels[:0]
	start := r.Now()
	err = level.SearchTo(context.Background(), r.Machine, r.Policy, root, r.depth, &trace)
	if err == nil {
		err = r.Machine.Finish()
	}
	done := r.Now()
	if r.Modelled {
		trace.Clock = hops.Model
	}
	if d, ok := r.Machine.(OnDevice); ok && d.DeviceName() != "" && err == nil {
		trace.Clock = hops.Device
		var bus, direct int64
		if done, bus, direct, err = d.Complete(); err == nil {
			addMoved(&trace, bus, direct)
		}
	}
	if err == nil {
		err = r.CompleteLevels(trace.Levels)
	}
	if last := len(trace.Levels) - 1; trace.Clock != hops.Wall && last >= 0 {
		trace.Levels[last].Time += done.Sub(start) - trace.Time() // seeding and completing the tree
	}
	r.levels = trace.Levels
	return trace, err
}

// start prepares for filling a tree.
func (r *Rank) start(ctx context.Context, t *hops.Tree) {
	r.Forget()
	r.Machine.Start(ctx, t)
}

// addMoved adds what devices moved after the last level to that level.
func addMoved(trace *hops.Trace, bus, direct int64) {
	if last := len(trace.Levels) - 1; last >= 0 {
		trace.Levels[last].Exchange.BusBytes += bus
		trace.Levels[last].Exchange.DeviceBytes += direct
	}
}

// Memory returns the bytes of this rank's share of the graph, with those that
// searches need beside it, and the most that were in use while it was built.
func (r *Rank) Memory() (finished, peak int64) { return r.Bytes() }

// Close waits for a search that is going on, ends the threads and releases the memory.
func (r *Rank) Close() error {
	return r.turn.Close(func() error {
		r.Machine.Close()
		return r.Member.close()
	})
}

// NextFront is the front after a level that has found some vertices with about that
// many row entries, in a graph with so many entries. Large levels count a sample, which
// may say more than there are, and leave too many entries for the unvisited vertices. In
// the last levels the rows that are found get shorter: rows of the frontier bound the
// others.
func NextFront(before level.Front, vertices, edges, entries int64) level.Front {
	f := level.Front{Size: before.Size, Vertices: vertices, Edges: min(edges, entries), Unvisited: before.Unvisited - vertices}
	f.Remaining = before.Remaining - f.Edges
	if f.Vertices > f.Unvisited {
		f.Remaining = min(f.Remaining, f.Unvisited*(f.Edges/f.Vertices+1))
	}
	f.Remaining = max(f.Remaining, f.Unvisited)
	return f
}
