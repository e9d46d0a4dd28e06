package edge

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"pgregory.net/rapid"
)

// derivedSources are changed lists of edges, one of them changed three times.
func derivedSources(t testing.TB) map[string]hops.Source {
	grid := must[*Grid](t)(NewGrid(37, 23))
	thinned := must[*Thinned](t)(NewThinned(grid, .3, 7))
	chained := must[*Chained](t)(NewChained(must[*Kronecker](t)(NewKronecker(6, 4, 2, 3)), 30, 20, 7))
	return map[string]hops.Source{
		"thinned": thinned, "chained": chained, "permuted": NewPermuted(grid, 7),
		"all": NewPermuted(must[*Chained](t)(NewChained(thinned, 5, 9, 3)), 4),
	}
}

// Every number below n has a place of its own below n, whatever n and the seed are.
func TestPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 3000).Draw(t, "n")
		p := newPermutation(n, rapid.Uint64().Draw(t, "seed"))
		seen := make([]bool, n)
		for i := range n {
			at := p.at(i)
			if at >= n || seen[at] {
				t.Fatalf("%d is at %d of %d, or another is there", i, at, n)
			}
			seen[at] = true
		}
	})
}

// Numbers beside each other are as far apart in a permutation as any two: in each of 16 parts
// a sixteenth of the neighbours of a part, within five standard deviations.
func TestPermutationsPartNeighbours(t *testing.T) {
	const parts = 16
	for _, step := range []uint64{1, 2, 1000} {
		for _, n := range []uint64{1 << 18, 1<<18 - 7, 1<<17 + 3} {
			p := newPermutation(n, 1)
			var count [parts][parts]int
			for i := range n - step {
				count[p.at(i)*parts/n][p.at(i+step)*parts/n]++
			}
			mean := float64(n) / parts / parts
			for from := range count {
				for to, got := range count[from] {
					if math.Abs(float64(got)-mean) > 5*math.Sqrt(mean) {
						t.Errorf("%d numbers, %d apart: %d from part %d to %d, expected %.0f", n, step, got, from, to, mean)
					}
				}
			}
		}
	}
}

// A permuted graph has the same edges under other labels, each vertex as many as before.
func TestPermuted(t *testing.T) {
	src := must[*Kronecker](t)(NewKronecker(8, 4, 2, 3))
	p := NewPermuted(src, 5)
	if p.NumVertices() != src.NumVertices() || p.NumEdges() != src.NumEdges() || p.Directed() {
		t.Fatalf("%d vertices, %d edges, directed %v", p.NumVertices(), p.NumEdges(), p.Directed())
	}
	before, after, renamed := all(t, src), all(t, p), map[hops.Vertex]hops.Vertex{}
	for i, e := range before {
		for _, pair := range [][2]hops.Vertex{{e.U, after[i].U}, {e.V, after[i].V}} {
			if other, ok := renamed[pair[0]]; ok && other != pair[1] {
				t.Fatalf("%d is %d and %d", pair[0], other, pair[1])
			}
			renamed[pair[0]] = pair[1]
		}
	}
	from, to := degrees(src.NumVertices(), before), degrees(p.NumVertices(), after)
	if slices.Equal(from, to) {
		t.Error("all degrees are where they were")
	}
	slices.Sort(from)
	if slices.Sort(to); !slices.Equal(from, to) {
		t.Error("other degrees")
	}
	if !NewPermuted(hops.Directed(src), 5).Directed() {
		t.Error("directed edges became edges")
	}
}

// A thinned grid has as many of the grid's edges as were asked for, none of them twice, and
// misses as many in each of its quarters.
func TestThinned(t *testing.T) {
	grid := must[*Grid](t)(NewGrid(100, 80))
	of := all(t, grid)
	slices.SortFunc(of, compareEdges)
	for _, missing := range []float64{0, .1, .3, 1} {
		thinned := must[*Thinned](t)(NewThinned(grid, missing, 3))
		want := grid.NumEdges() - int64(math.Round(float64(grid.NumEdges())*missing))
		left := all(t, thinned)
		if int64(len(left)) != want || thinned.NumVertices() != grid.NumVertices() {
			t.Errorf("%v missing: %d edges of %d vertices, want %d", missing, len(left), thinned.NumVertices(), want)
		}
		slices.SortFunc(left, compareEdges)
		if len(slices.Compact(slices.Clone(left))) != len(left) {
			t.Errorf("%v missing: edges that are there twice", missing)
		}
		var quarters [4]int
		for _, e := range left {
			if _, ok := slices.BinarySearchFunc(of, e, compareEdges); !ok {
				t.Fatalf("%v is no edge of the grid", e)
			}
			quarters[e.U*4/grid.NumVertices()]++
		}
		mean := float64(want) / 4
		for _, got := range quarters {
			if math.Abs(float64(got)-mean) > 5*math.Sqrt(mean)+100 { // the last row has no edges downwards
				t.Errorf("%v missing: %d edges in a quarter, expected %.0f", missing, got, mean)
			}
		}
	}
}

// Every vertex of a chain hangs on the one before it, and the first on one of the graph.
func TestChained(t *testing.T) {
	const chains, longest = 200, 9
	src := must[*Uniform](t)(NewUniform(64, 4, 1))
	c := must[*Chained](t)(NewChained(src, chains, longest, 3))
	list := all(t, c)
	if !slices.Equal(list[:src.NumEdges()], all(t, src)) {
		t.Fatal("the list does not begin with the graph's edges")
	}
	hung, lengths, on := list[src.NumEdges():], map[int]int{}, map[hops.Vertex]bool{}
	if int64(len(hung)) != int64(c.NumVertices()-src.NumVertices()) {
		t.Fatalf("%d edges for %d vertices", len(hung), c.NumVertices()-src.NumVertices())
	}
	begun, length := 0, 0
	for i, e := range hung {
		if e.V != src.NumVertices()+hops.Vertex(i) || e.U >= src.NumVertices() && e.U != e.V-1 {
			t.Fatalf("edge %v at %d", e, i)
		}
		if e.U < src.NumVertices() {
			on[e.U] = true
			begun, length = begun+1, 0
		}
		length++
		lengths[length]++
	}
	if begun != chains || len(lengths) != longest || len(on) < 32 {
		t.Errorf("%d chains of %d lengths on %d vertices", begun, len(lengths), len(on))
	}
}

// A source that breaks off says so behind one that changes it, and where.
func TestDerivedSourcesPassErrorsOn(t *testing.T) {
	broken := List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 9}, {U: 1, V: 2}}, 3)
	for name, src := range map[string]hops.Source{
		"permuted": NewPermuted(broken, 1), "chained": must[*Chained](t)(NewChained(broken, 1, 1, 1)),
		"thinned": must[*Thinned](t)(NewThinned(broken, 0, 1)), "unchecked": NewPermuted(unchecked{broken}, 1),
	} {
		dst := make([]hops.Edge, 3)
		n, err := src.EdgesAt(dst, 0)
		if n == 3 || err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: %d edges, error %v", name, n, err)
		}
	}
	for name, src := range derivedSources(t) {
		dst := make([]hops.Edge, 3)
		if n, err := src.EdgesAt(dst, src.NumEdges()-2); n != 2 || err != io.EOF {
			t.Errorf("%s: %d edges at the end, error %v", name, n, err)
		}
		for _, off := range []int64{-1, src.NumEdges(), src.NumEdges() + 9} {
			if n, err := src.EdgesAt(dst, off); n != 0 || err == nil || off >= 0 && err != io.EOF {
				t.Errorf("%s: %d edges at %d, error %v", name, n, off, err)
			}
		}
	}
}

// unchecked is a list that does not look at its labels.
type unchecked struct{ *Slice }

func (u unchecked) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	return copy(dst, u.edges[off:]), nil
}

func TestImpossibleDerivedSources(t *testing.T) {
	src := must[*Uniform](t)(NewUniform(64, 4, 1))
	for _, missing := range []float64{-.1, 1.1, math.NaN()} {
		if _, err := NewThinned(src, missing, 1); err == nil {
			t.Errorf("%v missing: no error", missing)
		}
	}
	for _, c := range [][2]int{{-1, 3}, {2, 0}, {1 << 25, 1 << 25}} {
		if _, err := NewChained(src, c[0], c[1], 1); err == nil {
			t.Errorf("%d chains of up to %d: no error", c[0], c[1])
		}
	}
	if _, err := NewChained(List(nil, 0), 1, 1, 1); err == nil {
		t.Error("chains that hang on nothing: no error")
	}
}

func degrees(n hops.Vertex, edges []hops.Edge) []int {
	count := make([]int, n)
	for _, e := range edges {
		count[e.U]++
		count[e.V]++
	}
	return count
}

func compareEdges(a, b hops.Edge) int { return cmp.Or(cmp.Compare(a.U, b.U), cmp.Compare(a.V, b.V)) }

func BenchmarkThinned(b *testing.B) {
	grid := must[*Grid](b)(NewGrid(4000, 1000))
	benchmarkEdges(b, must[*Thinned](b)(NewThinned(grid, .1, 1)))
}
