package graph500

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

func TestTime(t *testing.T) {
	src := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}}, 4)
	s, err := serialEngine(nil).Build(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	own := &tidy{Searcher: s}
	tree, err := NewTree(own, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, root := range []hops.Vertex{0, 3} { // the second search reaches nothing of the first
		got, err := Time(t.Context(), own, root, tree)
		if err != nil {
			t.Fatal(err)
		}
		if want := []int64{3, 1}[i]; got.Root != root || got.Vertices != want || got.Time <= 0 || len(got.Levels) == 0 || own.cleared != i+1 {
			t.Errorf("root %d: %+v, cleared %d times", root, got, own.cleared)
		}
	}
	if tree.Parent(0) != hops.NoVertex || tree.Parent(3) != 3 {
		t.Errorf("the tree was not empty before the second search: %v", tree.Narrow)
	}
}

// A maker's tree is the one that is filled.
type maker struct {
	Searcher
	made *hops.Tree
}

func (m *maker) NewTree() (*hops.Tree, error) {
	m.made = hops.NewTree(4)
	return m.made, nil
}

func TestNewTree(t *testing.T) {
	m := &maker{}
	if tree, err := NewTree(m, 99); err != nil || tree != m.made {
		t.Errorf("%v, %v: want the searcher's own", tree, err)
	}
	if tree, err := NewTree(&serial{}, 7); err != nil || tree.Len() != 7 {
		t.Errorf("%v, %v: want room for 7 vertices", tree, err)
	}
}

func TestTimeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Time(ctx, &serial{neighbors: make([][]hops.Vertex, 1)}, 0, hops.NewTree(1)); err == nil {
		t.Error("a search that was cancelled counts")
	}
}
