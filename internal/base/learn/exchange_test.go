package learn

import (
	"testing"

	"github.com/gohops/hops/level"
)

// The exchange decides between two steps that compute the same.
func TestExchanges(t *testing.T) {
	packets := level.Step{Name: "packets", Direction: level.BottomUp}
	bitmaps := level.Step{Name: "bitmaps", Direction: level.BottomUp}
	p := Exchanges{
		Compute: []Cost{{PerOpen: 1}, {PerOpen: 1}},
		Round:   1000, Byte: 2,
		Traffic: func(f level.Front, s level.Step) (rounds, bytes float64) {
			if s.Name == "packets" {
				return 3, float64(8 * f.Vertices)
			}
			return 1, float64(f.Size / 8)
		},
	}
	for _, tt := range []struct {
		name           string
		size, vertices int64
		want           level.Step
	}{
		{"few vertices of a large graph", 1 << 20, 100, packets},
		{"many vertices of it", 1 << 20, 1 << 16, bitmaps},
		{"a small graph, where rounds count", 1 << 10, 1, bitmaps},
	} {
		f := level.Front{Size: tt.size, Vertices: tt.vertices, Unvisited: 1000}
		if got := p.Next(f, []level.Step{packets, bitmaps}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got.Name, tt.want.Name)
		}
	}
	f := level.Front{Size: 800, Unvisited: 500}
	if got := p.Predict(f, []level.Step{packets, bitmaps}, 1); got != 500+1000+200 {
		t.Errorf("predicted %d ns, want 500 to compute, 1000 for a round and 200 for 100 bytes", got)
	}
}
