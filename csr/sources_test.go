package csr

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/topo"
)

// A source that breaks its contract in one way.
type broken struct {
	list
	count int64 // what NumEdges says
	read  func(dst []hops.Edge, off int64) (int, error)
}

func (s *broken) NumEdges() int64                                 { return s.count }
func (s *broken) EdgesAt(dst []hops.Edge, off int64) (int, error) { return s.read(dst, off) }

func breaking(l list, read func(dst []hops.Edge, off int64) (int, error)) *broken {
	return &broken{list: l, count: l.NumEdges(), read: read}
}

// Every reading of a fickle source gives all edges to another vertex.
func fickle(l list, directed bool) hops.Source {
	var edges atomic.Int64
	s := breaking(l, func(dst []hops.Edge, off int64) (int, error) {
		n, err := l.EdgesAt(dst, off)
		reading := hops.Vertex(edges.Add(int64(n))-1) / hops.Vertex(l.NumEdges())
		for i := range dst[:n] {
			dst[i].U = reading % l.n
		}
		return n, err
	})
	if directed {
		return hops.Directed(s)
	}
	return s
}

func TestSourcesThatBreakTheirContract(t *testing.T) {
	l := skewed(1000, 20_000)
	disk := errors.New("the disk is on fire")
	for name, c := range map[string]struct {
		src  hops.Source
		want string
	}{
		"other edges":            {fickle(l, false), "*csr.broken) gave other edges"},
		"other edges, directed":  {fickle(l, true), "gave other edges"},
		"negative":               {&broken{list: l, count: -1}, "*csr.broken) says that it has -1 edges"},
		"full count, with error": {breaking(l, func(dst []hops.Edge, off int64) (int, error) { n, _ := l.EdgesAt(dst, off); return n, disk }), "of 20000: the disk is on fire"},
		"more than asked":        {breaking(l, func(dst []hops.Edge, _ int64) (int, error) { return len(dst) + 1, nil }), "*csr.broken) gave"},
		"less than none":         {breaking(l, func([]hops.Edge, int64) (int, error) { return -1, nil }), "of 20000: unexpected EOF"},
	} {
		for range 10 {
			_, err := Build(context.Background(), c.src, 2)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", name, err, c.want)
				break
			}
		}
	}
}

// A source may swap two edges' ends between readings, so that all degrees stay.
func TestOtherEdgesOfTheSameDegrees(t *testing.T) {
	var calls atomic.Int64
	s := breaking(list{4, make([]hops.Edge, 2)}, func(dst []hops.Edge, off int64) (int, error) {
		pairs := []hops.Edge{{U: 0, V: 1}, {U: 2, V: 3}}
		if calls.Add(1) > 1 {
			pairs = []hops.Edge{{U: 0, V: 3}, {U: 2, V: 1}}
		}
		return copy(dst, pairs[off:]), nil
	})
	if _, err := Build(context.Background(), s, 1); err == nil {
		t.Error("built a graph of two lists")
	}
}

// A second reading may have one entry more for a bucket of rows than there is room for.
func TestOneEntryTooMany(t *testing.T) {
	for _, last := range []bool{false, true} {
		var calls atomic.Int64
		s := breaking(list{256, make([]hops.Edge, 3)}, func(dst []hops.Edge, off int64) (int, error) {
			edges := []hops.Edge{{U: 0, V: 1}, {U: 64, V: 65}, {U: 254, V: 255}}
			if calls.Add(1) > 1 && last {
				edges[0].V = 255
			} else if calls.Load() > 1 {
				edges[0].V = 65
			}
			return copy(dst, edges[off:]), nil
		})
		if _, err := Build(context.Background(), s, 1); err == nil || !strings.Contains(err.Error(), "gave other edges") {
			t.Errorf("error %v", err)
		}
	}
}

// An absurd number of edges is refused; where memory is unknown, the context ends it.
func TestAbsurdNumberOfEdges(t *testing.T) {
	endless := &broken{list: list{n: 10}, count: 1 << 62, read: func(dst []hops.Edge, _ int64) (int, error) {
		for i := range dst {
			dst[i] = hops.Edge{U: 1, V: 1}
		}
		return len(dst), nil
	}}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := buildWithin(ctx, endless, nil, 2, func(int64) error { return nil })
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > time.Minute {
		t.Errorf("%v after %v", err, took)
	}
}

func TestRefusesWhatDoesNotFit(t *testing.T) {
	fits := func(bytes int64) error {
		if bytes > 1<<30 {
			return &topo.Shortage{Needed: bytes, Available: 1 << 30}
		}
		return nil
	}
	_, err := buildWithin(context.Background(), list{4_000_000_000, nil}, nil, 2, fits)
	var short *topo.Shortage
	if !errors.As(err, &short) || !strings.Contains(err.Error(), "4000000000 vertices and 0 edges needs 9") {
		t.Errorf("error %v", err)
	}
	if _, err := buildWithin(context.Background(), skewed(100, 1000), nil, 2, fits); err != nil {
		t.Error(err)
	}
}

func TestParallelEdgesDoNotWrap(t *testing.T) {
	l := list{2, []hops.Edge{{U: 0, V: 1}}}
	team := par.NewTeam(1, nil)
	defer team.Close()
	g := build(t, l, 1)
	b := builder{Graph: g, mem: &arena.Arena{}, ctx: context.Background(), src: l, team: team, n: 2, count: []uint32{math.MaxUint32, 7}}
	if err := b.countEntries(); err == nil || !strings.Contains(err.Error(), "vertex 0 has more than 4294967295 edges") {
		t.Errorf("error %v", err)
	}
}
