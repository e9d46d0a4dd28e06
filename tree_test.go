package hops_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops"
)

// Parents in graphs of more than 2³² vertices keep all labels below 2⁴⁸ − 1, and the absence of one.
func TestWideParents(t *testing.T) {
	tree := hops.NewTreePart(1<<40, 1<<39, 3)
	if p := tree.Parent(1<<39 + 1); p != hops.NoVertex {
		t.Errorf("an empty tree has the parent %d", p)
	}
	for _, p := range []hops.Vertex{0, 1, 1<<16 - 1, 1 << 16, 1<<32 - 1, 1 << 32, 0x123456789abc, 1<<48 - 2, hops.NoVertex} {
		tree.SetParent(1<<39+1, p)
		if got := tree.Parent(1<<39 + 1); got != p {
			t.Errorf("the parent %x is read as %x", p, got)
		}
	}
	if a, b := tree.Parent(1<<39), tree.Parent(1<<39+2); a != hops.NoVertex || b != hops.NoVertex {
		t.Errorf("the neighbours of an entry have the parents %x and %x", a, b)
	}
}

// BenchmarkParents measures the forms that parents of more than 32 bits may have, by their
// bytes: one word, 6 or 5 bytes one after the other, or 4 and 2 bytes in two arrays. They are
// written in the order of the vertices, to one vertex in three, as bottom-up levels do, and at
// random, as top-down levels do.
func BenchmarkParents(b *testing.B) {
	const n = 1 << 24
	random := rand.New(rand.NewPCG(1, 2))
	inOrder, anywhere := make([]uint32, 0, n), make([]uint32, 1<<20)
	for v := uint32(0); v < n; v += 1 + random.Uint32N(5) {
		inOrder = append(inOrder, v)
	}
	for i := range anywhere {
		anywhere[i] = random.Uint32N(n)
	}
	word, six, five := make([]uint64, n), make([][6]byte, n), make([][5]byte, n)
	low, high := make([]uint32, n), make([]uint16, n)
	for _, form := range []struct {
		name  string
		write func(vertices []uint32)
	}{
		{"8", func(vertices []uint32) {
			for i, v := range vertices {
				word[v] = uint64(i) << 8
			}
		}},
		{"6", func(vertices []uint32) {
			for i, v := range vertices {
				binary.LittleEndian.PutUint32(six[v][:4], uint32(i<<8))
				binary.LittleEndian.PutUint16(six[v][4:], uint16(i>>24))
			}
		}},
		{"5", func(vertices []uint32) {
			for i, v := range vertices {
				binary.LittleEndian.PutUint32(five[v][:4], uint32(i<<8))
				five[v][4] = byte(i >> 24)
			}
		}},
		{"4+2", func(vertices []uint32) {
			for i, v := range vertices {
				low[v], high[v] = uint32(i<<8), uint16(i>>24)
			}
		}},
	} {
		b.Run(form.name+"/inOrder", func(b *testing.B) { benchmarkWrites(b, inOrder, form.write) })
		b.Run(form.name+"/anywhere", func(b *testing.B) { benchmarkWrites(b, anywhere, form.write) })
	}
}

func benchmarkWrites(b *testing.B, vertices []uint32, write func([]uint32)) {
	write(vertices) // the first write to a page takes longer
	for b.Loop() {
		write(vertices)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(vertices)), "ns/parent")
}
