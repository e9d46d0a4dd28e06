package edge

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
	"pgregory.net/rapid"
)

// name is that of the assembly function.
func (run kernel) name() string {
	long := runtime.FuncForPC(reflect.ValueOf(run).Pointer()).Name()
	return long[strings.LastIndex(long, ".")+1:]
}

func TestKernelsMatchTheDefinition(t *testing.T) {
	for _, run := range kernels {
		t.Run(run.name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := drawKronecker(t)
				k.bulk = newBulkWith(run, k)
				length := rapid.IntRange(1, 700).Draw(t, "length")
				checkRead(t, k, length, rapid.Int64Range(0, k.NumEdges()-1).Draw(t, "offset"))
			})
		})
	}
}

func TestKernelsMeetRareDraws(t *testing.T) {
	for _, run := range kernels {
		t.Run(run.name(), func(t *testing.T) {
			checkRareDraws(t, func(k *Kronecker) { k.bulk = newBulkWith(run, k) })
		})
	}
}

// A kernel stops before the group of a rejected draw, makes all others, writes
// nothing beyond, and leaves the streams at the group that it did not make.
func TestKernelsStopAtRejections(t *testing.T) {
	for _, run := range kernels {
		k := kronecker(t, 20)
		k.limit = 1 << 18
		b := newBulkWith(run, k)
		const groups = 500
		streams := spread(k, k.seed)
		dst := make([]hops.Edge, (groups+1)*groupEdges)
		done := b.run(&b.constants, &streams, &dst[0], nil, groups)
		if done == 0 || done == groups {
			t.Fatalf("%s made %d of %d groups, too few or many for a test", run.name(), done, groups)
		}
		rejected := false
		for lane := range int64(groupEdges) {
			stream := k.seed
			stream.Skip(0, uint64(done)*groupEdges+uint64(lane), 0)
			if lane == 0 && stream != streams.first() {
				t.Errorf("%s left the streams at %v, want %v", run.name(), streams.first(), stream)
			}
			for range k.scale {
				rejected = rejected || stream.Next() < k.limit
			}
		}
		if !rejected {
			t.Errorf("%s stopped at group %d without a rejected draw", run.name(), done)
		}
		for _, e := range dst[(done+1)*groupEdges:] {
			if e != (hops.Edge{}) {
				t.Fatalf("%s wrote beyond group %d", run.name(), done)
			}
		}
	}
}

// The lowest draw of a group is accepted if the limit equals it.
func TestKernelsRejectBelowTheLimitOnly(t *testing.T) {
	k := kronecker(t, 20)
	lowest := uint32(mrg.Modulus)
	for lane := range uint64(groupEdges) {
		stream := k.seed
		stream.Skip(0, lane, 0)
		for range k.scale {
			lowest = min(lowest, stream.Next())
		}
	}
	for _, run := range kernels {
		for excess := range 2 {
			k.limit = lowest + uint32(excess)
			b := newBulkWith(run, k)
			streams := spread(k, k.seed)
			var dst [groupEdges]hops.Edge
			if done := b.run(&b.constants, &streams, &dst[0], nil, 1); done != 1-excess {
				t.Errorf("%s: limit %d above the lowest draw: %d groups done", run.name(), excess, done)
			}
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	for _, run := range kernels {
		b.Run(run.name(), func(b *testing.B) {
			k := kronecker(b, 20)
			k.bulk = newBulkWith(run, k)
			benchmarkEdges(b, k)
		})
	}
}

// Pairs are the edges, at all scales that have a kernel for them, from any edge on.
func TestPairsAreTheEdges(t *testing.T) {
	if !havePairs {
		t.Skip("no AVX-512")
	}
	check := func(t *rapid.T, k *Kronecker) {
		off := rapid.Int64Range(0, k.NumEdges()-1).Draw(t, "offset")
		edges := make([]hops.Edge, min(rapid.Int64Range(1, 700).Draw(t, "length"), k.NumEdges()-off))
		pairs := make([]uint64, len(edges))
		k.pairs(pairs, off)
		first := k.seed
		first.Skip(0, uint64(off), 0)
		k.serial(edges, nil, first)
		for i, e := range edges {
			if pairs[i] != pair(e) {
				t.Fatalf("scale %d: pair %d is %x, want %v", k.scale, off+int64(i), pairs[i], e)
			}
		}
	}
	for scale := 1; scale < 32; scale++ {
		k := kronecker(t, scale)
		if !k.makesPairs() {
			t.Fatalf("no pairs of scale %d", scale)
		}
		rapid.Check(t, func(t *rapid.T) { check(t, k) })
	}
	if kronecker(t, 32).makesPairs() {
		t.Error("labels of 32 bits are made as pairs")
	}
	rare := kronecker(t, 20)
	rare.limit = 1 << 20
	rare.bulk = newBulk(rare)
	rapid.Check(t, func(t *rapid.T) { check(t, rare) })
}

// A list that is packed as pairs is the one that is read.
func TestPackedPairs(t *testing.T) {
	k := kronecker(t, 12)
	p, err := Pack(t.Context(), k, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	edges := make([]hops.Edge, k.NumEdges())
	k.serial(edges, nil, k.seed)
	for i, x := range p.PairsAt(0, len(edges)) {
		if edgeOf(x) != edges[i] {
			t.Fatalf("edge %d is %v, want %v", i, edgeOf(x), edges[i])
		}
	}
}

func BenchmarkPairs(b *testing.B) {
	k := kronecker(b, 22)
	pairs := make([]uint64, blockEdges)
	for i := int64(0); b.Loop(); i++ {
		k.pairs(pairs, i*blockEdges)
	}
	b.ReportMetric(float64(b.N)*blockEdges/b.Elapsed().Seconds()/1e6, "Medges/s")
}
