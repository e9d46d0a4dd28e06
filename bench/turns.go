package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops"
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
	found, err := c.rules.Tree(ctx, b.tree)
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
