package graph500

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gohops/hops"
)

// Every lie is caught at once, whichever search it is told in, and leaves no
// score.
func TestALyingSearcherGetsNoScore(t *testing.T) {
	lies := map[string]func(s *serial, t *hops.Tree){
		"an empty tree":      func(_ *serial, t *hops.Tree) { root := t.Root; t.Reset(); t.Root = root },
		"no root":            func(_ *serial, t *hops.Tree) { t.Root = hops.NoVertex },
		"another root":       reroot,
		"a missing vertex":   func(_ *serial, t *hops.Tree) { t.SetParent(leaf(t), hops.NoVertex) },
		"a shortcut":         func(_ *serial, t *hops.Tree) { t.SetParent(leaf(t), t.Root) },
		"its own parent":     func(_ *serial, t *hops.Tree) { v := leaf(t); t.SetParent(v, v) },
		"a parent too large": func(_ *serial, t *hops.Tree) { t.SetParent(leaf(t), hops.Vertex(t.Len())) },
	}
	for name, lie := range lies {
		for _, search := range []int{1, 2, 5} { // 1 is the warm-up
			res, err := Run(t.Context(), Config{Scale: 8}, serialEngine(func(s *serial, tree *hops.Tree) error {
				if s.searches == search {
					lie(s, tree)
				}
				return nil
			}), nil)
			if !errors.Is(err, ErrInvalid) {
				t.Errorf("%s in search %d: error %v", name, search, err)
				continue
			}
			if res.Summary != nil || res.Submittable || res.Invalid == "" || len(res.Searches) != max(0, search-2) {
				t.Errorf("%s in search %d: %d searches, submittable %v, invalid %q, summary %v",
					name, search, len(res.Searches), res.Submittable, res.Invalid, res.Summary)
			}
		}
	}
}

// leaf returns a vertex of the tree that is far from the root: one that is
// nobody's parent and no neighbour of the root.
func leaf(t *hops.Tree) hops.Vertex {
	inner := make(map[hops.Vertex]bool)
	for v := range hops.Vertex(t.Len()) {
		inner[t.Parent(v)] = true
	}
	for v := range hops.Vertex(t.Len()) {
		if p := t.Parent(v); p != hops.NoVertex && p != t.Root && !inner[v] {
			return v
		}
	}
	return t.Root
}

// reroot makes t a perfect tree, but of another root.
func reroot(s *serial, t *hops.Tree) {
	for v := range hops.Vertex(t.Len()) {
		if v != t.Root && t.Parent(v) == t.Root {
			t.Reset()
			_, _ = (&serial{neighbors: s.neighbors}).Search(context.Background(), v, t)
			return
		}
	}
}

func TestInterruptedSearchesAreKept(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	res, err := Run(ctx, Config{Scale: 8}, serialEngine(func(s *serial, _ *hops.Tree) error {
		if s.searches == 1+7+1 { // within the eighth search after the warm-up
			cancel(why)
		}
		return nil
	}), nil)
	if !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if len(res.Searches) != 7 || res.Summary == nil || res.Submittable || res.Invalid != "" {
		t.Fatalf("%d searches, summary %v, submittable %v", len(res.Searches), res.Summary, res.Submittable)
	}
	if !strings.Contains(res.Reasons[0], "7 of 64") || !strings.Contains(res.Reasons[0], "enough") {
		t.Errorf("%q", res.Reasons)
	}
}

func TestInterruptedBeforeTheFirstSearch(t *testing.T) {
	for _, phase := range []string{Generate, Construct, PickRoots, WarmUp} {
		ctx, cancel := context.WithCancel(t.Context())
		res, err := Run(ctx, Config{Scale: 8}, serialEngine(nil), canceller{phase, cancel})
		if !errors.Is(err, context.Canceled) || len(res.Searches) != 0 || res.Summary != nil || res.Submittable {
			t.Errorf("%s: %v, %+v", phase, err, res)
		}
	}
}

// A canceller ends the run when a phase begins.
type canceller struct {
	phase  string
	cancel func()
}

func (canceller) Planned(MemoryPlan) {}
func (canceller) Searched(Search)    {}
func (canceller) Advance(int64)      {}
func (c canceller) Begin(phase string, _ int64, _ string) {
	if phase == c.phase {
		c.cancel()
	}
}
