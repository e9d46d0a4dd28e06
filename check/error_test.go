package check

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops"
)

// The graph is 0-1-2-3-4-5 and 6-7; parents are given in order, -1 for none.
func TestErrorsNameWhatIsWrong(t *testing.T) {
	const none = hops.NoVertex
	nowhere := hops.Edge{U: none, V: none}
	g := graph{"path and edge", 8, append(path(0, 6), hops.Edge{U: 6, V: 7})}
	c := newChecker(t, g.source(), 2)
	for _, test := range []struct {
		root    hops.Vertex
		parents []int64
		want    Error
		message string
	}{
		{
			0,
			[]int64{1, 0, 1, 2, 3, 4, -1, -1},
			Error{Root, 0, 1, nowhere, -1, [2]int64{-1, -1}, nil},
			"check: root (rule 1): root 0 must be a vertex and its own parent, its parent is 1",
		},
		{
			none,
			[]int64{0, 0, 1, 2, 3, 4, -1, -1},
			Error{Root, none, none, nowhere, -1, [2]int64{-1, -1}, nil},
			"check: root (rule 1): root none must be a vertex and its own parent, its parent is none",
		},
		{
			0,
			[]int64{0, 0, 1, 8, 8, 4, -1, -1},
			Error{Range, 3, 8, nowhere, -1, [2]int64{-1, -1}, nil},
			"check: range (rule 1): vertex 3 has parent 8, which is not a vertex of the graph",
		},
		{
			0,
			[]int64{0, 0, 1, 2, 3, 5, -1, 7},
			Error{Self, 5, 5, nowhere, -1, [2]int64{-1, -1}, nil},
			"check: self (rule 1): vertex 5 is its own parent but not the root",
		},
		{
			0,
			[]int64{0, 0, 1, 2, 3, 7, 7, -1},
			Error{Orphan, 5, 7, nowhere, -1, [2]int64{-1, -1}, nil},
			"check: orphan (rule 1): vertex 5 has parent 7, which is not in the tree",
		},
		{
			0,
			[]int64{0, 5, 5, 4, 5, 3, 7, 6},
			Error{Cycle, 3, 4, nowhere, -1, [2]int64{-1, -1}, nil},
			"check: cycle (rule 1): vertex 3, with parent 4, is its own ancestor",
		},
		{
			0,
			[]int64{0, 0, 1, 0, 3, 4, -1, -1},
			Error{Branch, 3, 0, hops.Edge{U: 3, V: 0}, -1, [2]int64{-1, -1}, nil},
			"check: branch (rule 5): vertex 3 has parent 0, but no edge joins them",
		},
		{
			0,
			[]int64{0, 0, 1, 2, 0, 4, -1, -1},
			Error{Levels, 3, 2, hops.Edge{U: 4, V: 3}, 3, [2]int64{1, 3}, nil},
			"check: levels (rule 3): edge 3 (4, 3) joins levels 1 and 3; vertex 3 has parent 2",
		},
		{
			0,
			[]int64{0, 0, 1, 2, 3, -1, 0, -1},
			Error{Span, 5, none, hops.Edge{U: 5, V: 4}, 4, [2]int64{-1, 4}, nil},
			"check: span (rule 4): edge 4 (5, 4) leads out of the tree; vertex 5 has no parent",
		},
		{
			0,
			[]int64{0, 0, 1, 2, 3, 4, 5, -1},
			Error{Span, 7, none, hops.Edge{U: 6, V: 7}, 5, [2]int64{6, -1}, nil},
			"check: span (rule 4): edge 5 (6, 7) leads out of the tree; vertex 7 has no parent",
		},
	} {
		tree := hops.NewTree(g.n)
		tree.Root = test.root
		for v, p := range test.parents {
			tree.SetParent(hops.Vertex(v), hops.Vertex(p))
		}
		_, err := c.Tree(context.Background(), tree)
		if got, ok := err.(*Error); !ok || !cmp.Equal(*got, test.want) {
			t.Errorf("got %#v, want %#v", err, test.want)
		} else if got.Error() != test.message {
			t.Errorf("got  %s\nwant %s", got, test.message)
		}
	}
}
