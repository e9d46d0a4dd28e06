package edge

import (
	"math"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"pgregory.net/rapid"
)

// Outputs for the seed 1234567, from the public-domain C version of Vigna.
func TestSplitMix64(t *testing.T) {
	s := splitmix(1234567)
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821,
	} {
		if got := s.next(); got != want {
			t.Errorf("output %d = %d, want %d", i, got, want)
		}
	}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// generators are the same graphs in small and in larger: the smaller list must
// be the beginning of the larger one.
func generators(t testing.TB) map[string][2]hops.Source {
	kron, rmat, uniform := must[*Kronecker](t), must[*RMAT](t), must[*Uniform](t)
	return map[string][2]hops.Source{
		"kronecker": {kron(NewKronecker(8, 3, 7, 8)), kron(NewKronecker(8, 20, 7, 8))},
		"rmat":      {rmat(NewRMAT(8, 3, .45, .25, .2, .1, 7)), rmat(NewRMAT(8, 20, .45, .25, .2, .1, 7))},
		"uniform":   {uniform(NewUniform(377, 4.5, 7)), uniform(NewUniform(377, 30, 7))},
	}
}

// A grid of 4 × 3: every vertex but those at the edges has four neighbours.
func TestGrid(t *testing.T) {
	g := must[*Grid](t)(NewGrid(4, 3))
	degrees := make([]int, g.NumVertices())
	seen := map[hops.Edge]bool{}
	for _, e := range all(t, g) {
		if seen[e] || e.V != e.U+4 && (e.V != e.U+1 || e.V%4 == 0) {
			t.Errorf("edge %v is there twice or joins no neighbours", e)
		}
		seen[e] = true
		degrees[e.U]++
		degrees[e.V]++
	}
	if want := []int{2, 3, 3, 2, 3, 4, 4, 3, 2, 3, 3, 2}; !slices.Equal(degrees, want) {
		t.Errorf("degrees %v, want %v", degrees, want)
	}
	if line := must[*Grid](t)(NewGrid(1, 9)); line.NumEdges() != 8 || len(all(t, line)) != 8 {
		t.Errorf("a line of 9 has %d edges", line.NumEdges())
	}
	for _, size := range [][2]int64{{0, 1}, {1, 0}, {-1, -1}, {1 << 40, 1 << 40}} {
		if _, err := NewGrid(size[0], size[1]); err == nil {
			t.Errorf("a grid of %v was accepted", size)
		}
	}
}

func TestMoreEdgesExtendTheList(t *testing.T) {
	for name, pair := range generators(t) {
		small, large := all(t, pair[0]), all(t, pair[1])
		if len(large) <= len(small) || !slices.Equal(small, large[:len(small)]) {
			t.Errorf("%s: the longer list starts differently", name)
		}
	}
}

func TestAnyPartitionGivesTheSameList(t *testing.T) {
	sources := derivedSources(t)
	for name, pair := range generators(t) {
		sources[name] = pair[1]
	}
	for name, src := range sources {
		want := all(t, src)
		for _, e := range want {
			if max(e.U, e.V) >= src.NumVertices() {
				t.Fatalf("%s: edge %v of %d vertices", name, e, src.NumVertices())
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			got := make([]hops.Edge, len(want))
			for lo := 0; lo < len(got); {
				hi := min(len(got), lo+rapid.IntRange(1, 2000).Draw(t, "length"))
				if n, err := src.EdgesAt(got[lo:hi], int64(lo)); n != hi-lo || err != nil {
					t.Fatalf("%s: %d edges at %d, %v", name, n, lo, err)
				}
				lo = hi
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: the list read in pieces differs", name)
			}
		})
	}
}

func TestOtherSeedsGiveOtherGraphs(t *testing.T) {
	kron, rmat, uniform := must[*Kronecker](t), must[*RMAT](t), must[*Uniform](t)
	grid := must[*Grid](t)(NewGrid(9, 9))
	for name, pair := range map[string][2]hops.Source{
		"kronecker": {kron(NewKronecker(9, 16, 2, 3)), kron(NewKronecker(9, 16, 3, 2))},
		"rmat":      {rmat(NewRMAT(9, 16, .45, .25, .2, .1, 7)), rmat(NewRMAT(9, 16, .45, .25, .2, .1, 8))},
		"uniform":   {uniform(NewUniform(512, 32, 7)), uniform(NewUniform(512, 32, 8))},
		"permuted":  {NewPermuted(grid, 7), NewPermuted(grid, 8)},
		"thinned":   {must[*Thinned](t)(NewThinned(grid, .5, 7)), must[*Thinned](t)(NewThinned(grid, .5, 8))},
		"chained":   {must[*Chained](t)(NewChained(grid, 9, 5, 7)), must[*Chained](t)(NewChained(grid, 9, 5, 8))},
	} {
		if slices.Equal(all(t, pair[0]), all(t, pair[1])) {
			t.Errorf("%s: the same list", name)
		}
	}
}

// The share of every quadrant at every level is its probability, within five
// standard deviations.
func TestRMATDescendsByItsProbabilities(t *testing.T) {
	p := [4]float64{.5, .25, .2, .05}
	const scale, edges = 12, 1 << 16
	r := must[*RMAT](t)(NewRMAT(scale, edges>>scale, p[0], p[1], p[2], p[3], 99))
	var count [scale][4]int
	for i := range int64(edges) {
		u, v := r.descend(i)
		for level := range scale {
			count[level][u>>level&1<<1|v>>level&1]++
		}
	}
	for level := range scale {
		for q, n := range count[level] {
			deviation := math.Sqrt(edges * p[q] * (1 - p[q]))
			if math.Abs(float64(n)-edges*p[q]) > 5*deviation {
				t.Errorf("level %d: %d edges in quadrant %c, expected %.0f ± %.0f", level, n, 'A'+q, edges*p[q], deviation)
			}
		}
	}
}

func TestRMATWithOneQuadrant(t *testing.T) {
	const last = 1<<10 - 1
	for q, want := range [4][2]uint64{{0, 0}, {0, last}, {last, 0}, {last, last}} {
		var p [4]float64
		p[q] = 1
		r := must[*RMAT](t)(NewRMAT(10, 1, p[0], p[1], p[2], p[3], 5))
		for i := range r.NumEdges() {
			if u, v := r.descend(i); u != want[0] || v != want[1] {
				t.Fatalf("quadrant %c: edge %d is (%d, %d)", 'A'+q, i, u, v)
			}
		}
	}
}

func TestUniformDrawsAllVerticesAlike(t *testing.T) {
	const n, degree = 1000, 400
	u := must[*Uniform](t)(NewUniform(n, degree, 3))
	if u.NumEdges() != n*degree/2 {
		t.Fatalf("%d edges, want %d", u.NumEdges(), n*degree/2)
	}
	var ends [2][n]int
	for _, e := range all(t, u) {
		ends[0][e.U]++
		ends[1][e.V]++
	}
	for side := range ends {
		for v, d := range ends[side] {
			if mean := degree / 2.0; math.Abs(float64(d)-mean) > 6*math.Sqrt(mean) {
				t.Errorf("vertex %d is end %d of %d edges, expected %.0f", v, side, d, mean)
			}
		}
	}
}

func TestImpossibleRandomGraphs(t *testing.T) {
	nan := math.NaN()
	for _, p := range [][4]float64{{.5, .5, .5, .5}, {1.5, -.5, 0, 0}, {nan, 1, 0, 0}, {.25, .25, .25, .2}, {0, 0, 0, 0}} {
		if r, err := NewRMAT(10, 16, p[0], p[1], p[2], p[3], 1); err == nil || r != nil {
			t.Errorf("probabilities %v: no error", p)
		}
	}
	if _, err := NewRMAT(0, 16, .25, .25, .25, .25, 1); err == nil {
		t.Error("scale 0: no error")
	}
	for _, degree := range []float64{nan, -1, math.Inf(1), 1e30} {
		if u, err := NewUniform(10, degree, 1); err == nil || u != nil {
			t.Errorf("degree %v: no error", degree)
		}
	}
	if _, err := NewUniform(MaxPackedVertices+1, 1, 1); err == nil {
		t.Error("2^48+1 vertices: no error")
	}
}

func BenchmarkRMAT(b *testing.B) {
	benchmarkEdges(b, must[*RMAT](b)(NewRMAT(20, 16, .57, .19, .19, .05, 1)))
}

func BenchmarkUniform(b *testing.B) {
	benchmarkEdges(b, must[*Uniform](b)(NewUniform(1<<20, 32, 1)))
}
