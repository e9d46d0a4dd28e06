package intake

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/gohops/hops"
)

// list is a source whose reading a test decides.
type list struct {
	hops.Source
	count int64
	read  func(dst []hops.Edge, off int64) (int, error)
}

func (l list) NumEdges() int64                                 { return l.count }
func (l list) NumVertices() hops.Vertex                        { return 10 }
func (l list) EdgesAt(dst []hops.Edge, off int64) (int, error) { return l.read(dst, off) }

func TestFill(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		n    int
		err  error
		want error
	}{
		{"all", 4, nil, nil},
		{"all, and the end", 4, io.EOF, nil},
		{"all, and a failure", 4, broken, broken},
		{"too few", 3, nil, io.ErrUnexpectedEOF},
		{"too few, and the end", 3, io.EOF, io.ErrUnexpectedEOF},
		{"too few, and an end of its own", 3, errors.Join(io.EOF, broken), broken},
		{"fewer than none", -1, nil, io.ErrUnexpectedEOF},
	} {
		src := list{count: 9, read: func([]hops.Edge, int64) (int, error) { return c.n, c.err }}
		if err := Fill(src, make([]hops.Edge, 4), nil, 2); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
	tooMany := list{count: 9, read: func([]hops.Edge, int64) (int, error) { return 5, nil }}
	if err := Fill(tooMany, make([]hops.Edge, 4), nil, 2); err == nil || !strings.Contains(err.Error(), "gave 5 edges") {
		t.Errorf("too many: error %v", err)
	}
	if _, err := Count(list{count: -1}); err == nil {
		t.Error("fewer edges than none were accepted")
	}
}

func TestChecks(t *testing.T) {
	edges := []hops.Edge{{U: 1, V: 2}, {U: 9, V: 10}}
	if err := Labels(edges, 11, 0); err != nil {
		t.Error(err)
	}
	if err := Labels(edges, 10, 5); err == nil || !strings.Contains(err.Error(), "edge 6 joins 9 and 10") {
		t.Errorf("error %v", err)
	}
	for _, bad := range []float32{-1, float32(math.Inf(1)), float32(math.NaN())} {
		if Weights(edges, []float32{1, bad}, 0) == nil {
			t.Errorf("weight %v was accepted", bad)
		}
	}
	zero := []float32{float32(math.Copysign(0, -1))}
	if err := Weights(edges[:1], zero, 0); err != nil || math.Signbit(float64(zero[0])) {
		t.Errorf("-0 became %v, error %v", zero, err)
	}
	if Digest(edges) != Digest([]hops.Edge{edges[1], edges[0]}) || Digest(edges) == Digest([]hops.Edge{{U: 2, V: 1}, edges[1]}) {
		t.Error("a digest depends on the edges and their direction, not on their order")
	}
}
