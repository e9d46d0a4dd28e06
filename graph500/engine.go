package graph500

import (
	"context"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// An Engine is a way to build and search a graph. Engines satisfy this without
// importing it: see the table in cmd/hops.
type Engine struct {
	// Name with all options that are not at their default: "cpu:threads=2".
	Name string
	// Need is how many bytes of memory Build takes at its peak for a graph of n
	// vertices and m edges. nil: unknown.
	Need func(n hops.Vertex, m int64) int64
	// NeedFinished is how many of these are left for searches when the graph is built, before
	// there is a tree. nil: as many.
	NeedFinished func(n hops.Vertex, m int64) int64
	// Lean is the same engine with less memory and slower searches, for graphs that do
	// not fit otherwise. nil: there is none.
	Lean *Engine
	// Ready says why Build would refuse a graph of n vertices and m edges, before there
	// is one. nil: only Build knows.
	Ready func(n hops.Vertex, m int64, directed bool) error
	// Build is kernel 1.
	Build func(ctx context.Context, src hops.Source) (Searcher, error)
	// Weighted is kernel 1 for graphs with weights, which kernel 3 needs. nil: the
	// engine has no kernel 3.
	Weighted *WeightedEngine
	// Passes is how often Build reads the whole source, at most, for the sake of a
	// progress bar. 0: that is not known, and nobody counts; the source is then
	// handed over as it is, with whatever more it can do.
	Passes int
	// Generates tells that Build takes the generator of a graph rather than the list of
	// its edges: it generates the edges where it needs them.
	Generates bool
	// TreeOnDevice leaves trees in the memory of a device: the clock of a search stops
	// when they are complete there. The Searcher is then OnDevice.
	TreeOnDevice bool
	// Ranks joins this process to others that run the same benchmark with the same
	// engine. A Searcher is then a TreeMaker, whose trees cover the vertices of this
	// rank. nil: there are no others.
	Ranks Ranks
	// Threads is how many this process should use for what is not the engine's. 0:
	// one for every CPU that it may run on.
	Threads int
	// Policy is how the engine picks its steps, in words for people. Empty: there
	// is nothing to say.
	Policy string
}

// Ranks is what the benchmark needs of the processes that run it together. All of
// them call the same methods in the same order.
type Ranks interface {
	check.Ranks
	// Barrier returns when all ranks have called it.
	Barrier() error
	// Abort makes the methods of all other ranks fail, for the given reason.
	Abort(cause error)
}

// A Searcher is a graph ready to be searched. The interfaces below name what a
// Searcher may offer beside it. A Searcher has any number of these abilities: none
// implies another. Engines do not import this package; their tests assert at compile
// time which abilities they have. One more ability, to time every step on every
// level, is learn.Explorer.
type Searcher interface {
	// Search is kernel 2: it fills an empty tree. It stops early, with an error,
	// when ctx is done.
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
	Close() error
}

// A WeightedEngine builds graphs with weights.
type WeightedEngine struct {
	// Need and Build are like those of an Engine.
	Need  func(n hops.Vertex, m int64) int64
	Build func(ctx context.Context, src hops.WeightedSource) (PathSearcher, error)
	// Wide builds graphs for distances of 64 bits, as questions about files have them, and
	// for nothing else. The benchmark does not call it.
	Wide func(ctx context.Context, src hops.WeightedSource) (WideSearcher, error)
}

// A WideSearcher finds shortest paths with distances of 64 bits. On several ranks it is a
// PathMaker, and fills the part of a result that belongs to its rank.
type WideSearcher interface {
	Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error)
	Close() error
}

// A PathSearcher also finds shortest paths by weight.
type PathSearcher interface {
	Searcher
	// SearchPaths is kernel 3: it fills an empty result, whose distances have 32 bits.
	SearchPaths(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error)
}

// A TreeMaker allocates trees in the memory that its searches fill fastest. On
// several ranks a tree covers the vertices of this rank, and every Searcher must be a
// TreeMaker.
type TreeMaker interface {
	// NewTree returns an empty tree, which lives until the Searcher is closed.
	NewTree() (*hops.Tree, error)
}

// A PathMaker is a PathSearcher that allocates results. On several ranks a result covers
// the vertices of this rank, and every PathSearcher must be a PathMaker.
type PathMaker interface {
	// NewPaths returns an empty result with distances of 32 bits, which lives until the
	// Searcher is closed.
	NewPaths() (*hops.Paths, error)
}

// A TreeClearer empties trees with the workers that are to fill them.
type TreeClearer interface {
	// Clear does what Tree.Reset does.
	Clear(t *hops.Tree)
}

// A PathClearer is a PathSearcher that empties results with the workers that are to fill
// them.
type PathClearer interface {
	// ClearPaths does what Paths.Reset does.
	ClearPaths(p *hops.Paths)
}

// A Timer is a Searcher on several processes, of which one calls Time.
type Timer interface {
	// StartClocks readies all processes for a search and starts their clocks together.
	// stop stops them, then completes the tree, and returns the longest time.
	StartClocks(ctx context.Context, root hops.Vertex, t *hops.Tree) (stop func() (time.Duration, error), err error)
}

// A TreeReuser also searches into trees that are not empty: Search overwrites the
// entries of the vertices that it reaches, and leaves others as they are. Searches
// that are repeated for their energy alone then need no clearing in between.
type TreeReuser interface {
	ReusesTrees() bool
}

// A MemoryReporter counts its memory.
type MemoryReporter interface {
	// Memory returns the bytes of the graph with what searches need beside it, and
	// the most that were in use while it was built.
	Memory() (finished, peak int64)
}

// A DeviceNamer searches on a device that is not the host itself.
type DeviceNamer interface {
	DeviceName() string
}

// An EnergyMeter reads the energy counters of the devices that search. Those of the host
// are added to them.
type EnergyMeter interface {
	// Joules is the energy used since some fixed time. Its differences count.
	Joules() (float64, error)
	// MeterName says what Joules counts. It is valid after Joules has succeeded.
	MeterName() string
}

// An OnDevice searcher can leave trees in slots of the memory of its device and validate
// them there, for graphs whose trees take longer to copy than to find. Like package check
// it validates by the tuples of the source alone. On several ranks all of them call the same
// methods and get the same answers, and CopyTree copies the vertices of this rank.
type OnDevice interface {
	// Slots makes room for up to want trees, and for their validation, and returns for
	// how many there is room: at least one. Slot 0 is there without it.
	Slots(want int) (have int, err error)
	// SearchOnDevice is a search whose tree stays in slot 0. It returns when all parents
	// are complete there, in the labels and the order of the source.
	SearchOnDevice(ctx context.Context, root hops.Vertex) (hops.Trace, error)
	// KeepTree copies the tree in slot 0 to another slot, or leaves it in slot 0.
	KeepTree(slot int) error
	// VerifyOnDevice validates the tree of a slot and returns what check.Result has. Its
	// error has a method InvalidTree() if the tree is at fault.
	VerifyOnDevice(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error)
	// JoinedOnDevice tells which candidates have an edge to another vertex.
	JoinedOnDevice(ctx context.Context, candidates []hops.Vertex) ([]bool, error)
	// CopyTree copies the tree of a slot to the host.
	CopyTree(slot int, t *hops.Tree) error
}

// A DevicePaths searcher is OnDevice for shortest paths. A tree there has distances of 32
// bits, which are validated with it.
type DevicePaths interface {
	OnDevice
	// CopyPaths copies the result of a slot to the host.
	CopyPaths(slot int, p *hops.Paths) error
}

// PathsOnDevice is an ability of a PathSearcher whose engine leaves trees on a device.
type PathsOnDevice interface {
	PathsOnDevice() DevicePaths
}

// NewTree returns an empty tree for searches of a graph of n vertices, made by the
// searcher if it is a TreeMaker.
func NewTree(graph Searcher, n hops.Vertex) (*hops.Tree, error) {
	if own, ok := graph.(TreeMaker); ok {
		return own.NewTree()
	}
	return hops.NewTree(n), nil
}

// NewPaths returns an empty result for searches of a graph of n vertices, made by the
// searcher if it is a PathMaker.
func NewPaths(graph Searcher, n hops.Vertex) (*hops.Paths, error) {
	if own, ok := graph.(PathMaker); ok {
		return own.NewPaths()
	}
	return hops.NewSinglePaths(n), nil
}

// ClearTree empties a tree, by the searcher if it is a TreeClearer.
func ClearTree(graph Searcher, tree *hops.Tree) {
	if own, ok := graph.(TreeClearer); ok {
		own.Clear(tree)
		return
	}
	tree.Reset()
}

// ClearPaths empties a result, by the searcher if it is a PathClearer.
func ClearPaths(graph Searcher, paths *hops.Paths) {
	if own, ok := graph.(PathClearer); ok {
		own.ClearPaths(paths)
		return
	}
	paths.Reset()
}

func reusesTrees(graph Searcher) bool {
	r, ok := graph.(TreeReuser)
	return ok && r.ReusesTrees()
}
