package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/par"
)

// A wild source is a list that keeps no promise: it may name vertices that do
// not exist, end early, or fail.
type wild struct {
	graph
	length int64 // claimed
	fail   error // at the end of what there is
}

func (w wild) NumVertices() hops.Vertex { return w.n }
func (w wild) NumEdges() int64          { return w.length }

func (w wild) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n := copy(dst, w.edges[min(off, int64(len(w.edges))):])
	if off+int64(n) == int64(len(w.edges)) {
		return n, w.fail
	}
	return n, nil
}

func TestSourcesThatFail(t *testing.T) {
	const n = 5000
	line := graph{"path", n, path(0, n)}
	tree := search(line.rows(), 0)
	broken := errors.New("disk on fire")
	stray := graph{"stray", n, append(path(0, n), hops.Edge{U: 3, V: n}, hops.Edge{U: n, V: 3})}
	for _, c := range []struct {
		name string
		src  wild
		want error
		text string
	}{
		{"whole list with io.EOF", wild{line, n - 1, io.EOF}, nil, ""},
		{"whole list with nil", wild{line, n - 1, nil}, nil, ""},
		{"ends early", wild{line, n + 1, io.EOF}, io.ErrUnexpectedEOF, "check: reading edges 4096 to 5001: "},
		{"ends early without a word", wild{line, n + 1, nil}, io.ErrUnexpectedEOF, "check: reading edges 4096 to 5001: "},
		{"fails", wild{line, n + 1, broken}, broken, "check: reading edges 4096 to 5001: "},
		{"names no vertex", wild{stray, n + 1, nil}, nil, "check: edge 4999 (3, 5000) is not within the 5000 vertices of its source"},
	} {
		_, treeErr := newChecker(t, c.src, 2).Tree(context.Background(), tree)
		_, edgeErr := HasEdge(context.Background(), c.src, 2)
		for _, err := range []error{treeErr, edgeErr} {
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", c.name, err, c.want)
			}
			if (err == nil) != (c.text == "") || err != nil && !strings.HasPrefix(err.Error(), c.text) {
				t.Errorf("%s: got %v, want %q", c.name, err, c.text)
			}
		}
	}
}

// A level fault before a stray edge in the same block is the lower one.
func TestTreeFaultBeforeAStrayEdge(t *testing.T) {
	g := graph{"stray", 10, append(path(0, 10), hops.Edge{U: 3, V: 10})}
	tree := search(neighbours(g.n, g.edges[:9]), 0)
	tree.SetParent(9, hops.NoVertex)
	_, err := newChecker(t, wild{g, 10, nil}, 1).Tree(context.Background(), tree)
	var fault *Error
	if !errors.As(err, &fault) || fault.Rule != Span || fault.Index != 8 {
		t.Errorf("got %v, want edge 8 under rule span", err)
	}
}

// Whichever of two chunks fails first, the error is that of the lower.
func TestLowestErrorInAnyOrder(t *testing.T) {
	workers := par.NewTeam(2, nil)
	defer workers.Close()
	for _, first := range []int64{0, 1} {
		failed := make(chan struct{})
		var started sync.WaitGroup
		started.Add(2)
		err := lowest(context.Background(), workers, 2, 1, func(_ int, lo, _ int64) error {
			started.Done()
			started.Wait()
			if lo == first {
				defer close(failed)
			} else {
				<-failed
				time.Sleep(10 * time.Millisecond) // until the other's error is recorded
			}
			return fmt.Errorf("chunk %d", lo)
		})
		if err == nil || err.Error() != "chunk 0" {
			t.Errorf("chunk %d fails first: got %v", first, err)
		}
	}
}

func TestHasEdge(t *testing.T) {
	g := graph{"random", 1000, random(9, 0, 1000, 900)}
	got, err := HasEdge(context.Background(), g.source(), 3)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[hops.Vertex]bool)
	for _, e := range g.edges {
		if e.U != e.V {
			want[e.U], want[e.V] = true, true
		}
	}
	var all []hops.Vertex
	for v := range g.n {
		if got(v) != want[v] {
			t.Errorf("vertex %d: %v, want %v", v, got(v), want[v])
		}
		all = append(all, g.n-1-v)
	}
	joined, err := Joined(context.Background(), g.source(), 3, all)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range all {
		if joined[i] != want[v] {
			t.Errorf("vertex %d is joined: %v, want %v", v, joined[i], want[v])
		}
	}
}

// A search in a directed graph leads somewhere from a vertex with an edge out of it only.
func TestHasEdgeOut(t *testing.T) {
	src := hops.Directed(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 2, V: 2}, {U: 1, V: 3}}, 4))
	has, err := HasEdge(t.Context(), src, 1)
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range []bool{true, true, false, false} {
		if got := has(hops.Vertex(v)); got != want {
			t.Errorf("vertex %d: %v, want %v", v, got, want)
		}
	}
}

func TestLoopsAreNoEdges(t *testing.T) {
	g := graph{"loops", 4, pairs(0, 0, 1, 2, 2, 2, 3, 3)}
	got, err := HasEdge(context.Background(), g.source(), 1)
	if err != nil || got(0) || !got(1) || !got(2) || got(3) {
		t.Errorf("%v, %v, %v, %v, %v, want vertices 1 and 2", got(0), got(1), got(2), got(3), err)
	}
}

// A fuse is a context that is cancelled after it has been asked some times.
type fuse struct {
	context.Context
	left int
}

func (f *fuse) Err() error {
	if f.left--; f.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever the context is cancelled, Tree says so, and the checker can be used
// again. The path is long enough for a climb to be interrupted.
func TestCancelledAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("checks one tree hundreds of times")
	}
	const n = stepsPerLook + 100
	g := graph{"path", n, path(0, n)}
	tree := search(g.rows(), n-1) // so that the first climb is the longest
	c := newChecker(t, g.source(), 1)
	asked := 0
	for ; ; asked += 1 + asked/16 { // every place once, and blocks now and then
		result, err := c.Tree(&fuse{context.Background(), asked}, tree)
		if err == nil {
			if result.Vertices != n {
				t.Errorf("accepted with %d vertices", result.Vertices)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at question %d: %v", asked, err)
		}
	}
	chunks := 4*n/vertexGrain + n/blockTuples
	if asked < chunks {
		t.Errorf("asked %d times, want once for each of %d chunks", asked, chunks)
	}
}

func TestHasEdgeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := graph{"path", 10, path(0, 10)}
	if _, err := HasEdge(ctx, g.source(), 2); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
