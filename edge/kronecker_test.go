package edge

import (
	"io"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
	"pgregory.net/rapid"
)

func kronecker(t testing.TB, scale int) *Kronecker {
	t.Helper()
	k, err := NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// all returns the whole list of a small source.
func all(t testing.TB, src hops.Source) []hops.Edge {
	t.Helper()
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n != len(edges) || err != nil {
		t.Fatalf("read %d of %d edges: %v", n, len(edges), err)
	}
	return edges
}

func TestEdgesAndWeightsOfTheReference(t *testing.T) {
	for _, want := range edgeVectors {
		k := kronecker(t, want.scale)
		var e [1]hops.Edge
		var w [1]float32
		if _, err := k.EdgesAt(e[:], want.index); err != nil {
			t.Fatal(err)
		}
		if _, err := k.WeightsAt(w[:], want.index); err != nil {
			t.Fatal(err)
		}
		if e[0] != (hops.Edge{U: hops.Vertex(want.u), V: hops.Vertex(want.v)}) {
			t.Errorf("scale %d, edge %d = %v, want (%d, %d)", want.scale, want.index, e[0], want.u, want.v)
		}
		if got := math.Float32bits(w[0]); got != want.bits {
			t.Errorf("scale %d, weight %d = %x, want %x", want.scale, want.index, got, want.bits)
		}
	}
}

func TestGraphsOfTheReference(t *testing.T) {
	for _, want := range graphVectors {
		k := kronecker(t, want.scale)
		got := want
		got.loops, got.isolated, got.maxDegree = 0, 0, 0
		degree := make([]int, k.NumVertices())
		distinct := make(map[hops.Edge]struct{})
		for _, e := range all(t, k) {
			if e.U == e.V {
				got.loops++
				continue
			}
			degree[e.U]++
			degree[e.V]++
			distinct[hops.Edge{U: min(e.U, e.V), V: max(e.U, e.V)}] = struct{}{}
		}
		for _, d := range degree {
			got.maxDegree = max(got.maxDegree, d)
			if d == 0 {
				got.isolated++
			}
		}
		got.distinct = len(distinct)
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// reference makes edge i the way the specification tells it: level by level,
// with a division, branches, and the flip decided on the way.
func reference(k *Kronecker, i int64) (hops.Edge, float32) {
	stream := k.seed
	stream.Skip(0, uint64(i), 0)
	var u, v uint64
	for bit := uint64(1) << (k.scale - 1); bit > 0; bit >>= 1 {
		r := stream.Next()
		for r < k.limit {
			r = stream.Next()
		}
		var ub, vb uint64
		switch r %= 10000; {
		case r < 1900:
			ub, vb = 0, 1
		case r < 3800:
			ub, vb = 1, 0
		case r < 9500:
			ub, vb = 0, 0
		default:
			ub, vb = 1, 1
		}
		if u == v && ub > vb {
			ub, vb = vb, ub
		}
		u, v = u+bit*ub, v+bit*vb
	}
	e := hops.Edge{U: k.scramble.vertex(u), V: k.scramble.vertex(v)}
	return e, float32(float64(float32(stream.Next())) * 4.65661287524579692e-10)
}

// rejectBelowV2 is the limit of release 2.1.4 of the reference.
const rejectBelowV2 = (1<<32 - 1) % denominator

func drawKronecker(t *rapid.T) *Kronecker {
	k, err := NewKronecker(rapid.IntRange(1, MaxScale).Draw(t, "scale"), 16,
		rapid.Uint64().Draw(t, "seed1"), rapid.Uint64().Draw(t, "seed2"))
	if err != nil {
		t.Fatal(err)
	}
	// The larger two reject many more than the one draw in 600,000 of the real limit.
	k.limit = rapid.SampledFrom([]uint32{rejectBelow, rejectBelowV2, 1 << 20, 1 << 29}).Draw(t, "limit")
	k.bulk = newBulk(k)
	return k
}

// checkRead compares edges and weights from off on with the definition.
func checkRead(t interface{ Fatalf(string, ...any) }, k *Kronecker, length int, off int64) {
	edges := make([]hops.Edge, length)
	weights := make([]float32, length)
	n, err := k.EdgesAt(edges, off)
	if m, errW := k.WeightsAt(weights, off); m != n || errW != err {
		t.Fatalf("EdgesAt returns %d, %v and WeightsAt %d, %v", n, err, m, errW)
	}
	if short := off+int64(length) > k.NumEdges(); short != (err == io.EOF) || (err != nil && !short) {
		t.Fatalf("read %d of %d edges at %d: %v", n, k.NumEdges(), off, err)
	}
	for i := range n {
		if e, w := reference(k, off+int64(i)); e != edges[i] || w != weights[i] {
			t.Fatalf("edge %d = %v weight %v, want %v weight %v", off+int64(i), edges[i], weights[i], e, w)
		}
	}
}

func TestAnyReadMatchesTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawKronecker(t)
		length := rapid.IntRange(1, 700).Draw(t, "length")
		off := rapid.Int64Range(0, k.NumEdges()-1).Draw(t, "offset")
		checkRead(t, k, length, off)
		k.bulk = nil
		checkRead(t, k, length, off)
	})
}

// checkRareDraws makes the first draw of the first edge a chosen one: at a bound
// of a quadrant, at a limit of rejection, or 0, where the sum before reduction is
// a multiple of the modulus. Whole lists hardly ever meet these.
func checkRareDraws(t *testing.T, prepare func(*Kronecker)) {
	for _, base := range []uint64{0, 10_000, 1_000_000_000, 2_147_480_000} {
		for _, bound := range []uint64{0, 1900, 3647, 3800, 7295, 9500, 10_000} {
			for below := range min(base+bound, 1) + 1 {
				for _, limit := range []uint32{rejectBelow, rejectBelowV2} {
					k := kronecker(t, 20)
					k.limit, k.seed = limit, stateBefore((base+bound-below)%mrg.Modulus)
					prepare(k)
					checkRead(t, k, 16, 0)
				}
			}
		}
	}
}

// stateBefore returns a state whose next output is the given one.
func stateBefore(draw uint64) mrg.State {
	const newest = 1_234_567_890
	inverse := new(big.Int).ModInverse(big.NewInt(mrg.FactorOldest), big.NewInt(mrg.Modulus)).Uint64()
	oldest := (draw + mrg.Modulus - newest*mrg.FactorNewest%mrg.Modulus) % mrg.Modulus * inverse % mrg.Modulus
	return mrg.State{newest, 1, 2, 3, uint32(oldest)}
}

func TestRareDraws(t *testing.T) {
	for _, draw := range []uint64{0, 1, 3800, mrg.Modulus - 1} {
		if s := stateBefore(draw); uint64(s.Next()) != draw {
			t.Fatalf("state %v does not lead to %d", s, draw)
		}
	}
	checkRareDraws(t, func(k *Kronecker) { k.bulk = nil })
}

func TestLargestDrawsWeighOne(t *testing.T) {
	if w := weight(2147483583); w >= 1 {
		t.Errorf("weight(2147483583) = %v", w)
	}
	if w := weight(2147483584); w != 1 {
		t.Errorf("weight(2147483584) = %v", w)
	}
}

// The limit is that of release 3; release 2.1.4 rejected more.
func TestLimitOfDraws(t *testing.T) {
	if rejectBelow != 3647 || rejectBelowV2 != 7295 {
		t.Errorf("limits %d and %d, want 3647 and 7295", rejectBelow, rejectBelowV2)
	}
}

func TestKroneckerRefusesImpossibleGraphs(t *testing.T) {
	for _, bad := range [][2]int{{0, 16}, {-3, 16}, {43, 16}, {20, 0}, {20, -1}, {42, 1<<20 + 1}} {
		if k, err := NewKronecker(bad[0], bad[1], 2, 3); err == nil || k != nil {
			t.Errorf("scale %d, edge factor %d: no error", bad[0], bad[1])
		}
	}
	for _, edges := range []int64{0, -1, 1<<62 + 1} {
		if k, err := NewKroneckerOf(20, edges, 2, 3); err == nil || k != nil {
			t.Errorf("%d edges: no error", edges)
		}
	}
}

// A list of any length is the beginning of the benchmark's.
func TestKroneckerOfAnyLength(t *testing.T) {
	whole := make([]hops.Edge, 16<<10)
	if _, err := kronecker(t, 10).EdgesAt(whole, 0); err != nil {
		t.Fatal(err)
	}
	for _, edges := range []int64{1, 255, 3 << 10} {
		k := must[*Kronecker](t)(NewKroneckerOf(10, edges, 2, 3))
		some := make([]hops.Edge, edges)
		if _, err := k.EdgesAt(some, 0); err != nil {
			t.Fatal(err)
		}
		if k.NumEdges() != edges || k.NumVertices() != 1<<10 || !slices.Equal(some, whole[:edges]) {
			t.Errorf("%d of %d edges are not the first of the list", k.NumEdges(), edges)
		}
	}
}

func TestReadsBeyondTheEnds(t *testing.T) {
	k := kronecker(t, 3)
	var e [4]hops.Edge
	if n, err := k.EdgesAt(e[:], -1); n != 0 || err == nil || err == io.EOF {
		t.Errorf("offset -1: %d, %v", n, err)
	}
	if n, err := k.EdgesAt(e[:], 128); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
	if n, err := k.EdgesAt(e[:], 125); n != 3 || err != io.EOF {
		t.Errorf("over the end: %d, %v", n, err)
	}
	if n, err := k.EdgesAt(e[:], 124); n != 4 || err != nil {
		t.Errorf("the last four: %d, %v", n, err)
	}
}

func benchmarkEdges(b *testing.B, src hops.Source) {
	block := make([]hops.Edge, blockEdges)
	off := int64(0)
	for b.Loop() {
		if _, err := src.EdgesAt(block, off); err != nil {
			b.Fatal(err)
		}
		off = (off + blockEdges) % src.NumEdges()
	}
	b.ReportMetric(float64(b.N)*blockEdges/b.Elapsed().Seconds(), "edges/s")
}

func BenchmarkKronecker(b *testing.B) {
	b.Run("best", func(b *testing.B) { benchmarkEdges(b, kronecker(b, 20)) })
	b.Run("serial", func(b *testing.B) {
		k := kronecker(b, 20)
		k.bulk = nil
		benchmarkEdges(b, k)
	})
}
