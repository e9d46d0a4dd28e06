package check

import (
	"context"
	"errors"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/checktest"
)

// Each fault spoils the tree of a specimen, or returns false where the graph has
// no room for it. It must be caught under its rule wherever it fits, also by a
// checker that has just seen the right tree.
func TestSeededFaults(t *testing.T) {
	for _, f := range checktest.Faults {
		t.Run(f.Name, func(t *testing.T) {
			fitted := 0
			for _, s := range checktest.Specimens() {
				if !f.Spoil(s) {
					continue
				}
				fitted++
				g := graph{s.Name, s.N, s.Edges}
				c := newChecker(t, g.source(), 2)
				if _, err := c.Tree(context.Background(), s.Right); err != nil {
					t.Fatalf("%s: before: %v", s.Name, err)
				}
				if _, valid := isTree(g, s.Tree); valid {
					t.Fatalf("%s: the tree is still valid", s.Name)
				}
				for _, tree := range []*hops.Tree{s.Tree, widen(s.Tree)} {
					_, err := c.Tree(context.Background(), tree)
					var fault *Error
					if !errors.As(err, &fault) || fault.Rule.String() != f.Rule {
						t.Errorf("%s: got %v, want rule %v", s.Name, err, f.Rule)
					} else if err := substantiate(g, tree, fault); err != nil {
						t.Errorf("%s: %v", s.Name, err)
					}
				}
			}
			if fitted < 2 {
				t.Errorf("fits %d specimens, want at least 2", fitted)
			}
		})
	}
}
