package gpu

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// The device generates the edges of the source, bit by bit.
func TestGenerate(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		generated(t, driver, 14)
		generated(t, driver, 31)
	})
}

func generated(t *testing.T, driver string, scale int) {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	d, err := open(&Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	m := newMemory(d)
	defer m.close()
	l, err := newEdgeLoader(d, m, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10_000
	for _, first := range []int64{0, 1, src.NumEdges()/2 + 7, src.NumEdges() - n} {
		want := make([]hops.Edge, n)
		if _, err := src.EdgesAt(want, first); err != nil {
			t.Fatal(err)
		}
		if err := l.load(first, n); err != nil {
			t.Fatal(err)
		}
		got := make([]uint32, 2*n)
		if err := d.read(bytesOf(got), l.edges, 0); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(want, func(e hops.Edge) bool {
			pair := got[:2]
			got = got[2:]
			return uint64(pair[0]) != uint64(e.U) || uint64(pair[1]) != uint64(e.V)
		})
		if i >= 0 {
			t.Fatalf("scale %d: edge %d differs", scale, first+int64(i))
		}
	}
}
