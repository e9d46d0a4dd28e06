package main

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
)

// graphFlags choose the benchmark's graph.
type graphFlags struct {
	scale      int
	edgeFactor float64
	seeds      [2]uint64
}

func (g *graphFlags) add(c *cobra.Command) {
	g.seeds = graph500.DefaultSeeds
	f := c.Flags()
	f.Var(within(&g.scale, graph500.DefaultScale, 1, graph500.MaxScale), "scale", "2^scale vertices")
	g.edgeFactor = graph500.DefaultEdgeFactor
	f.Var((*factorFlag)(&g.edgeFactor), "edgefactor", "edges per vertex, also 0.25 or 1/32; a submission needs 16")
	f.Var((*seedFlag)(&g.seeds), "seed", "seeds of the generator; 2,3 make the graph that results are compared on")
}

// kronecker is the benchmark's graph.
func (g *graphFlags) kronecker() (*edge.Kronecker, error) {
	cfg := graph500.Config{Scale: g.scale, EdgeFactor: g.edgeFactor}
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	return edge.NewKroneckerOf(g.scale, cfg.Edges(), g.seeds[0], g.seeds[1])
}

// A factorFlag is a flag for the edges per vertex of a generated graph.
type factorFlag float64

func (f *factorFlag) Type() string   { return "number" }
func (f *factorFlag) String() string { return fmt.Sprint(float64(*f)) }

func (f *factorFlag) Set(s string) error {
	n := 0.0
	if exact, ok := new(big.Rat).SetString(s); ok {
		n, _ = exact.Float64()
	}
	if n <= 0 || n > graph500.MaxEdgeFactor {
		return fmt.Errorf("want a number above 0 and up to %d, or a fraction like 1/32", graph500.MaxEdgeFactor)
	}
	*f = factorFlag(n)
	return nil
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

// complete names the values of a flag for the completion of shells.
func complete(c *cobra.Command, flag string, values ...string) {
	must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// completeRest gives every flag without values of its own a completion: names of files
// where the flag is for a file or a folder, else nothing.
func completeRest(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		directive := cobra.ShellCompDirectiveNoFileComp
		switch {
		case slices.Contains(outputFlags, f.Name) && f.Value.Type() == "string" ||
			slices.Contains(fileFlags, f.Name) || slices.Contains([]string{"mpi", "token-file", "tls-cert", "tls-key"}, f.Name):
			directive = cobra.ShellCompDirectiveDefault
		case slices.Contains([]string{"svg", "png", "csv", "directory"}, f.Name):
			directive = cobra.ShellCompDirectiveFilterDirs
		}
		if _, done := c.GetFlagCompletionFunc(f.Name); !done && f.Value.Type() != "bool" {
			must(c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(nil, directive)))
		}
	})
	for _, sub := range c.Commands() {
		completeRest(sub)
	}
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
