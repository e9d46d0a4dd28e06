package gpu

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/many"
)

var (
	manyScale = flag.Int("many.scale", 14, "of the Kronecker graph of BenchmarkMany")
	manyRoots = flag.Int("many.roots", 512, "roots of BenchmarkMany")
)

// BenchmarkMany searches a Kronecker graph from many roots, on the first device and on
// all cores of the host, and compares the sums.
func BenchmarkMany(b *testing.B) {
	src, err := edge.NewKronecker(*manyScale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	g, err := csr.Build(b.Context(), src, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	r, roots := rand.New(rand.NewPCG(1, 1)), make([]hops.Vertex, 0, *manyRoots)
	for len(roots) < *manyRoots {
		if v := hops.Vertex(r.Uint64N(uint64(g.NumVertices()))); g.Degree(v) > 0 {
			roots = append(roots, v)
		}
	}
	var want []hops.DepthSum
	b.Run("cores", func(b *testing.B) {
		s, err := many.New(g, many.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		d := hops.NewDepths(g.NumVertices())
		for b.Loop() {
			want = want[:0]
			for batch := range slices.Chunk(roots, hops.MaxRoots) {
				if _, err := s.Search(b.Context(), batch, d); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				want = append(want, d.Sums()...)
				b.StartTimer()
			}
		}
	})
	m, err := NewMany(b.Context(), src, Options{})
	if err != nil {
		b.Skip(err)
	}
	defer m.Close()
	for _, m.width = range []uint64{defaultWidth, 4, 12, 120} {
		b.Run(fmt.Sprintf("gpu/width=%d", m.width), func(b *testing.B) { benchMany(b, m, roots, want) })
	}
}

func benchMany(b *testing.B, m *Many, roots []hops.Vertex, want []hops.DepthSum) {
	var got []hops.DepthSum
	for b.Loop() {
		var err error
		if got, err = m.Sums(b.Context(), roots); err != nil {
			b.Fatal(err)
		}
	}
	if want != nil && !slices.Equal(got, want) {
		b.Error("the device sums up other levels than the cores")
	}
	for _, l := range m.levels {
		b.Logf("%-10s front %9d found %9d examined %11d %v", l.Step, l.Frontier, l.Found, l.Examined, l.Time)
	}
}
