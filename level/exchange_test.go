package level

import "testing"

// The exchange decides between two steps that compute the same.
func TestExchanges(t *testing.T) {
	packets := Step{Name: "packets", Direction: BottomUp, Exchange: "packets"}
	bitmaps := Step{Name: "bitmaps", Direction: BottomUp, Exchange: "bitmaps"}
	p := Exchanges{
		Compute: []Cost{{PerOpen: 1}, {PerOpen: 1}},
		Round:   1000, Byte: 2,
		Traffic: func(f Front, s Step) (rounds, bytes float64) {
			if s.Exchange == "packets" {
				return 3, float64(8 * f.Vertices)
			}
			return 1, float64(f.Size / 8)
		},
	}
	for _, tt := range []struct {
		name           string
		size, vertices int64
		want           Step
	}{
		{"few vertices of a large graph", 1 << 20, 100, packets},
		{"many vertices of it", 1 << 20, 1 << 16, bitmaps},
		{"a small graph, where rounds count", 1 << 10, 1, bitmaps},
	} {
		f := Front{Size: tt.size, Vertices: tt.vertices, Unvisited: 1000}
		if got := p.Next(f, []Step{packets, bitmaps}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got.Name, tt.want.Name)
		}
	}
	f := Front{Size: 800, Unvisited: 500}
	if got := p.Predict(f, []Step{packets, bitmaps}, 1); got != 500+1000+200 {
		t.Errorf("predicted %d ns, want 500 to compute, 1000 for a round and 200 for 100 bytes", got)
	}
}
