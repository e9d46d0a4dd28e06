package kernel

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/base/bitset"
)

// A columned is all that a probe of a column writes.
type columned struct{ list, hits, parents []uint32 }

func probeColumn(k Kernels, column []byte, size int, list []uint32, front bitset.Set, longer uint64) columned {
	count := len(list)
	c := columned{append(slices.Clone(list), make([]uint32, Slack)...), make([]uint32, count+Slack), make([]uint32, count+Slack)}
	a := ColumnProbe{
		Column: &column[0], Front: &front[0], List: &c.list[0], Hits: &c.hits[0], Parents: &c.parents[0],
		Count: int64(count), Longer: longer << 16, Mask: 1<<(8*size) - 1,
	}
	a.Expect(column)
	k.ProbeColumn(&a)
	return columned{c.list[:a.Count], c.hits[:a.Found], c.parents[:a.Found]}
}

// columnOf has entries of so many bytes, and what must be behind them.
func columnOf(entries []uint32, size int) (column []byte) {
	for _, u := range entries {
		column = append(column, binary.LittleEndian.AppendUint32(nil, u)[:size]...)
	}
	return append(column, make([]byte, 4-size)...)
}

// randomList has some of n rows, in order, with slots at random in a column of entries of so many
// bytes.
func randomList(r *rand.Rand, n, size int) (list []uint32) {
	for v, slot := range r.Perm(n) {
		if r.IntN(3) > 0 {
			list = append(list, uint32(size*slot)<<16|uint32(v))
		}
	}
	return list
}

// A probe finds the rows whose entries are in the frontier, and keeps the others that go on.
func TestColumnsOfBothSizes(t *testing.T) {
	const front = 1<<0xc | 1<<0xd
	for size, entries := range map[int][]uint32{3: {0xc, 0xfffffc, 0xd, 1, 2}, 4: {0xc, 0xfffffffc, 0xd, 1, 2}} {
		set := bitset.New(1 << (8 * size))
		set[0] = front
		var list, hits []uint32
		for v := range entries {
			list = append(list, uint32(size*v)<<16|uint32(v))
		}
		hits = []uint32{list[0], list[2]}
		want := columned{[]uint32{list[1], list[3]}, hits, []uint32{0xc, 0xd}}
		for _, k := range forms() {
			got := probeColumn(k, columnOf(entries, size), size, list, set, uint64(4*size))
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(columned{})); diff != "" {
				t.Errorf("%+v, entries of %d bytes: %s", k, size, diff)
			}
		}
	}
}

func TestVectorColumnsMatchTheReference(t *testing.T) {
	forms := vectorForms(t)
	r := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		n, size := 1+r.IntN(200), 3+r.IntN(2)
		column, list := columnOf(randomLabels(r, n, 1000), size), randomList(r, n, size)
		front, longer := randomSet(r, 1000, r.Float64()), uint64(size*r.IntN(n+1))
		want := probeColumn(Kernels{}, column, size, list, front, longer)
		for _, k := range forms {
			got := probeColumn(k, column, size, list, front, longer)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(columned{})); diff != "" {
				t.Fatalf("%+v, %d of %d entries, longer %d: %s", k, len(list), n, longer, diff)
			}
		}
	}
}

// slotsOf numbers so many vertices, each with another slot than its neighbours.
func slotsOf(vertices int) []uint16 {
	slots := make([]uint16, vertices)
	for i := range slots {
		slots[i] = uint16(28665 * i)
	}
	return slots
}

// A vertex that misses is listed by its number, with its slot in the high half.
func TestMissesHaveSlots(t *testing.T) {
	const first, words = 128, 2
	visited, more, front := []uint64{^uint64(1<<0 | 1<<1 | 1<<63), ^uint64(1 << 13)}, []uint64{1 | 1<<63, ^uint64(0)}, []uint64{2}
	head, slots := make([]uint32, 64*words), slotsOf(64*words)
	head[63] = 1 // which is in the frontier
	slots[77] = 7
	want := []uint32{uint32(slots[0])<<16 | first, 7<<16 | (first + 77)}
	for _, k := range forms() {
		got := make([]uint32, 64*words+Slack)
		a := HeadProbe{
			Visited: &visited[0], Next: &make([]uint64, words)[0], More: &more[0], Head: &head[0], Slots: &slots[0], Front: &front[0],
			Parents: &make([]uint32, 64*words)[0], Misses: &got[0], Words: words, First: first,
		}
		k.ProbeHeads(&a)
		if diff := cmp.Diff(want, got[:a.Missed]); diff != "" {
			t.Errorf("%+v: %s", k, diff)
		}
	}
}
