package gpu

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/cuda"
)

// A candidate is a way to search a graph that is on the device: another build of
// the kernels, or other options.
type candidate struct {
	name      string
	options   Options
	grid      shape
	module    *cuda.Module
	functions map[string]*cuda.Function
	times     [][]time.Duration // by root, then by round
	levels    []hops.Trace      // of the last round
}

// TestCompare holds candidates against each other, in turn on one graph: for the
// scales in HOPS_GPU_SCALES, the list HOPS_GPU_COMPARE of names with options, such
// as "now;more,alpha=50;old,ptx=old.ptx,local=112672"; alone launches without asking
// that the blocks be resident together. The trees of the first HOPS_GPU_CHECKED roots
// are verified, by default of all; other roots are taken to reach all edges. With
// HOPS_GPU_LEVELS the levels of the first candidate are printed, from two roots, or with
// "all" those of every candidate from every root.
func TestCompare(t *testing.T) {
	scales, list := os.Getenv("HOPS_GPU_SCALES"), os.Getenv("HOPS_GPU_COMPARE")
	if scales == "" || list == "" {
		t.Skip("HOPS_GPU_SCALES or HOPS_GPU_COMPARE names nothing")
	}
	for _, text := range strings.Split(scales, ",") {
		scale, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, scale, strings.Split(list, ";"))
	}
}

func compare(t *testing.T, scale int, list []string) {
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(context.Background(), src, parseVariant(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	candidates := make([]*candidate, len(list))
	for i, text := range list {
		candidates[i] = parseCandidate(t, s, text)
	}
	roots := benchmarkRoots(t, s, src, count())
	tree := &hops.Tree{Narrow: make([]uint32, s.n)} // left empty
	edges := slices.Repeat([]int64{src.NumEdges()}, len(roots))
	v, err := s.NewVerifier(src, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	candidates = slices.DeleteFunc(candidates, func(c *candidate) bool {
		c.use(t, s)
		err := checkSome(s, v, roots, tree, edges)
		if err != nil {
			t.Errorf("scale %d: %s: %v", scale, c.name, err)
		}
		return err != nil
	})
	for _, c := range candidates {
		c.times, c.levels = make([][]time.Duration, len(roots)), make([]hops.Trace, len(roots))
	}
	for range number("HOPS_GPU_ROUNDS", 3) {
		for _, c := range candidates {
			c.run(t, s, roots, tree)
		}
	}
	for _, c := range candidates {
		c.print(scale, candidates[0], edges)
	}
}

// parseCandidate reads a name and what parseVariant reads, and a file of kernels and
// their local memory.
func parseCandidate(t *testing.T, s *Searcher, text string) *candidate {
	t.Helper()
	name, rest, _ := strings.Cut(text, ",")
	c := &candidate{name: name, grid: s.state.grid}
	d, isCUDA := s.dev.(*cudaDevice)
	if isCUDA {
		c.module, c.functions = d.module, d.functions
	}
	var options []string
	for _, pair := range strings.Split(rest, ",") {
		key, value, _ := strings.Cut(pair, "=")
		switch key {
		case "ptx":
			ptx, err := os.ReadFile(value)
			if err != nil {
				t.Fatal(err)
			}
			if c.module, err = d.Load(string(ptx)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			c.functions = make(map[string]*cuda.Function)
		case "local":
			c.grid.local, _ = strconv.Atoi(value)
		case "alone":
			c.grid.together = false
		default:
			options = append(options, pair)
		}
	}
	c.options = parseVariant(t, strings.Join(options, ","))
	c.options.setDefaults(hops.Vertex(s.n))
	return c
}

// use makes the searcher search as the candidate does.
func (c *candidate) use(t *testing.T, s *Searcher) {
	t.Helper()
	if d, isCUDA := s.dev.(*cudaDevice); isCUDA {
		d.module, d.functions = c.module, c.functions
	}
	s.options, s.state.grid, s.fused.whole = c.options, c.grid, c.grid
}

// checkSome verifies trees and notes how many edges they reach.
func checkSome(s *Searcher, v *Verifier, roots []hops.Vertex, tree *hops.Tree, edges []int64) error {
	for i, root := range roots[:min(number("HOPS_GPU_CHECKED", len(roots)), len(roots))] {
		if _, err := s.Search(context.Background(), root, tree); err != nil {
			return fmt.Errorf("root %d: %w", root, err)
		}
		verdict, err := v.Tree(context.Background(), root)
		if err != nil {
			return err
		}
		edges[i] = verdict.Edges
	}
	return nil
}

func (c *candidate) run(t *testing.T, s *Searcher, roots []hops.Vertex, tree *hops.Tree) {
	t.Helper()
	c.use(t, s)
	if _, err := s.Search(context.Background(), roots[0], tree); err != nil {
		t.Fatal(err)
	}
	for i, root := range roots {
		trace, err := s.Search(context.Background(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		c.times[i] = append(c.times[i], trace.Time())
		c.levels[i] = trace.Clone()
	}
}

// print gives the harmonic mean over the roots of their median times, the spread of
// the rounds, and how the first candidate does.
func (c *candidate) print(scale int, first *candidate, edges []int64) {
	mean := c.mean(edges, median)
	fmt.Printf("scale %d %-12s %7.1f GTEPS (rounds %.1f to %.1f), %.3f of %s\n", scale, c.name, mean,
		c.mean(edges, slices.Max[[]time.Duration]), c.mean(edges, slices.Min[[]time.Duration]), mean/first.mean(edges, median), first.name)
	levels := os.Getenv("HOPS_GPU_LEVELS")
	roots := []int{1 % len(c.levels), c.slowest()}
	if levels == "all" {
		roots = roots[:0]
		for i := range c.levels {
			roots = append(roots, i)
		}
	} else if levels == "" || c != first {
		return
	}
	for _, i := range roots {
		var text []string
		for _, l := range c.levels[i].Levels {
			text = append(text, fmt.Sprintf("%s %d→%d (%d) %.1f", short[l.Step], l.Frontier, l.Found, l.Examined, float64(l.Time.Nanoseconds())/1000))
		}
		fmt.Printf("    root %d %.1f µs: %s\n", i, float64(median(c.times[i]).Nanoseconds())/1000, strings.Join(text, " | "))
	}
}

var short = map[string]string{"top-down": "TD", "bottom-up": "BU", "bottom-up-hot": "BH", "bottom-up-rest": "R"}

func (c *candidate) slowest() int {
	worst := 0
	for i := range c.times {
		if median(c.times[i]) > median(c.times[worst]) {
			worst = i
		}
	}
	return worst
}

func (c *candidate) mean(edges []int64, of func([]time.Duration) time.Duration) float64 {
	var perEdge float64
	for i, times := range c.times {
		perEdge += of(times).Seconds() / float64(edges[i]) / float64(len(edges))
	}
	return 1e-9 / math.Max(perEdge, 1e-30)
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}
