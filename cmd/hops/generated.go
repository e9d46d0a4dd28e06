package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/spec"
)

// kindFlags choose a generated graph: that of the benchmark, or one of another kind.
type kindFlags struct {
	graphFlags
	text                  string // --graph
	kind                  string
	width, height, chains int
	missing               float64
	permute               bool
}

const (
	kronecker = "kronecker"
	uniform   = "uniform"
	gridKind  = "grid"
)

var graphKinds = []string{kronecker, uniform, gridKind}

// longestChain and otherSeed are the same in all graphs: figures name the graph that they are of.
const (
	longestChain = 400
	otherSeed    = 1 // of whatever --seed is not for
)

func (k *kindFlags) add(c *cobra.Command) {
	k.graphFlags.add(c)
	c.Flags().StringVar(&k.text, "graph", kronecker, "generated graph, with options: "+strings.Join(graphKinds, ", "))
	complete(c, "graph", graphKinds...)
}

// options are those of the kind.
func (k *kindFlags) options() []spec.Option {
	const sides = "the other side is missing"
	permute := spec.Switch("permute", "put the labels into a random order", &k.permute)
	switch k.kind {
	case kronecker:
		chains := spec.Int("chains", fmt.Sprintf("hang so many chains of 1 to %d vertices on it, as on a crawl of the web", longestChain), &k.chains, 1, 1<<30)
		return []spec.Option{chains, permute}
	case uniform:
		return []spec.Option{permute}
	}
	return []spec.Option{
		spec.Int("width", "in vertices, instead of a share of 2^scale", &k.width, 1, 1<<30).Needs(sides, "height"),
		spec.Int("height", "in vertices", &k.height, 1, 1<<30).Needs(sides, "width"),
		spec.Float("missing", "share of the edges that is left out, at random: 0.3 is like a map of roads", &k.missing, 0, 1),
		permute,
	}
}

// describeKinds is the part of a help text about --graph.
func describeKinds() string {
	var b strings.Builder
	for _, kind := range graphKinds {
		fmt.Fprintf(&b, "  %s\n", kind)
		for _, o := range (&kindFlags{kind: kind}).options() {
			fmt.Fprintf(&b, "    %-16s %s\n", o.Name+"="+o.Values, o.Help)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// parse reads --graph, and refuses flags that have nothing to say about the kind.
func (k *kindFlags) parse(changed func(string) bool) error {
	s, err := spec.Parse(k.text)
	if err != nil {
		return fmt.Errorf("--graph: %w", err)
	}
	switch k.kind = s.Name; k.kind {
	case kronecker, uniform, gridKind:
	default:
		return fmt.Errorf("--graph %s: there are %s", s.Name, strings.Join(graphKinds, ", "))
	}
	if err := s.Bind(k.options()); err != nil {
		return fmt.Errorf("--graph: %w", err)
	}
	switch {
	case k.kind != kronecker && changed("seed"), k.kind == gridKind && changed("edgefactor"):
		return fmt.Errorf("--graph %s takes no --seed, and a grid no --edgefactor", k.kind)
	case k.sized() && changed("scale"):
		return fmt.Errorf("--graph %s has a size and takes no --scale", k.text)
	}
	return nil
}

// sized tells whether the graph has a size of its own instead of a scale.
func (k *kindFlags) sized() bool { return k.width > 0 }

// plain tells whether the graph is the benchmark's.
func (k *kindFlags) plain() bool { return k.spec() == kronecker }

// spec is the kind with its options.
func (k *kindFlags) spec() string { return spec.Of(k.kind, k.options()).String() }

// name is what results call the graph.
func (k *kindFlags) name() string {
	if k.sized() {
		return k.spec()
	}
	return fmt.Sprintf("%s, scale %d", k.spec(), k.scale)
}

// flags are the flags that make the graph again, defaults spelled out.
func (k *kindFlags) flags() string {
	s := "--graph " + k.spec()
	if !k.sized() {
		s += fmt.Sprintf(" --scale %d", k.scale)
	}
	if k.kind != gridKind {
		s += fmt.Sprintf(" --edgefactor %v", k.edgeFactor)
	}
	if k.kind == kronecker {
		s += fmt.Sprintf(" --seed %d,%d", k.seeds[0], k.seeds[1])
	}
	return s
}

// source makes the graph.
func (k *kindFlags) source() (hops.Source, error) {
	src, err := k.unpermuted()
	if err == nil && k.permute {
		src = edge.NewPermuted(src, otherSeed)
	}
	return src, err
}

func (k *kindFlags) unpermuted() (hops.Source, error) {
	switch k.kind {
	case uniform:
		return edge.NewUniform(1<<k.scale, 2*k.edgeFactor, otherSeed)
	case gridKind:
		width, height := int64(1)<<(k.scale/2), int64(1)<<(k.scale-k.scale/2)
		if k.sized() {
			width, height = int64(k.width), int64(k.height)
		}
		grid, err := edge.NewGrid(width, height)
		if err != nil || k.missing == 0 {
			return grid, err
		}
		return edge.NewThinned(grid, k.missing, otherSeed)
	}
	graph, err := k.kronecker()
	if err != nil || k.chains == 0 {
		return graph, err
	}
	return edge.NewChained(graph, k.chains, longestChain, otherSeed)
}
