package graph_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// Opening takes the same time at any size.
func BenchmarkOpen(b *testing.B) {
	for _, scale := range []int{10, 14, 18} {
		b.Run(fmt.Sprint(scale), func(b *testing.B) {
			path := saved(b, scale)
			for b.Loop() {
				g, err := graph.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				_ = g.Close()
			}
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	path := saved(b, 18)
	for b.Loop() {
		g, err := graph.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Verify(); err != nil {
			b.Fatal(err)
		}
		size, _ := g.Memory()
		b.SetBytes(size)
		_ = g.Close()
	}
}

// BenchmarkWalk visits all of a graph that was opened just now.
func BenchmarkWalk(b *testing.B) {
	path := saved(b, 16)
	for b.Loop() {
		g, err := graph.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := graph.Walk(g, 1, func(hops.Vertex, int) bool { return true }); err != nil {
			b.Fatal(err)
		}
		_ = g.Close()
	}
}

func saved(b *testing.B, scale int) string {
	b.Helper()
	g := buildGraph(b, kronecker(b, scale))
	defer g.Close()
	path := filepath.Join(b.TempDir(), "graph.hops")
	if err := graph.Save(path, g); err != nil {
		b.Fatal(err)
	}
	return path
}
