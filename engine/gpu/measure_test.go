package gpu

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/mrg"
	"github.com/gohops/hops/internal/nvml"
	"github.com/gohops/hops/level"
)

// TestMeasure prints what docs/results holds: for the scales in HOPS_GPU_SCALES,
// 64 searches each, every tree verified on the device. HOPS_GPU_OPTIONS is a list
// of variants such as "alpha=50;threads=512,blocks=264".
func TestMeasure(t *testing.T) {
	scales := os.Getenv("HOPS_GPU_SCALES")
	if scales == "" {
		t.Skip("HOPS_GPU_SCALES names no scales")
	}
	for _, text := range strings.Split(scales, ",") {
		scale, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, variant := range strings.Split(os.Getenv("HOPS_GPU_OPTIONS"), ";") {
			measure(t, scale, variant)
		}
	}
}

// parseVariant fills options from "name=number" pairs.
func parseVariant(t *testing.T, variant string) Options {
	t.Helper()
	o := Options{Driver: cmp.Or(os.Getenv("HOPS_GPU_DRIVER"), "cuda"), DeviceTree: true}
	fields := map[string]*int{"alpha": &o.Alpha, "beta": &o.Beta, "dense": &o.Dense, "threads": &o.Threads, "blocks": &o.Blocks}
	for _, pair := range strings.Split(variant, ",") {
		name, value, _ := strings.Cut(pair, "=")
		number, _ := strconv.Atoi(value)
		switch {
		case name == "hot":
			o.Hot = true
		case name == "stepped":
			o.Stepped = level.AlphaBeta{Alpha: 25, Beta: 24}
		case fields[name] != nil:
			*fields[name] = number
		case name != "":
			t.Fatalf("variant %q: no option %q", variant, name)
		}
	}
	return o
}

func measure(t *testing.T, scale int, variant string) {
	ctx := context.Background()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	warm, err := Build(ctx, edge.List(nil, 1), parseVariant(t, variant)) // the driver starts and compiles
	if err != nil {
		t.Fatal(err)
	}
	defer warm.Close()
	began := time.Now()
	s, err := Build(ctx, src, parseVariant(t, variant))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	built := time.Since(began)
	roots := benchmarkRoots(t, s, src, count())
	v, err := s.NewVerifier(src, len(roots))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	tree := &hops.Tree{Narrow: make([]uint32, src.NumVertices())}
	if _, err := s.Search(ctx, roots[0], tree); err != nil { // a warm-up, as in the reference
		t.Fatal(err)
	}
	traces, walls := make([]hops.Trace, len(roots)), hostTimes(t, s, roots, tree)
	var reached []int64
	for i, root := range roots {
		trace, err := s.Search(ctx, root, tree)
		if err != nil {
			t.Fatal(err)
		}
		traces[i] = trace.Clone()
		if err := v.Keep(root); err != nil { // on the device: a host that copied it would leave that idle
			t.Fatal(err)
		}
		if v.Full() || i+1 == len(roots) {
			reached = append(reached, verified(t, v, traces[len(reached):i+1])...)
		}
	}
	var perEdge []float64
	var slowest hops.Trace
	for i, edges := range reached {
		perEdge = append(perEdge, traces[i].Time().Seconds()/float64(edges))
		walls[i] /= float64(edges)
		if traces[i].Time() > slowest.Time() {
			slowest = traces[i]
		}
	}
	edges := reached[len(reached)-1]
	typical := traces[1%len(traces)]
	mean, dev := meanDeviation(perEdge)
	wallMean, _ := meanDeviation(walls)
	slices.Sort(perEdge)
	n := len(perEdge)
	fmt.Printf("scale %d [%s] build %v, %d roots, m %d: device %.1f GTEPS ± %.1f (min %.1f median %.1f max %.1f), without host copy %.1f\n",
		scale, variant, built.Round(time.Millisecond), n, edges, 1e-9/mean, 1e-9*dev/(mean*mean)/math.Sqrt(float64(n-1)),
		1e-9/perEdge[n-1], 1e-9/perEdge[n/2], 1e-9/perEdge[0], 1e-9/wallMean)
	printHost(t, s, roots, edges)
	if os.Getenv("HOPS_GPU_LEVELS") != "" {
		printLevels("typical", typical)
		printLevels("slowest", slowest)
	}
}

// TestMeasureGrid prints the time of a level on a graph with thousands of them.
func TestMeasureGrid(t *testing.T) {
	if os.Getenv("HOPS_GPU_SCALES") == "" {
		t.Skip("HOPS_GPU_SCALES names no scales")
	}
	const width, height = 1000, 3001
	var edges []hops.Edge
	for v := hops.Vertex(0); v < width*height; v++ {
		if v%width > 0 {
			edges = append(edges, hops.Edge{U: v, V: v - 1})
		}
		if v >= width {
			edges = append(edges, hops.Edge{U: v, V: v - width})
		}
	}
	src := edge.List(edges, width*height)
	s, err := Build(context.Background(), src, parseVariant(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := s.NewVerifier(src, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for range 3 {
		trace, err := s.Search(context.Background(), 0, hops.NewTree(src.NumVertices()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Tree(context.Background(), 0); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("grid %d × %d: %d levels, %v, %.2f µs a level\n", width, height, len(trace.Levels), trace.Time(),
			float64(trace.Time().Nanoseconds())/1000/float64(len(trace.Levels)))
	}
}

func count() int {
	return number("HOPS_GPU_ROOTS", 64)
}

// hostTimes are the seconds that searches take by the host's clock.
func hostTimes(t *testing.T, s *Searcher, roots []hops.Vertex, tree *hops.Tree) []float64 {
	t.Helper()
	times := make([]float64, len(roots))
	for i, root := range roots {
		start := time.Now()
		if _, err := s.Search(context.Background(), root, tree); err != nil {
			t.Fatal(err)
		}
		times[i] = time.Since(start).Seconds()
	}
	return times
}

// printHost prints what a host sees: the time with the copy of the tree to pinned
// memory, and the energy of searches that follow each other without a pause.
func printHost(t *testing.T, s *Searcher, roots []hops.Vertex, edges int64) {
	t.Helper()
	tree, err := s.NewTree()
	if err != nil {
		t.Fatal(err)
	}
	s.options.DeviceTree = false
	var copied []float64
	for _, root := range roots {
		start := time.Now()
		if _, err := s.Search(context.Background(), root, tree); err != nil {
			t.Fatal(err)
		}
		copied = append(copied, time.Since(start).Seconds()/float64(edges))
	}
	s.options.DeviceTree = true
	mean, _ := meanDeviation(copied)
	fmt.Printf("  with the tree copied to the host: %.1f GTEPS\n", 1e-9/mean)
	meter, err := nvml.Open(0)
	if err != nil {
		fmt.Println("  energy:", err)
		return
	}
	before, _ := meter.Joules()
	start, n := time.Now(), 0
	for ; time.Since(start) < time.Second; n++ {
		if _, err := s.Search(context.Background(), roots[n%len(roots)], tree); err != nil {
			t.Fatal(err)
		}
	}
	after, _ := meter.Joules()
	fmt.Printf("  energy: %.4f J a search, %.0f W, %.2f GTEPS/W\n", (after-before)/float64(n),
		(after-before)/time.Since(start).Seconds(), 1e-9*float64(edges)*float64(n)/(after-before))
}

// verified checks the trees of some searches and returns the edges of each.
func verified(t *testing.T, v *Verifier, traces []hops.Trace) (edges []int64) {
	t.Helper()
	verdicts, err := v.Verdicts(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, verdict := range verdicts {
		if verdict.Vertices != traces[i].Found()+1 {
			t.Fatalf("search %d: %d vertices in the tree, %d found", i, verdict.Vertices, traces[i].Found())
		}
		edges = append(edges, verdict.Edges)
	}
	return edges
}

func printLevels(name string, trace hops.Trace) {
	fmt.Printf("  %s: %v\n", name, trace.Time())
	for d, l := range trace.Levels {
		fmt.Printf("    %d %-15s frontier %10d examined %12d found %10d  %8.1f µs\n", d, l.Step, l.Frontier, l.Examined, l.Found,
			float64(l.Time.Nanoseconds())/1000)
	}
}

func meanDeviation(x []float64) (mean, dev float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		dev += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(dev)
}

// benchmarkRoots draws roots as the benchmark does: pairs of numbers of stream 2.
func benchmarkRoots(t *testing.T, s *Searcher, src *edge.Kronecker, want int) []hops.Vertex {
	t.Helper()
	index := make([]uint32, 2*int(s.graph.words()))
	if err := s.dev.read(bytesOf(index), s.graph.index, 0); err != nil {
		t.Fatal(err)
	}
	n := uint64(src.NumVertices())
	stream := mrg.Seed(2, 3)
	stream.Skip(2, 0, 0)
	var roots []hops.Vertex
	for len(roots) < want {
		sum := stream.Float64() + stream.Float64()
		root := uint64(sum*float64(n)) % n
		if !slices.Contains(roots, hops.Vertex(root)) && index[2*(root/32)]>>(root%32)&1 == 1 {
			roots = append(roots, hops.Vertex(root))
		}
	}
	return roots
}
