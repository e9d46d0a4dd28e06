package check

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/checktest"
)

// widenPaths returns the result with distances of 64 bits.
func widenPaths(p *hops.Paths) *hops.Paths {
	w := &hops.Paths{Tree: p.Tree, Double: make([]float64, len(p.Single))}
	for v, far := range p.Single {
		w.Double[v] = float64(far)
	}
	return w
}

// tryFault spoils specimens and compares the rule that finds it.
func tryFault(t *testing.T, rules string, spoil func(s *checktest.PathSpecimen) bool) {
	fitted := 0
	for _, s := range checktest.PathSpecimens() {
		if !spoil(s) {
			continue
		}
		fitted++
		c := newChecker(t, edge.WithWeights(edge.List(s.Edges, s.N), s.Weights), 2)
		if _, err := c.Paths(context.Background(), s.Correct); err != nil {
			t.Fatalf("%s: before: %v", s.Name, err)
		}
		for _, p := range []*hops.Paths{s.Paths, widenPaths(s.Paths)} {
			_, err := c.Paths(context.Background(), p)
			var fault *Error
			if !errors.As(err, &fault) || !slices.Contains(strings.Fields(rules), fault.Rule.String()) {
				t.Errorf("%s: got %v, want %s", s.Name, err, rules)
			} else if fault.Error() == "" || fault.Rule.Spec() == 0 {
				t.Errorf("%s: %v says nothing", s.Name, fault)
			}
		}
	}
	if fitted < 2 {
		t.Errorf("fits %d specimens, want at least 2", fitted)
	}
}

func TestSeededPathFaults(t *testing.T) {
	for _, f := range checktest.PathFaults {
		t.Run(f.Name, func(t *testing.T) { tryFault(t, f.Rules, f.Spoil) })
	}
}

// The shape of a tree is the same with distances. A fault that leaves the distances of a
// vertex that is no longer in the tree is found by them, or by the shape.
func TestTreeFaultsWithDistances(t *testing.T) {
	for _, f := range checktest.Faults {
		if f.Rule == "root" || f.Rule == "range" || f.Rule == "self" || f.Rule == "orphan" {
			t.Run(f.Name, func(t *testing.T) {
				tryFault(t, f.Rule+" distance", func(s *checktest.PathSpecimen) bool { return f.Spoil(s.Specimen) })
			})
		}
	}
}

// A result is accepted if and only if its distances are the least sums and its parents
// make them without a cycle, whatever was changed.
func TestPathsAgainstTheDefinition(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := hops.Vertex(2 + r.IntN(12))
		edges := checktest.Random(r.Uint64(), 0, n, 2+r.IntN(30))
		weights := make([]float32, len(edges))
		for i := range weights {
			weights[i] = float32(r.IntN(3))
		}
		directed := r.IntN(2) == 0
		src := hops.Source(edge.List(edges, n))
		if directed {
			src = hops.Directed(src)
		}
		c := newChecker(t, edge.WithWeights(src, weights), 2)
		root := hops.Vertex(r.IntN(int(n)))
		right := checktest.Shortest(n, edges, weights, root, directed)
		p := checktest.Shortest(n, edges, weights, root, directed)
		for range r.IntN(3) {
			v := hops.Vertex(r.IntN(int(n)))
			if r.IntN(2) == 0 {
				p.SetParent(v, hops.Vertex(r.IntN(int(n))))
			} else {
				p.Single[v] = float32(r.IntN(4))
			}
		}
		_, err := c.Paths(context.Background(), p)
		if valid := validPaths(edges, weights, directed, right, p); (err == nil) != valid {
			t.Fatalf("valid is %v, and the checker says %v", valid, err)
		}
		if err == nil {
			accepted++
		}
	})
	if accepted < 5 {
		t.Errorf("%d results are right: the test does not try both", accepted)
	}
}

func validPaths(edges []hops.Edge, weights []float32, directed bool, right, p *hops.Paths) bool {
	for v := range hops.Vertex(p.Len()) {
		tight := v == p.Root && p.Parent(v) == v
		for i, e := range edges {
			for range 2 {
				tight = tight || v != p.Root && e.V == v && e.U != v && e.U == p.Parent(v) && right.Single[e.U]+weights[i] == right.Single[v]
				if !directed {
					e.U, e.V = e.V, e.U
				}
			}
		}
		inside := !math.IsInf(float64(right.Single[v]), 1)
		if p.Single[v] != right.Single[v] || inside != p.Has(v) || inside && (!tight || p.Level(v) < 0) {
			return false
		}
	}
	return true
}

func TestPathsOfTheWrongSize(t *testing.T) {
	c := newChecker(t, edge.WithWeights(edge.List(pairs(0, 1), 2), []float32{1}), 1)
	for _, p := range []*hops.Paths{hops.NewPaths(3), hops.NewSinglePaths(1), {Tree: *hops.NewTree(2)}} {
		if _, err := c.Paths(context.Background(), p); err == nil {
			t.Error("accepted")
		}
	}
	if _, err := newChecker(t, edge.List(pairs(0, 1), 2), 1).Paths(context.Background(), hops.NewPaths(2)); err == nil {
		t.Error("accepted without weights")
	}
	bad := newChecker(t, edge.WithWeights(edge.List(pairs(0, 1), 2), []float32{-1}), 1)
	if _, err := bad.Paths(context.Background(), checktest.Shortest(2, pairs(0, 1), []float32{1}, 0, false)); err == nil {
		t.Error("accepted a negative weight")
	}
}
