package cygraph

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/papers/hdl"
)

var resultsFolder = flag.String("results", "", "folder for the tables of TestResults, which does nothing without it")

// The tables in docs/results are made by
//
//	go test ./papers/cygraph -run TestResults/NAME -timeout 1h -results docs/results
//
// with NAME one of paper, large, beyond, card, tie, resources.
func TestResults(t *testing.T) {
	dir := *resultsFolder
	if dir == "" {
		t.Skip("-results does not say where tables go")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join("../..", dir)
	}
	for name, make := range map[string]func(*table){
		"paper": paper, "large": large, "beyond": beyond, "card": card, "tie": tie, "resources": resources,
	} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Create(filepath.Join(dir, "cygraph-"+name+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Close() })
			make(&table{T: t, File: f})
		})
	}
}

// A table is a CSV file in the making.
type table struct {
	*testing.T
	*os.File
}

func (t *table) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(t.File, format, args...); err != nil {
		t.Fatal(err)
	}
}

const searchColumns = "graph,log2 vertices,degree,machine,kernels,fpgas,pace,memory," +
	"levels,reached,entries,pushed per vertex,requests per entry,cycles,model ms,Gentries/s,bound,share of bound\n"

// A subject is a graph that is built once for several machines.
type subject struct {
	name          string
	scale, degree int
	src           hops.Source
}

func paperGraph(skewed bool, scale, degree int) subject {
	s := subject{"random", scale, degree, random{scale, int64(degree) << scale / 2, skewed}}
	if skewed {
		s.name = "R-MAT"
	}
	return s
}

func (s subject) build(t *table, o Options) *Searcher {
	x, err := Build(context.Background(), s.src, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// refit puts the graph of a searcher into another machine.
func (s *Searcher) refit(t *table, o Options) {
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	s.opts = o.withDefaults()
	if err := s.newMachine(firstQueue(s.graph.NumVertices())); err != nil {
		t.Fatal(err)
	}
}

// row searches from the first vertex in a fixed order that reaches at least half of
// the connected vertices, and prints what the machine did.
func (t *table) row(g subject, s *Searcher, machine, memory string) {
	tree := hops.NewTree(g.src.NumVertices())
	for try := uint64(1); try < 100; try++ {
		root := hops.Vertex(mix(try)) % g.src.NumVertices()
		tree.Reset()
		trace, err := s.Search(context.Background(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		if reached := trace.Found() + 1; reached > s.graph.NumConnected()/2 {
			t.account(g, s, machine, memory, trace, reached)
			return
		}
	}
	t.Fatalf("no root of %v reaches half of it", g)
}

func (t *table) account(g subject, s *Searcher, machine, memory string, trace hops.Trace, reached int64) {
	var entries, pushed, requests int64
	var cycles uint64
	for v, word := range s.m.mem[:s.m.vertices] {
		if word&1 == 1 {
			entries += s.graph.Out.Degree(uint32(v))
		}
	}
	for _, l := range s.Levels() {
		pushed, requests, cycles = pushed+l.Pushed, requests+l.Requests, cycles+l.Cycles
	}
	o := s.opts
	rate, bound := float64(entries)/trace.Time().Seconds(), upperBound(o, reached, entries)
	t.printf("%s,%d,%d,%s,%d,%d,%d,%s,%d,%d,%d,%.3f,%.3f,%d,%.3f,%.3f,%.3f,%.3f\n",
		g.name, g.scale, g.degree, machine, o.Kernels, o.FPGAs, o.Pace, memory,
		len(trace.Levels), reached, entries, float64(pushed)/float64(reached), float64(requests)/float64(entries),
		cycles, trace.Time().Seconds()*1e3, rate/1e9, bound/1e9, rate/bound)
}

// evenHC2 is ConveyHC2 without its slow quarter.
func evenHC2() Memory {
	m := ConveyHC2
	m.SlowShare = 0
	return m
}

// published is the paper's machine with 4 FPGAs and with 1, each with both rates of
// the multiplexer.
var published = []Options{{Kernels: 64}, {Kernels: 64, Pace: 2}, {Kernels: 16}, {Kernels: 16, Pace: 2}}

// paper: the paper's graphs of 2²⁰ vertices, and what its memory's slow quarter costs.
func paper(t *table) {
	t.printf(searchColumns)
	for _, degree := range []int{16, 8, 32, 64} {
		for _, skewed := range []bool{false, true} {
			g := paperGraph(skewed, 20, degree)
			s := t.rows(g)
			if degree == 16 {
				s.refit(t, Options{})
				t.row(g, s, "published", "HC-2")
				s.refit(t, Options{Turns: true})
				t.row(g, s, "turns", "HC-2")
			}
			_ = s.Close()
		}
	}
}

// large: the same up to the paper's largest number of vertices, which takes more
// than an hour of one core; rows are in the order in which they are finished.
func large(t *table) {
	t.printf(searchColumns)
	for scale := 23; scale >= 21; scale-- {
		for _, degree := range []int{64, 32, 16, 8} {
			for _, skewed := range []bool{false, true} {
				g := paperGraph(skewed, scale, degree)
				t.Run(fmt.Sprint(g.name, scale, degree), func(sub *testing.T) {
					sub.Parallel()
					_ = (&table{T: sub, File: t.File}).rows(g).Close()
				})
			}
		}
	}
}

// rows searches one graph on every published machine, on as many of them at a time
// as there are cores.
func (t *table) rows(g subject) *Searcher {
	building.Lock()
	s := g.build(t, Options{})
	building.Unlock()
	var all sync.WaitGroup
	for _, m := range published {
		m.Memory = evenHC2()
		all.Go(func() {
			cores <- struct{}{}
			defer func() { <-cores }()
			own := &Searcher{graph: s.graph}
			own.refit(t, m)
			t.row(g, own, "published", "HC-2 even")
			_ = own.mem.Close()
		})
	}
	all.Wait()
	return s
}

var (
	building sync.Mutex // uses all cores
	cores    = make(chan struct{}, runtime.GOMAXPROCS(0))
)

// beyond: Graph500 graphs on the published machine and on what goes beyond it.
func beyond(t *table) {
	t.printf(searchColumns)
	for scale := 16; scale <= 20; scale++ {
		src, err := edge.NewKronecker(scale, 16, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		g := subject{"Graph500", scale, 32, src}
		byLabel, byDegree := g.build(t, Options{}), g.build(t, Options{ByDegree: true})
		for _, m := range []struct {
			name string
			s    *Searcher
			o    Options
		}{
			{"published", byLabel, Options{}},
			{"turns", byLabel, Options{Turns: true}},
			{"burst 2", byLabel, Options{Burst: 2}},
			{"split 64", byLabel, Options{Split: 64}},
			{"split 1024", byLabel, Options{Split: 1024}},
			{"filter 16384", byLabel, Options{Filter: 1 << 14}},
			{"split and filter", byLabel, Options{Split: 1024, Filter: 1 << 14}},
			{"all top-down", byLabel, Options{Split: 1024, Filter: 1 << 14, Burst: 2, Turns: true}},
			{"published; rows by degree", byDegree, Options{ByDegree: true}},
			{"bottom-up; rows by degree", byDegree, Options{BottomUp: true, ByDegree: true}},
			{"all", byDegree, Options{Split: 64, Filter: 1 << 14, Burst: 2, Turns: true, BottomUp: true, ByDegree: true}},
		} {
			if scale == 20 && m.o.ByDegree && !m.o.BottomUp {
				continue // slow, and scale 19 has made the point
			}
			m.s.refit(t, m.o)
			t.row(g, m.s, m.name, "HC-2")
		}
		_, _ = byLabel.Close(), byDegree.Close()
	}
}

// projected is a card of today as we imagine it, at 300 MHz: 32 channels of HBM2,
// each of which answers one request of 8 bytes a cycle in 100 to 250 ns, and in
// up to 500 ns for an eighth of them. Longer reads cost a channel no less a word.
var projected = Memory{
	Channels: 32, Service: 64, Fast: [2]int{30, 75}, Slow: [2]int{75, 150}, SlowShare: 32, Seed: 1,
}

// card: a projection, nothing that was built.
func card(t *table) {
	t.printf(searchColumns)
	src, err := edge.NewKronecker(20, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	g := subject{"Graph500", 20, 32, src}
	plain := Options{Kernels: 32, FPGAs: 1, Clock: 300, Memory: projected}
	topDown := plain
	topDown.Split, topDown.Filter, topDown.Burst, topDown.Turns = 1024, 1<<14, 2, true
	all := topDown
	all.Split, all.BottomUp, all.ByDegree = 64, true, true
	for _, m := range []struct {
		name string
		o    Options
	}{{"published", plain}, {"all top-down", topDown}, {"all", all}} {
		s := g.build(t, m.o)
		t.row(g, s, m.name, "HBM2 card")
		_ = s.Close()
	}
}

// tie: the published machine, all 64 kernels, in the model and in the hardware.
func tie(t *table) {
	t.printf("log2 vertices,machine,kernels,memory,cycles of the model,cycles of the hardware,same memory\n")
	d := design{Kernels: 64, FPGAs: 4, Hop: 8, Depth: 512, Filter: 1 << 14}
	sim := newSimulator(t.T, hdl.Sources, d)
	for scale := 10; scale <= 14; scale += 2 {
		for i, o := range []Options{{}, {Split: 1024, Filter: 1 << 14, Burst: 2, Turns: true}} {
			s, _, length := trial{d, o, scale, 7}.search(t.T)
			memory := slices.Clone(s.m.mem)
			if err := s.m.run(t.Context(), length); err != nil {
				t.Fatal(err)
			}
			got, err := sim.run(t.Context(), s.job(length), memory)
			if err != nil {
				t.Fatal(err)
			}
			t.printf("%d,%s,64,HC-2,%d,%d,%t\n", scale, []string{"published", "all top-down"}[i], s.m.now, got.Cycles, slices.Equal(memory, s.m.mem))
		}
	}
}

// resources: what yosys makes of the design.
func resources(t *table) {
	t.printf("module,family,LUT,FF,RAMB36,RAMB18,carry\n")
	for _, family := range []string{"xc5v", "xcup"} {
		for _, module := range []string{"cygraph_kernel", "cygraph_axi", "cygraph_master", "cygraph_regs", "cygraph_filter", hdl.Top} {
			var parameters map[string]int
			if module == hdl.Top {
				parameters = map[string]int{"KERNELS": 16}
			}
			r, err := hdl.Synthesise(t.Context(), module, family, parameters)
			if err != nil {
				t.Fatal(err)
			}
			t.printf("%s,%s,%d,%d,%d,%d,%d\n", module, family, r.LUT, r.FF, r.RAMB36, r.RAMB18, r.Carry)
		}
	}
}
