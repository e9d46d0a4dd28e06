package graph500

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/rank"
)

// An Engine is a way to build and search a graph. Engines satisfy this without
// importing it: see the table in cmd/hops.
type Engine struct {
	// Name with all options that are not at their default: "cpu:threads=2".
	Name string
	// Need is how many bytes of memory Build takes at its peak for a graph of n
	// vertices and m edges. nil: unknown.
	Need func(n hops.Vertex, m int64) int64
	// Ready says why Build would refuse a graph of n vertices and m edges, before there
	// is one. nil: only Build knows.
	Ready func(n hops.Vertex, m int64) error
	// Build is kernel 1.
	Build func(ctx context.Context, src hops.Source) (Searcher, error)
	// Passes is how often Build reads the whole source, for the sake of a
	// progress bar. 0: that is not known, and nobody counts; the source is then
	// handed over as it is, with whatever more it can do.
	Passes int
	// Ranks joins this process to others that run the same benchmark with the same
	// engine. A Searcher then has NewTree, which returns the part of the tree that
	// this rank is to fill. nil: there are no others.
	Ranks rank.Comm
	// Threads is how many this process should use for what is not the engine's. 0:
	// one for every CPU that it may run on.
	Threads int
	// Policy is how the engine picks its steps, in words for people. Empty: there
	// is nothing to say.
	Policy string
}

// A Searcher is a graph ready to be searched.
//
// A Searcher may also have the methods Memory() (finished, peak int64), the bytes
// that the graph takes and those that building it took, Name() string, the device
// that searches, NewTree() (*hops.Tree, error), an empty tree in the memory that its
// searches fill fastest, and Clear(*hops.Tree), which empties a tree with the workers
// that are to fill it. One that has Joules() (float64, error), what its device has used
// from any time on, and MeterName() string also fills trees that are not empty.
type Searcher interface {
	// Search is kernel 2: it fills an empty tree. It stops early, with an error,
	// when ctx is done.
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
	Close() error
}

// An Observer follows a run as it happens. It shares the machine with the
// searches, so it had better be light.
type Observer interface {
	// Planned comes first.
	Planned(p Plan)
	// Begin opens a phase of total units; 0 means that nobody knows.
	Begin(phase string, total int64, unit string)
	// Advance says how much of the phase is done. Several goroutines may call it.
	Advance(done int64)
	// Searched hands over each search when it has been validated.
	Searched(s Search)
}

// The phases that an Observer hears of, in this order.
const (
	Generate  = "generate"
	Construct = "construct"
	PickRoots = "roots"
	WarmUp    = "warm-up"
	Searches  = "search"
)

// nobody observes a run that nobody looks at.
type nobody struct{}

func (nobody) Planned(Plan)                {}
func (nobody) Begin(string, int64, string) {}
func (nobody) Advance(int64)               {}
func (nobody) Searched(Search)             {}
