package live

import (
	"testing"

	"github.com/gohops/hops/graph500"
)

// BenchmarkView is what it takes to draw a page, which happens once a second at
// most.
func BenchmarkView(b *testing.B) {
	s := &Server{about: about(), pages: map[chan []byte]bool{}}
	s.Begin(graph500.Searches, 64, "searches")
	for i := range 64 {
		s.Searched(search(i))
	}
	size := 0
	for b.Loop() {
		size = len(s.view())
	}
	b.ReportMetric(float64(size), "B/page")
}

// BenchmarkAdvance is what a run pays for every step forward.
func BenchmarkAdvance(b *testing.B) {
	s := &Server{}
	for b.Loop() {
		s.Advance(1)
	}
}
