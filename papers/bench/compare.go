// Package bench compares engines on one graph by searches in turn: engines change
// fastest, then roots, then rounds, so that whatever else the host does meets all
// engines alike.
//
// Compare runs the searches. Programs of others, and searches from many roots at
// once, take part once in every round. Summarize makes the figures of the searches,
// which are written as JSON, as a table or as a page.
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/human"
)

// A Validation says which trees are validated.
type Validation string

// The validations. Every one of them validates the first tree of each root, whose
// edges are counted by that.
const (
	All   Validation = "all"   // every tree
	First Validation = "first" // the first tree of every engine and root
	None  Validation = "none"  // the first tree of every root
)

// Options say what is compared.
type Options struct {
	Roots  []hops.Vertex
	Rounds int
	// Kernel is what is searched for: graph500.KernelBFS, which "" means too, or
	// graph500.KernelSSSP, for which the source has weights.
	Kernel   string
	Validate Validation
	// Cold leaves out the search of every engine before the first round.
	Cold bool
	// OnDevice leaves trees on the device and verifies them there. All engines must
	// be graph500.OnDevice.
	OnDevice bool
	// Optional leaves out engines that cannot be built, and says why in Missing.
	// Otherwise they are an error.
	Optional bool
	// Available is the memory in bytes that an engine may need. 0: any.
	Available int64
	// Extras take part once in every round, after all roots.
	Extras []Extra
	// Searched is called after every search with the number of searches done, and
	// of all. nil: nobody is told.
	Searched func(done, total int)
}

// An Extra takes part in a comparison, but is no engine.
type Extra struct {
	Name string
	Kind string // "peer" or "many"
	// Run searches from all roots and returns the mean time of a search. known are
	// the searches so far, with what validation found.
	Run func(ctx context.Context, known []Search) (time.Duration, error)
}

// An Entrant is an engine, or an Extra, that takes part.
type Entrant struct {
	Name    string
	Kind    string        // "engine", or that of an Extra
	Policy  string        // how the engine picks its steps, in words
	Device  string        // that searches, if it is not the host itself
	Missing string        // why there are no searches
	Build   time.Duration // of the engine's graph: kernel 1
}

// A Search is one search. That of an Extra has a time and nothing else: the mean of
// a round.
type Search struct {
	Entrant int // index into Entrants
	Round   int // from 1 on
	graph500.Search
}

// A Comparison has the searches in the order in which they ran.
type Comparison struct {
	Entrants []Entrant
	Searches []Search
}

// Compare builds the graph with every engine and searches it in turn.
func Compare(ctx context.Context, src hops.Source, engines []graph500.Engine, o Options) (*Comparison, error) {
	c := &comparison{options: o, src: src, counts: map[hops.Vertex]graph500.Search{}}
	defer c.close()
	for _, e := range engines {
		if err := c.build(ctx, e); err != nil {
			return nil, err
		}
	}
	for _, x := range o.Extras {
		c.Entrants = append(c.Entrants, Entrant{Name: x.Name, Kind: x.Kind})
	}
	if !o.OnDevice {
		c.rules = check.New(src, 0)
		defer c.rules.Close()
	}
	return &c.Comparison, c.run(ctx)
}

// Roots draws up to want vertices from which edges lead, as the benchmark does, and at least one if
// there is any.
func Roots(ctx context.Context, src hops.Source, want int) ([]hops.Vertex, error) {
	connected, err := check.HasEdge(ctx, src, 0)
	if err != nil {
		return nil, err
	}
	roots := graph500.Roots(graph500.DefaultSeeds, src.NumVertices(), want, connected)
	for v := hops.Vertex(0); len(roots) == 0 && v < src.NumVertices(); v++ {
		if connected(v) { // of so few that none was drawn
			roots = append(roots, v)
		}
	}
	if len(roots) == 0 {
		return nil, errors.New("bench: the graph has no edge to search along")
	}
	return roots, nil
}

// comparison is a Comparison while it is made.
type comparison struct {
	Comparison
	options Options
	src     hops.Source
	graphs  []built // of the engines
	rules   *check.Checker
	counts  map[hops.Vertex]graph500.Search // what validation found, by root
	present int                             // engines that are not missing
	done    int
}

// A built engine has its graph and its tree. Both are nil if the engine is missing.
type built struct {
	graph graph500.Searcher
	tree  *hops.Tree
}

func (c *comparison) close() {
	for _, b := range c.graphs {
		if b.graph != nil {
			_ = b.graph.Close()
		}
	}
}

func (c *comparison) build(ctx context.Context, e graph500.Engine) error {
	entrant := Entrant{Name: e.Name, Kind: "engine", Policy: e.Policy}
	b, err := c.tryBuild(ctx, e, &entrant)
	if err != nil {
		if ctx.Err() != nil || !c.options.Optional {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		entrant.Missing = e.Name + ": " + err.Error()
	} else {
		c.present++
	}
	c.Entrants, c.graphs = append(c.Entrants, entrant), append(c.graphs, b)
	return nil
}

func (c *comparison) tryBuild(ctx context.Context, e graph500.Engine, entrant *Entrant) (b built, err error) {
	if c.options.Kernel == graph500.KernelSSSP {
		if e, err = weighted(e); err != nil {
			return b, err
		}
	}
	start := time.Now()
	graph, err := Build(ctx, e, c.src, c.options.Available)
	if err != nil {
		return b, err
	}
	entrant.Build = time.Since(start)
	if d, ok := graph.(graph500.DeviceNamer); ok {
		entrant.Device = d.DeviceName()
	}
	b.graph = graph
	if c.options.OnDevice {
		device, ok := graph.(graph500.OnDevice)
		if !ok {
			return built{}, errors.Join(errors.New("the engine leaves no tree on a device"), graph.Close())
		}
		b = built{graph: onDevice{graph, device}, tree: hops.NewTree(0)}
	} else if s, ok := graph.(shortest); ok {
		b.tree = &s.paths.Tree
	} else if b.tree, err = graph500.NewTree(graph, c.src.NumVertices()); err != nil {
		return built{}, errors.Join(err, graph.Close())
	}
	return b, nil
}

// Build builds a graph with an engine, unless the engine needs more memory than is
// available. 0: any.
func Build(ctx context.Context, e graph500.Engine, src hops.Source, available int64) (graph500.Searcher, error) {
	if e.Need != nil && available > 0 {
		if need := e.Need(src.NumVertices(), src.NumEdges()); need > available {
			return nil, fmt.Errorf("%s of memory, of which %s is available", human.Bytes(need), human.Bytes(available))
		}
	}
	return e.Build(ctx, src)
}

// onDevice searches into the first slot of the device and fills no tree of the host.
type onDevice struct {
	graph500.Searcher
	device graph500.OnDevice
}

func (s onDevice) Search(ctx context.Context, root hops.Vertex, _ *hops.Tree) (hops.Trace, error) {
	return s.device.SearchOnDevice(ctx, root)
}
