package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/internal/testing/checktest"
)

var rankCounts = []int{1, 2, 3, 5, 7}

// together runs f on n ranks, each with its part of a tree: on one host, on two, and on a host
// each. It returns what f returns on all ranks of all of these.
func together(t testing.TB, src hops.Source, parts []*hops.Tree, batch int, f func(c *PartChecker, part *hops.Tree) error) (errs []error) {
	t.Helper()
	hosts := []int{1, min(2, len(parts)), len(parts)}
	for _, h := range slices.Compact(hosts) {
		errs = append(errs, onHosts(t, h, oneOrTwo, src, parts, batch, f)...)
	}
	return errs
}

// oneOrTwo gives every fourth rank two threads.
func oneOrTwo(r int) int { return 1 + r%4/3 }

// onHosts runs f on ranks of so many hosts, with so many threads each.
func onHosts(t testing.TB, hosts int, threads func(r int) int, src hops.Source, parts []*hops.Tree, batch int, f func(c *PartChecker, part *hops.Tree) error) []error {
	t.Helper()
	comms, err := rank.Local(len(parts), hosts)
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for r, comm := range comms {
		wg.Go(func() {
			c := NewParts(src, threads(r), rank.Group{Comm: comm})
			defer c.Close()
			c.batch = batch
			errs[r] = f(c, parts[r])
			if fault := (*Error)(nil); errs[r] != nil && !errors.As(errs[r], &fault) { // which the others do not have
				comm.Abort(errs[r])
			}
		})
	}
	wg.Wait()
	return errs
}

// parts cuts a tree at random places, some parts being empty, and deals them to
// the ranks in any order.
func partsOf(tree *hops.Tree, n int, seed uint64) []*hops.Tree {
	r := rand.New(rand.NewPCG(seed, 7))
	cuts := []int{0, tree.Len()}
	for range n - 1 {
		cuts = append(cuts, r.IntN(tree.Len()+1))
	}
	slices.Sort(cuts)
	parts := make([]*hops.Tree, n)
	for i, to := range r.Perm(n) {
		part := *tree
		part.First = hops.Vertex(cuts[i])
		if tree.Wide != nil {
			part.Wide = tree.Wide[cuts[i]:cuts[i+1]]
		} else {
			part.Narrow = tree.Narrow[cuts[i]:cuts[i+1]]
		}
		parts[to] = &part
	}
	return parts
}

// All ranks say of a right tree what one process says.
func TestPartsOfRightTrees(t *testing.T) {
	kronecker, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	graphs := []graph{
		{"one vertex, looped twice", 1, pairs(0, 0, 0, 0)},
		{"loops and doubles", 3, pairs(0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 0)},
		{"grid", 64, grid(0, 8, 8)},
		{"path", 1000, path(0, 1000)},
		{"random", 300, random(5, 0, 300, 320)},
		{"kronecker", 512, tuplesOf(t, kronecker)},
	}
	for _, g := range graphs {
		root := g.edges[0].U
		tree := search(g.rows(), root)
		want, valid := isTree(g, tree)
		if !valid {
			t.Fatalf("%s: the tree is wrong", g.name)
		}
		for _, n := range rankCounts {
			for _, tree := range []*hops.Tree{tree, widen(tree)} {
				errs := together(t, g.source(), partsOf(tree, n, uint64(n)), batchFor(g, n), func(c *PartChecker, part *hops.Tree) error {
					got, err := c.Tree(context.Background(), part)
					if diff := cmp.Diff(want, got); err == nil && diff != "" {
						err = errors.New(diff)
					}
					if err != nil {
						return err
					}
					edges, loops, err := c.Traversed(context.Background(), part)
					if err == nil && (edges != want.Edges || loops != want.Loops) {
						err = fmt.Errorf("counted %d edges and %d loops", edges, loops)
					}
					return err
				})
				errs = append(errs, countAgain(t, g, tree, n)...)
				if err := errors.Join(errs...); err != nil {
					t.Errorf("%s, %d ranks: %v", g.name, n, err)
				}
			}
		}
	}
}

// countAgain has one checker count a tree, one with nothing in it, and the first
// again.
func countAgain(t *testing.T, g graph, tree *hops.Tree, n int) []error {
	want, _ := isTree(g, tree)
	return together(t, g.source(), partsOf(tree, n, uint64(n)), batchFor(g, n), func(c *PartChecker, part *hops.Tree) error {
		empty := &hops.Tree{Root: part.Root, First: part.First}
		if part.Wide != nil {
			empty.Wide = make([]hops.WideParent, part.Len())
		} else {
			empty.Narrow = make([]uint32, part.Len())
		}
		empty.Reset()
		for _, turn := range []struct {
			tree         *hops.Tree
			edges, loops int64
		}{{part, want.Edges, want.Loops}, {empty, 0, 0}, {part, want.Edges, want.Loops}} {
			edges, loops, err := c.Traversed(context.Background(), turn.tree)
			if err != nil {
				return err
			}
			if edges != turn.edges || loops != turn.loops {
				return fmt.Errorf("counted %d edges and %d loops, want %d and %d", edges, loops, turn.edges, turn.loops)
			}
		}
		return nil
	})
}

// Of many faults of one tree ranks of several threads find the one that one process finds.
func TestLowestFaultWinsInParts(t *testing.T) {
	g := graph{n: 5 * vertexGrain, edges: random(1, 0, 5*vertexGrain, 60*blockTuples)}
	valid := search(g.rows(), g.edges[0].U)
	for _, f := range repeatable {
		tree := &hops.Tree{Root: valid.Root, Narrow: slices.Clone(valid.Narrow)}
		spoilMany(tree, g, f.spoil)
		_, want := newChecker(t, g.source(), 1).Tree(context.Background(), tree)
		for try := range 6 {
			threads := func(int) int { return 2 + try%2 }
			for r, err := range onHosts(t, 1+try%2, threads, g.source(), partsOf(tree, 2, uint64(try)), batchTuples, partTree) {
				if diff := cmp.Diff(want, err); diff != "" {
					t.Errorf("rank %d: %v, want %v", r, err, want)
				}
			}
		}
	}
}

// Of tuples at fault in two blocks, each found by another worker, the lower one counts.
func TestLowestOfTwoBlocks(t *testing.T) {
	g := graph{n: 2, edges: pairs(0, 1)}
	for range 20 {
		onHosts(t, 1, func(int) int { return 2 }, g.source(), partsOf(search(g.rows(), 0), 1, 1), batchTuples, func(c *PartChecker, part *hops.Tree) error {
			p, err := c.begin(context.Background(), part)
			if err != nil {
				return err
			}
			var both sync.WaitGroup
			both.Add(2)
			sofar := tally{bad: -1}
			_, err = p.inBlocks(2*blockTuples, &sofar, func(_ int, lo, _ int64, sum *tally) error {
				both.Done()
				both.Wait()
				sum.bad = lo
				return nil
			})
			if sofar.bad != 0 {
				t.Errorf("tuple %d is at fault, want 0", sofar.bad)
			}
			return err
		})
	}
}

// batchFor makes some batches short, so that there are several, and unequally
// many on the ranks.
func batchFor(g graph, n int) int {
	if n%2 == 0 {
		return batchTuples
	}
	return max(3, len(g.edges)/(3*n))
}

// Every fault is caught as in one process: same rule, vertex, parent, edge.
func TestSeededFaultsInParts(t *testing.T) {
	enough := 3 // specimens
	if testing.Short() {
		enough = 1
	}
	for _, f := range checktest.Faults {
		t.Run(f.Name, func(t *testing.T) {
			fitted := 0
			for i, s := range checktest.Specimens() {
				if fitted == enough || !f.Spoil(s) {
					continue
				}
				fitted++
				g := graph{s.Name, s.N, s.Edges}
				_, want := newChecker(t, g.source(), 1).Tree(context.Background(), s.Tree)
				for _, n := range rankCounts {
					tree := s.Tree
					if i%2 == 1 {
						tree = widen(tree)
					}
					for r, err := range together(t, g.source(), partsOf(tree, n, uint64(i)), batchFor(g, n), partTree) {
						if diff := cmp.Diff(want, err); diff != "" {
							t.Errorf("%s, rank %d of %d: %v, want %v", s.Name, r, n, err, want)
						}
					}
				}
			}
		})
	}
}

func partTree(c *PartChecker, part *hops.Tree) error {
	_, err := c.Tree(context.Background(), part)
	return err
}

// Levels of a deep tree, and a cycle of all its vertices but the root.
func TestDeepTreesInParts(t *testing.T) {
	const n = 1 << 14
	g := graph{"path", n, path(0, n)}.relabel(1)
	root := g.edges[0].V
	tree := search(g.rows(), root)
	near, far := g.edges[0].U, g.edges[len(g.edges)-1].U
	for r, err := range together(t, g.source(), partsOf(tree, 3, 1), batchTuples, partTree) {
		if err != nil {
			t.Errorf("rank %d: %v", r, err)
		}
	}
	tree.SetParent(near, far)
	_, want := newChecker(t, g.source(), 1).Tree(context.Background(), tree)
	for r, err := range together(t, g.source(), partsOf(tree, 3, 1), 1000, partTree) {
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("rank %d: %v, want %v", r, err, want)
		}
	}
}

func TestPartsThatAreNoTree(t *testing.T) {
	g := graph{"path", 10, path(0, 10)}
	whole := search(g.rows(), 0)
	other := *whole
	other.Root = 3
	gap := partsOf(whole, 2, 1)
	gap[1].Narrow = gap[1].Narrow[:0]
	for want, parts := range map[string][]*hops.Tree{
		"those before end at":    {whole, whole},
		"the parts of the tree ": gap,
		"rank 1 has a tree of":   {whole, &other},
	} {
		for r, err := range together(t, g.source(), parts, 100, partTree) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d: %v, want %q", r, err, want)
			}
		}
	}
}

// A rank that cannot go on ends the others.
func TestPartsOfASourceThatFails(t *testing.T) {
	g := graph{"stray", 100, append(path(0, 100), hops.Edge{U: 3, V: 100})}
	tree := search(neighbours(100, g.edges[:99]), 0)
	for r, err := range together(t, wild{g, 100, nil}, partsOf(tree, 3, 1), 10, partTree) {
		if err == nil || !strings.Contains(err.Error(), "edge 99 (3, 100) is not within the 100 vertices") {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

func TestPartsCancelled(t *testing.T) {
	g := graph{"path", 1000, path(0, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	errs := together(t, g.source(), partsOf(search(g.rows(), 0), 3, 1), 10, func(c *PartChecker, part *hops.Tree) error {
		_, err := c.Tree(ctx, part)
		return err
	})
	for r, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

// Directed tuples bind in one direction only, in parts too.
func TestDirectedParts(t *testing.T) {
	for seed := range uint64(6) {
		g := graph{"random", 60, random(seed, 0, 60, 120)}
		tree := arcTree(g, g.edges[0].U)
		for spoilt := range 3 {
			if spoilt > 0 {
				tree.SetParent(hops.Vertex(7*spoilt), hops.Vertex(seed))
			}
			want, wantErr := newChecker(t, hops.Directed(g.source()), 1).Tree(context.Background(), tree)
			for _, n := range rankCounts {
				errs := together(t, hops.Directed(g.source()), partsOf(tree, n, seed), batchFor(g, n), func(c *PartChecker, part *hops.Tree) error {
					got, err := c.Tree(context.Background(), part)
					if diff := cmp.Diff(want, got); diff != "" {
						return errors.New(diff)
					}
					return err
				})
				for r, err := range errs {
					if diff := cmp.Diff(wantErr, err); diff != "" {
						t.Errorf("seed %d, rank %d of %d: %v, want %v", seed, r, n, err, wantErr)
					}
				}
			}
		}
	}
}
