package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/graph500"
)

// graphFlags choose the benchmark's graph.
type graphFlags struct {
	scale, edgeFactor int
	seeds             [2]uint64
}

func (g *graphFlags) add(c *cobra.Command) {
	g.seeds = graph500.DefaultSeeds
	f := c.Flags()
	f.Var(within(&g.scale, graph500.DefaultScale, 1, graph500.MaxScale), "scale", "2^scale vertices")
	f.Var(within(&g.edgeFactor, graph500.DefaultEdgeFactor, 1, graph500.MaxEdgeFactor), "edgefactor", "edges per vertex; a submission needs 16")
	f.Var((*seedFlag)(&g.seeds), "seed", "seeds of the generator; 2,3 make the graph that results are compared on")
}

// An intFlag is a flag for a number between two limits.
type intFlag struct {
	value  *int
	lo, hi int
}

func within(value *int, preset, lo, hi int) *intFlag {
	*value = preset
	return &intFlag{value, lo, hi}
}

func (f *intFlag) Type() string   { return "int" }
func (f *intFlag) String() string { return strconv.Itoa(*f.value) }

func (f *intFlag) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < f.lo || n > f.hi {
		return fmt.Errorf("want a whole number from %d to %d", f.lo, f.hi)
	}
	*f.value = n
	return nil
}

// A seedFlag is two numbers of 64 bits.
type seedFlag [2]uint64

func (f *seedFlag) Type() string   { return "s1,s2" }
func (f *seedFlag) String() string { return fmt.Sprintf("%d,%d", f[0], f[1]) }

func (f *seedFlag) Set(s string) error {
	first, second, _ := strings.Cut(s, ",")
	a, errA := strconv.ParseUint(first, 10, 64)
	b, errB := strconv.ParseUint(second, 10, 64)
	if errA != nil || errB != nil {
		return fmt.Errorf("want two whole numbers, like 2,3")
	}
	*f = seedFlag{a, b}
	return nil
}

// exactly accepts the arguments of a usage line, one for each name.
func exactly(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s needs %s", verb(c), strings.Join(names, " "))
		case len(args) > len(names):
			return fmt.Errorf("%s takes %s: what is %q?", verb(c), strings.Join(names, " "), args[len(names)])
		}
		return nil
	}
}

// atLeast accepts one argument or more.
func atLeast(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs %s", verb(c), name)
		}
		return nil
	}
}

func verb(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") }
