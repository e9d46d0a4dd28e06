package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph500"
)

// source is a small graph of the benchmark, with roots.
func source(t *testing.T, roots int) (hops.Source, []hops.Vertex) {
	t.Helper()
	src, err := edge.NewKronecker(7, 8, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	from, err := Roots(t.Context(), src, roots)
	if err != nil || len(from) != roots {
		t.Fatalf("%d roots, error %v", len(from), err)
	}
	return src, from
}

// logged is the cpu engine on a model's clock, which takes what the test says and
// logs every search.
func logged(name string, log *[]string, took time.Duration, after func(*hops.Tree)) graph500.Engine {
	return graph500.Engine{Name: name, Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
		s, err := cpu.Build(ctx, src, cpu.Options{Threads: 1})
		return &loggedSearcher{s, name, log, took, after}, err
	}}
}

type loggedSearcher struct {
	*cpu.Searcher
	name  string
	log   *[]string
	took  time.Duration
	after func(*hops.Tree)
}

func (s *loggedSearcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	*s.log = append(*s.log, fmt.Sprint(s.name, root))
	trace, err := s.Searcher.Search(ctx, root, t)
	if s.after != nil {
		s.after(t)
	}
	trace.Clock = hops.Model
	for i := range trace.Levels {
		trace.Levels[i].Time = 0
	}
	trace.Levels[0].Time = s.took
	return trace, err
}

// The host pretends to be a device.
var _ graph500.OnDevice = (*loggedSearcher)(nil)

func (s *loggedSearcher) Slots(int) (int, error)         { return 1, nil }
func (s *loggedSearcher) KeepTree(int) error             { return nil }
func (s *loggedSearcher) CopyTree(int, *hops.Tree) error { return nil }
func (s *loggedSearcher) JoinedOnDevice(context.Context, []hops.Vertex) ([]bool, error) {
	return nil, nil
}

func (s *loggedSearcher) SearchOnDevice(ctx context.Context, root hops.Vertex) (hops.Trace, error) {
	*s.log = append(*s.log, fmt.Sprint("device ", s.name, root))
	return hops.Trace{Clock: hops.Model, Levels: []hops.Level{{Time: s.took}}}, nil
}

func (s *loggedSearcher) VerifyOnDevice(context.Context, int) (levels []int64, edges, loops int64, err error) {
	return []int64{1, 4}, 1000, 7, nil
}

// Engines change fastest, then roots, then rounds; the extras follow in each round.
func TestOrder(t *testing.T) {
	src, roots := source(t, 2)
	var log []string
	extra := Extra{Name: "x", Kind: "peer", Run: func(context.Context, []Search) (time.Duration, error) {
		log = append(log, "x")
		return time.Millisecond, nil
	}}
	counted := 0
	c, err := Compare(t.Context(), src, []graph500.Engine{logged("a", &log, time.Second, nil), logged("b", &log, time.Second, nil)},
		Options{Roots: roots, Rounds: 2, Validate: First, Extras: []Extra{extra}, Searched: func(done, total int) {
			if counted++; done != counted || total != 10 {
				t.Errorf("%d of %d searches, want %d of 10", done, total, counted)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	r, s := roots[0], roots[1]
	round := []string{fmt.Sprint("a", r), fmt.Sprint("b", r), fmt.Sprint("a", s), fmt.Sprint("b", s), "x"}
	if want := slices.Concat(round[:2], round, round); !slices.Equal(log, want) { // one warms up
		t.Errorf("order %v, want %v", log, want)
	}
	if len(c.Searches) != 10 || counted != 10 {
		t.Errorf("%d searches, %d told", len(c.Searches), counted)
	}
	for i, x := range c.Searches {
		if x.Entrant != []int{0, 1, 0, 1, 2}[i%5] || x.Round != 1+i/5 || x.Entrant < 2 && x.Edges == 0 {
			t.Errorf("search %d is %+v", i, x)
		}
	}
}

func TestFigures(t *testing.T) {
	src, roots := source(t, 3)
	var log []string
	half := Extra{Name: "half", Kind: "peer", Run: func(context.Context, []Search) (time.Duration, error) { return 8 * time.Second, nil }}
	c, err := Compare(t.Context(), src, []graph500.Engine{logged("a", &log, 4*time.Second, nil), logged("b", &log, time.Second, nil)},
		Options{Roots: roots, Rounds: 3, Validate: All, Cold: true, Extras: []Extra{half}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Summarize(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ seconds, speed float64 }{{4, 1}, {1, 4}, {8, .5}} {
		f := r.Engines[i]
		if f.MeanSeconds != want.seconds || f.MinSeconds != want.seconds || f.Speed.Median != want.speed || f.Speed.First != want.speed ||
			len(f.RoundSeconds) != 3 || f.Spread.Third != want.seconds {
			t.Errorf("%+v, want %v", f, want)
		}
		perEdge := 0.0
		for _, s := range c.Searches[:6] {
			perEdge += want.seconds / float64(s.Edges) / 6
		}
		if i < 2 && math.Abs(f.HarmonicTEPS*perEdge-1) > 1e-9 {
			t.Errorf("%s: %g TEPS, want %g", f.Engine, f.HarmonicTEPS, 1/perEdge)
		}
		if (f.BuildSeconds > 0) != (i < 2) {
			t.Errorf("%s took %g s to build", f.Engine, f.BuildSeconds)
		}
	}
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(text.Bytes(), &back); err != nil || len(back.Order) != 3*(2*3+1) || *back.Order[2].Root != roots[1] {
		t.Errorf("read back: %v, %d turns", err, len(back.Order))
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text": func(b *bytes.Buffer) error { return r.WriteText(b) },
		"html": func(b *bytes.Buffer) error { return r.WriteHTML(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil || !strings.Contains(b.String(), "half") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A wrong tree is found in the rounds in which it is looked at.
func TestValidation(t *testing.T) {
	src, roots := source(t, 1)
	spoil := func(t *hops.Tree) {
		for v := range hops.Vertex(t.Len()) {
			if t.Parent(v) != hops.NoVertex && t.Parent(v) != v {
				t.SetParent(v, v)
				return
			}
		}
	}
	for _, x := range []struct {
		validate Validation
		from     int // search of the second engine from which on trees are wrong
		refused  bool
	}{{All, 1, true}, {All, 2, true}, {First, 1, true}, {First, 2, false}, {None, 1, false}} {
		var log []string
		searches := 0
		wrong := logged("wrong", &log, 1, func(t *hops.Tree) {
			if searches++; searches >= x.from {
				spoil(t)
			}
		})
		_, err := Compare(t.Context(), src, []graph500.Engine{logged("right", &log, 1, nil), wrong},
			Options{Roots: roots, Rounds: 2, Validate: x.validate, Cold: true})
		if (err != nil) != x.refused || err != nil && !strings.HasPrefix(err.Error(), "wrong, root ") {
			t.Errorf("%+v: error %v", x, err)
		}
	}
}

func TestMissingEngines(t *testing.T) {
	src, roots := source(t, 1)
	var log []string
	broken := graph500.Engine{Name: "broken", Build: func(context.Context, hops.Source) (graph500.Searcher, error) {
		return (*cpu.Searcher)(nil), errors.New("no such device")
	}}
	huge := logged("huge", &log, 1, nil)
	huge.Need = func(hops.Vertex, int64) int64 { return 1 << 50 }
	engines := []graph500.Engine{broken, logged("here", &log, 1, nil), huge}
	o := Options{Roots: roots, Rounds: 1, Validate: First, Available: 1 << 30, Optional: true}
	c, err := Compare(t.Context(), src, engines, o)
	if err != nil || len(c.Searches) != 1 || c.Searches[0].Entrant != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if !strings.Contains(c.Entrants[0].Missing, "no such device") || !strings.Contains(c.Entrants[2].Missing, "of memory") {
		t.Errorf("%+v", c.Entrants)
	}
	o.Optional = false
	if _, err := Compare(t.Context(), src, engines, o); err == nil || !strings.Contains(err.Error(), "broken: no such device") {
		t.Errorf("error %v", err)
	}
}

func TestOnDevice(t *testing.T) {
	src, roots := source(t, 1)
	var log []string
	c, err := Compare(t.Context(), src, []graph500.Engine{logged("d", &log, time.Second, nil)},
		Options{Roots: roots, Rounds: 1, Validate: First, Cold: true, OnDevice: true})
	if err != nil || len(log) != 1 || !strings.HasPrefix(log[0], "device d") || c.Searches[0].Edges != 1000 || c.Searches[0].Vertices != 5 {
		t.Errorf("%v, %v, %v", log, c, err)
	}
	plain := graph500.Engine{Name: "plain", Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
		return cpu.Build(ctx, src, cpu.Options{})
	}}
	if _, err := Compare(t.Context(), src, []graph500.Engine{plain}, Options{Roots: roots, Rounds: 1, OnDevice: true}); err == nil {
		t.Error("an engine without device took part")
	}
}

func TestMany(t *testing.T) {
	src, roots := source(t, 70)
	g, err := csr.Build(t.Context(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	s, err := many.New(g, many.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var log []string
	c, err := Compare(t.Context(), src, []graph500.Engine{logged("a", &log, time.Second, nil)},
		Options{Roots: roots, Rounds: 1, Validate: First, Cold: true, Extras: []Extra{Many(s, g, roots)}})
	if err != nil || len(c.Searches) != 71 || c.Searches[70].Time <= 0 {
		t.Fatalf("%d searches, %v", len(c.Searches), err)
	}
	c.Searches[5].Depths[1]++ // as if the other search had been wrong
	if _, err := Many(s, g, roots).Run(t.Context(), c.Searches); err == nil {
		t.Error("a difference was not found")
	}
}

func TestPeerTime(t *testing.T) {
	for out, want := range map[string]time.Duration{
		"Trial Time: 0.5\nAverage Time:        0.25000\n":                            250 * time.Millisecond,
		"bfs  min_time: 1\nbfs  harmonic_mean_TEPS:     !  4e+08\nvalidation: 3.5\n": 250 * time.Millisecond,
		"bfs  mean_time:              0.5\nbfs  harmonic_mean_TEPS:     2e+08\n":     500 * time.Millisecond,

		"searching\nmean 0.125\n": 125 * time.Millisecond,
	} {
		if got, err := PeerTime(out, "", 1e8); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", out, got, err, want)
		}
	}
	for _, out := range []string{"", "done", "-1", "0", "NaN", "Average Time: none"} {
		if got, err := PeerTime(out, "", 1e8); err == nil {
			t.Errorf("%q has the time %v", out, got)
		}
	}
}

func TestPeer(t *testing.T) {
	if got, err := Peer("p", "echo said; echo 0.5", "", 1).Run(t.Context(), nil); err != nil || got != time.Second/2 {
		t.Errorf("%v, %v", got, err)
	}
	_, err := Peer("p", "echo it is broken >&2; exit 3", "", 1).Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "it is broken") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v", err)
	}
}

func TestMedian(t *testing.T) {
	src, roots := source(t, 1)
	var log []string
	s, err := logged("a", &log, time.Second, nil).Build(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	took := []time.Duration{5, 1, 4, 2, 3}
	own := s.(*loggedSearcher)
	own.after = func(*hops.Tree) { own.took, took = took[0]*time.Second, took[1:] }
	m, err := Median(t.Context(), s, roots[0], hops.NewTree(src.NumVertices()), 5)
	if err != nil || m.Time != 3*time.Second {
		t.Errorf("%v, %v", m.Time, err)
	}
	if _, err := Median(t.Context(), s, roots[0], nil, 0); err == nil {
		t.Error("no runs have a median")
	}
}

// One vertex of many leads somewhere: it is found, though the benchmark's draw may miss it.
func TestRootsOfFewVertices(t *testing.T) {
	const n = 5000
	for v := hops.Vertex(0); v < n; v += 997 {
		got, err := Roots(t.Context(), hops.Directed(edge.List([]hops.Edge{{U: v, V: n - 1}}, n)), 8)
		if err != nil || len(got) != 1 || got[0] != v {
			t.Errorf("roots %v, error %v; want %d", got, err, v)
		}
	}
}
