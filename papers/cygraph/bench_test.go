package cygraph

import (
	"context"
	"testing"

	"github.com/gohops/hops"
)

// BenchmarkModel searches a random graph on the published machine. The host's
// share, restoring rows and reading the tree, is in the time.
func BenchmarkModel(b *testing.B) {
	src := random{scale: 18, edges: 16 << 18 / 2}
	s, err := Build(context.Background(), src, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	tree := hops.NewTree(src.NumVertices())
	var cycles uint64
	for b.Loop() {
		tree.Reset()
		if _, err := s.Search(context.Background(), 1, tree); err != nil {
			b.Fatal(err)
		}
		cycles += s.m.now
	}
	b.ReportMetric(float64(cycles)*float64(s.opts.Kernels)/b.Elapsed().Seconds()/1e6, "Mkernel-cycles/s")
	b.ReportMetric(0, "ns/op")
}
