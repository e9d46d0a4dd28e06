package cluster

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

func BenchmarkSearch(b *testing.B) {
	const scale = 18
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	for _, o := range []struct {
		name string
		Options
	}{
		{"messages", Options{Exchange: "messages"}},
		{"messagesPlain", Options{Exchange: "messages", Encoding: "raw"}},
		{"messagesBulk", Options{Exchange: "messages", Sync: "bulk"}},
		{"probe", Options{Exchange: "probe"}},
		{"allgather", Options{Exchange: "allgather"}},
	} {
		b.Run(o.name, func(b *testing.B) {
			s, err := Build(b.Context(), src, o.Options)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			tree := hops.NewTree(src.NumVertices())
			for root := hops.Vertex(1); b.Loop(); root++ {
				tree.Reset()
				if _, err := s.Search(b.Context(), root*97, tree); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	src, err := edge.NewKronecker(18, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := Build(b.Context(), src, Options{})
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
	b.ReportMetric(float64(src.NumEdges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Medges/s")
}
