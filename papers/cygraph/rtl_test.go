package cygraph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/oracle"
	"github.com/gohops/hops/internal/testing/tooltest"
	"github.com/gohops/hops/papers/hdl"
)

// designs are the three that are built for the comparison. FIFOs are small where
// they should fill up.
var designs = []design{
	{Kernels: 1, FPGAs: 1, Hop: 1, Depth: 512, Filter: 64},
	{Kernels: 4, FPGAs: 2, Hop: 3, Depth: 16, Filter: 16},
	{Kernels: 16, FPGAs: 2, Hop: 5, Depth: 64, Filter: 256},
}

// A trial is a design, what its registers are set to, a graph and a root.
type trial struct {
	design
	opts  Options
	scale int
	seed  uint64
}

func (tr trial) String() string {
	return fmt.Sprintf("scale %d seed %d %+v", tr.scale, tr.seed, tr.opts)
}

// draw makes up the n-th trial of a design.
func draw(d design, n int) trial {
	r := rand.New(rand.NewPCG(uint64(d.Kernels), uint64(n)))
	low, slow := 1+r.IntN(150), 1+r.IntN(700)
	o := Options{
		Kernels: d.Kernels, FPGAs: d.FPGAs, Hop: d.Hop, Depth: d.Depth,
		Pace: 1 + r.IntN(2), Turns: r.IntN(2) == 0,
		Split: []int{0, 0, 1, 4, 64}[r.IntN(5)], Burst: 1 << r.IntN(5),
		Filter: d.Filter * r.IntN(2),
		Memory: Memory{
			Channels: 1 << r.IntN(5), Service: r.IntN(100),
			Fast: [2]int{low, low + r.IntN(200)}, Slow: [2]int{slow, slow + r.IntN(400)}, SlowShare: r.IntN(129),
			Stall: []int{0, 0, 100, 600}[r.IntN(4)], Seed: r.Uint64(),
		},
	}
	if r.IntN(2) == 0 {
		o.Split, o.Burst, o.Turns, o.Filter = 0, 1, false, 0 // as published
	}
	if r.IntN(3) == 0 {
		o.Memory.Fast, o.Memory.SlowShare, o.Memory.Service = [2]int{1, 1 + r.IntN(4)}, 0, 0 // faster than the ring
	}
	return trial{d, o, 8 + r.IntN(5), r.Uint64()}
}

// search builds the trial's graph and prepares a search from a random root.
func (tr trial) search(t *testing.T) (*Searcher, hops.Vertex, uint64) {
	t.Helper()
	src, err := edge.NewKronecker(tr.scale, 8, tr.seed, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(context.Background(), src, tr.opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	root := hops.Vertex(tr.seed % uint64(src.NumVertices()))
	for tr.seed%16 != 0 && s.graph.Out.Degree(uint32(root)) == 0 {
		root = (root + 1) % src.NumVertices()
	}
	length, err := s.prepare(uint32(root))
	if err != nil {
		t.Fatal(err)
	}
	return s, root, length
}

// job is the search as the simulation gets it.
func (s *Searcher) job(length uint64) simJob {
	m, o := s.m, s.opts
	job := simJob{
		RowsAt: m.rowsAt, EntriesAt: m.entriesAt, Queue0At: m.queueAt[0], Queue1At: m.queueAt[1],
		Capacity: m.capacity, Length: length,
		Pace: uint64(o.Pace), Split: uint64(o.Split), Burst: uint64(o.Burst),
		Channels: uint64(o.Memory.Channels), Service: uint64(o.Memory.Service),
		FastMin: uint64(o.Memory.Fast[0]), FastMax: uint64(o.Memory.Fast[1]),
		SlowMin: uint64(o.Memory.Slow[0]), SlowMax: uint64(o.Memory.Slow[1]), Slow256: uint64(o.Memory.SlowShare),
		Stall1024: uint64(o.Memory.Stall), Seed: o.Memory.Seed,
		MaxCycles: 20_000_000,
	}
	if o.Turns {
		job.Flags |= 1
	}
	if o.Filter > 0 {
		job.Flags |= 2
	}
	return job
}

// newSimulator builds one, or skips the test where there is no Verilator to do it.
// Where everything is supposed to be installed, its absence is a failure.
func newSimulator(t *testing.T, sources fs.FS, d design) *simulator {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a simulator")
	}
	s, err := buildSimulator(context.Background(), sources, d)
	if errors.Is(err, errNoVerilator) {
		tooltest.Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// disagreement runs a trial on the model and on the hardware and says where they
// part: in the outcome, the levels, the cycles or the contents of memory.
func disagreement(t *testing.T, sim *simulator, tr trial) error {
	s, _, length := tr.search(t)
	memory := slices.Clone(s.m.mem)
	want := s.m.run(context.Background(), length)
	job := s.job(length)
	job.MaxCycles = 2*s.m.now + 10_000
	got, err := sim.run(context.Background(), job, memory)
	if err != nil {
		return err
	}
	if got.Overflow != errors.Is(want, errOverflow) || got.Failed {
		return fmt.Errorf("overflow %t, failed %t; the model says %v", got.Overflow, got.Failed, want)
	}
	if got.Cycles != s.m.now {
		return fmt.Errorf("%d cycles, the model has %d; levels %v against %v", got.Cycles, s.m.now, got.Levels, s.m.log)
	}
	for i, l := range s.m.log {
		if i == len(s.m.log)-1 {
			l.Cycles -= s.m.stop // a level of the hardware ends before the stop
		}
		if i >= len(got.Levels) || got.Levels[i].Cycles != l.Cycles || i > 0 && got.Levels[i-1].Next != l.Length {
			return fmt.Errorf("level %d of %v differs from %+v", i, got.Levels, l)
		}
	}
	for i, word := range s.m.mem {
		if memory[i] != word {
			return fmt.Errorf("word %d is %#x, the model has %#x", i, memory[i], word)
		}
	}
	return nil
}

// The tie: the hardware takes as many cycles as the model in every level of
// every trial, and leaves the same memory. That the model's trees are right is
// TestEngine's business.
func TestHardwareEqualsModel(t *testing.T) {
	for _, d := range designs {
		t.Run(fmt.Sprintf("kernels=%d", d.Kernels), func(t *testing.T) {
			t.Parallel()
			sim := newSimulator(t, hdl.Sources, d)
			for n := range 10 {
				tr := draw(d, n)
				if err := disagreement(t, sim, tr); err != nil {
					t.Errorf("%v: %v", tr, err)
				}
			}
		})
	}
}

// The paper's machine, 64 kernels on 4 FPGAs, takes as many cycles as the model.
func TestHardwareOf64KernelsEqualsModel(t *testing.T) {
	d := design{Kernels: 64, FPGAs: 4, Hop: 8, Depth: 512}
	sim := newSimulator(t, hdl.Sources, d)
	for seed, o := range []Options{{}, {Split: 64, Burst: 2, Turns: true}} {
		tr := trial{d, o, 10, uint64(seed + 7)}
		if err := disagreement(t, sim, tr); err != nil {
			t.Errorf("%v: %v", tr, err)
		}
	}
}

// A queue that is too short is flagged by both, in the same cycle, and nothing is
// written beyond its end.
func TestHardwareOverflow(t *testing.T) {
	for _, d := range designs {
		sim := newSimulator(t, hdl.Sources, d)
		tr := draw(d, 1)
		tr.scale, tr.seed, tr.opts.Queue, tr.opts.Split = 9, 5, 40, 0
		if err := disagreement(t, sim, tr); err != nil {
			t.Errorf("%v: %v", tr, err)
		}
		s, _, length := tr.search(t)
		got, err := sim.run(t.Context(), s.job(length), s.m.mem)
		if err != nil || !got.Overflow {
			t.Errorf("%v: overflow %t, error %v", tr, got.Overflow, err)
		}
	}
}

// A memory that does all that AXI allows changes the number of cycles, but
// neither levels nor the validity of parents.
func TestHardwareOnUnrulyMemory(t *testing.T) {
	for _, d := range designs {
		t.Run(fmt.Sprintf("kernels=%d", d.Kernels), func(t *testing.T) {
			t.Parallel()
			sim := newSimulator(t, hdl.Sources, d)
			for n := range 10 {
				tr := draw(d, 100+n)
				tr.scale, tr.opts.Queue = 8+n%3, 1<<18 // any number of copies
				s, root, length := tr.search(t)
				job := s.job(length)
				job.Chaos = uint64(n + 1)
				got, err := sim.run(t.Context(), job, s.m.mem)
				if err != nil || got.Overflow || got.Failed {
					t.Fatalf("%v: %+v, error %v", tr, got, err)
				}
				checkWords(t, s, root)
			}
		})
	}
}

// checkWords holds the row words that a search left against a plain search.
func checkWords(t *testing.T, s *Searcher, root hops.Vertex) {
	t.Helper()
	level := plainLevels(s, uint32(root))
	tree := hops.NewTree(hops.Vertex(len(level)))
	tree.Root = root
	s.readTree(tree)
	for v, want := range level {
		word := s.m.mem[s.m.rowsAt+uint64(v)]
		if word&1 == 1 && wordLevel(word) != want || word&1 == 0 && want != 0 {
			t.Fatalf("vertex %d has the word %#x, want level %d", v, word, want)
		}
		if want < 2 {
			continue
		}
		parent := tree.Parent(hops.Vertex(v))
		if !slices.Contains(s.graph.Out.Row(uint32(v)), uint32(parent)) || level[parent] != want-1 {
			t.Fatalf("vertex %d at level %d has the parent %d", v, want, parent)
		}
	}
}

// plainLevels are the oracle's: 1 for the root, 0 for what it does not reach.
func plainLevels(s *Searcher, root uint32) (level []uint32) {
	found, _ := oracle.BFS(int(s.graph.NumVertices()), func(v uint32) iter.Seq[uint32] { return slices.Values(s.graph.Out.Row(v)) }, root)
	for _, l := range found {
		level = append(level, uint32(l+1))
	}
	return level
}
