package bench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/graph500"
)

// run searches in turn. Round 0 warms up, with one search of every engine.
func (c *comparison) run(ctx context.Context) error {
	for round := range c.options.Rounds + 1 {
		roots := c.options.Roots
		if round == 0 {
			if c.options.Cold {
				continue
			}
			roots = roots[:1]
		}
		for _, root := range roots {
			for i := range c.graphs {
				if err := c.search(ctx, i, round, root); err != nil {
					return fmt.Errorf("%s, root %d: %w", c.Entrants[i].Name, root, err)
				}
			}
		}
		if round > 0 {
			if err := c.runExtras(ctx, round); err != nil {
				return err
			}
		}
	}
	return nil
}

// search is one timed search and the validation of its tree, if there should be one.
func (c *comparison) search(ctx context.Context, i, round int, root hops.Vertex) error {
	b := c.graphs[i]
	if b.graph == nil {
		return nil
	}
	s, err := graph500.Time(ctx, b.graph, root, b.tree)
	if err != nil || round == 0 {
		return err
	}
	found, counted := c.counts[root]
	if v := c.options.Validate; !counted || v == All || v != None && round == 1 {
		if err := c.validate(ctx, b, &s); err != nil {
			return err
		}
		if c.counts[root] = s; counted && s.Edges != found.Edges {
			return fmt.Errorf("the component has %d edges; another search found %d", s.Edges, found.Edges)
		}
	} else {
		s.Vertices, s.Edges, s.Loops, s.Depths = found.Vertices, found.Edges, found.Loops, found.Depths
	}
	c.add(Search{i, round, s})
	return nil
}

// validate checks the tree of the last search and fills in what that tells of it.
func (c *comparison) validate(ctx context.Context, b built, s *graph500.Search) (err error) {
	if d, ok := b.graph.(onDevice); ok {
		s.Depths, s.Edges, s.Loops, err = d.device.VerifyOnDevice(ctx, 0)
		s.Vertices = 0
		for _, n := range s.Depths {
			s.Vertices += n
		}
		return err
	}
	judge := func() (check.Result, error) { return c.rules.Tree(ctx, b.tree) }
	if p, ok := b.graph.(shortest); ok {
		judge = func() (check.Result, error) { return c.rules.Paths(ctx, p.paths) }
	}
	found, err := judge()
	s.Vertices, s.Edges, s.Loops, s.Depths = found.Vertices, found.Edges, found.Loops, found.Levels
	if err == nil && b.tree.Root != s.Root {
		err = fmt.Errorf("the tree is that of root %d", b.tree.Root)
	}
	return err
}

func (c *comparison) runExtras(ctx context.Context, round int) error {
	for i, x := range c.options.Extras {
		mean, err := x.Run(ctx, c.Searches)
		if err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
		c.add(Search{len(c.graphs) + i, round, graph500.Search{Time: max(mean, 1), Clock: hops.Wall.String()}})
	}
	return nil
}

func (c *comparison) add(s Search) {
	c.Searches = append(c.Searches, s)
	if c.done++; c.options.Searched != nil {
		c.options.Searched(c.done, c.options.Rounds*(c.present*len(c.options.Roots)+len(c.options.Extras)))
	}
}

// Median searches from a root as often as runs says and returns the search that took
// the median time, by the clock of its levels.
func Median(ctx context.Context, s graph500.Searcher, root hops.Vertex, tree *hops.Tree, runs int) (graph500.Search, error) {
	if runs < 1 {
		return graph500.Search{}, fmt.Errorf("bench: %d runs have no median", runs)
	}
	all := make([]graph500.Search, runs)
	for i := range all {
		var err error
		if all[i], err = graph500.Time(ctx, s, root, tree); err != nil {
			return graph500.Search{}, err
		}
	}
	byLevels := func(s graph500.Search) int64 { return int64(hops.Trace{Levels: s.Levels}.Time()) }
	slices.SortFunc(all, func(a, b graph500.Search) int { return cmp.Compare(byLevels(a), byLevels(b)) })
	return all[runs/2], nil
}

// Peer returns an Extra that runs another program by a shell once in every round.
// The program searches by itself, from as many roots as the engines do, and prints
// times. edges is the number of tuples of the graph, and kernel that of Options. PeerTime
// says what is read.
func Peer(name, command, kernel string, edges int64) Extra {
	return Extra{Name: name, Kind: "peer", Run: func(ctx context.Context, _ []Search) (time.Duration, error) {
		var out, errs bytes.Buffer
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", command, err, lastLines(errs.String(), 5))
		}
		return PeerTime(out.String(), kernel, edges)
	}}
}

// Patterns of what programs print, most specific first.
var (
	harmonicTEPS = regexp.MustCompile(`(?m)^(bfs|sssp) +harmonic_mean_TEPS:[ !]*([0-9.eE+-]+)`) // Graph500's reference, and hops graph500 --to graph500
	averageTime  = regexp.MustCompile(`(?m)^Average Time: +([0-9.eE+-]+)`)                      // GAP Benchmark Suite, in seconds
)

// PeerTime finds the mean time of a search in the output of a program: from the
// harmonic mean of TEPS of the kernel in the format of Graph500, from the average time of the GAP
// Benchmark Suite, or else from the last word of the output, in seconds.
func PeerTime(out, kernel string, edges int64) (time.Duration, error) {
	for _, m := range harmonicTEPS.FindAllStringSubmatch(out, -1) {
		teps, err := strconv.ParseFloat(m[2], 64)
		if m[1] == cmp.Or(kernel, graph500.KernelBFS) && err == nil && teps > 0 {
			return seconds(float64(edges) / teps)
		}
	}
	text := ""
	if m := averageTime.FindStringSubmatch(out); m != nil {
		text = m[1]
	} else if words := strings.Fields(out); len(words) > 0 {
		text = words[len(words)-1]
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("no time in its output, which ends with %q", lastLines(out, 1))
	}
	return seconds(x)
}

func seconds(x float64) (time.Duration, error) {
	if !(x > 0 && x < 1e9) {
		return 0, fmt.Errorf("%g seconds is no time of a search", x)
	}
	return time.Duration(x * float64(time.Second)), nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// Many returns an Extra that searches from all roots at a time, as many as share a
// search. What it finds is compared with what validation found of the same roots.
func Many(s *many.Searcher, g *graph.Graph, roots []hops.Vertex) Extra {
	d := hops.NewDepths(g.NumVertices())
	return Extra{Name: fmt.Sprintf("many:roots=%d", len(roots)), Kind: "many", Run: func(ctx context.Context, known []Search) (time.Duration, error) {
		var sum time.Duration
		start := time.Now()
		for _, batch := range many.Batches(g, roots) {
			if _, err := s.Search(ctx, batch, d); err != nil {
				return 0, err
			}
			sum += time.Since(start)
			if err := compareDepths(d, known); err != nil {
				return 0, err
			}
			start = time.Now()
		}
		return sum / time.Duration(len(roots)), nil
	}}
}

// compareDepths compares how many vertices each root reaches, and in how many hops,
// with validated searches from the same root.
func compareDepths(d *hops.Depths, known []Search) error {
	validated := map[hops.Vertex]hops.DepthSum{}
	for _, s := range known {
		if len(s.Depths) == 0 {
			continue
		}
		want := hops.DepthSum{Reached: s.Vertices, Depth: len(s.Depths) - 1}
		for depth, count := range s.Depths {
			want.Hops += int64(depth) * count
		}
		validated[s.Root] = want
	}
	for i, got := range d.Sums() {
		if want, ok := validated[d.Roots[i]]; ok && got != want {
			return fmt.Errorf("root %d: found %+v, want %+v", d.Roots[i], got, want)
		}
	}
	return nil
}
