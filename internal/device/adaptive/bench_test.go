package adaptive_test

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/device/adaptive"
)

// BenchmarkPath is what a level costs that has one vertex: on the CPU engine, and
// with a choice between two devices before each.
func BenchmarkPath(b *testing.B) {
	openclOrSkip(b)
	const n = 10_000
	var edges []hops.Edge
	for v := hops.Vertex(1); v < n; v++ {
		edges = append(edges, hops.Edge{U: v - 1, V: v})
	}
	src := edge.List(edges, n)
	host, err := cpu.Build(b.Context(), src, cpu.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer host.Close()
	device, err := gpu.BuildPortable(b.Context(), src, gpu.Options{Driver: "opencl"}, true)
	if err != nil {
		b.Fatal(err)
	}
	defer device.Close()
	m := &learn.DeviceModel{
		Steps: learn.Model{"top-down": {Fixed: 100, PerRow: 100}, "bottom-up": {Fixed: 5000}, "split": {Fixed: 9000}, "top-down@gpu": {Fixed: 1e6}, "bottom-up@gpu": {Fixed: 1e6}, "bottom-up-hot@gpu": {Fixed: 1e6}},
		Moves: learn.Model{"": {Fixed: 1e5}, "gpu": {Fixed: 1e5}},
	}
	x, err := adaptive.New(b.Context(), host.Portable(), device, adaptive.Options{Model: m, Start: adaptive.OnHost})
	if err != nil {
		b.Fatal(err)
	}
	tree := hops.NewTree(n)
	for _, s := range []struct {
		name string
		searcher
	}{{"cpu", host}, {"adaptive", x}} {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				tree.Reset()
				if _, err := s.Search(b.Context(), 0, tree); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/level")
		})
	}
}

type searcher interface {
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
}
