package kernel

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// reserved returns the address of entry 0 of an array of 2³² entries that takes no
// memory but for the pages that are written. As much lies before it, for
// stray writes.
func reserved[T any](t *testing.T) *T {
	t.Helper()
	var zero T
	size := int(unsafe.Sizeof(zero)) << 32
	b, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("reserving %d bytes of address space: %v", 2*size, err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return (*T)(unsafe.Pointer(&b[size]))
}

// labels is how many vertices each of these tests has, from a high label on.
const labels = 256

// bases are first labels: low ones, those around the sign of 32 bits, the last ones.
var bases = []uint32{0, 1<<31 - labels/2, 1 << 31, 3 << 30, -labels & 0xffffffff}

// The entries of a column are labels of 32 bits.
func TestColumnsOfHighLabels(t *testing.T) {
	front := reserved[uint64](t)
	for _, base := range bases {
		r := rand.New(rand.NewPCG(uint64(base), 1))
		entries := make([]uint32, labels)
		for i := range entries {
			u := base + uint32(r.IntN(labels))
			entries[i] = u
			*at(front, uint64(u>>6)) |= uint64(r.IntN(2)) << (u & 63)
		}
		column, list := columnOf(entries, 4), append(randomList(r, labels, 4), make([]uint32, Slack)...)
		lists := make([][]uint32, len(forms()))
		for i, k := range forms() {
			hits, parents := make([]uint32, labels+Slack), make([]uint32, labels+Slack)
			a := ColumnProbe{
				Column: &column[0], Front: front, List: &slices.Clone(list)[0], Hits: &hits[0], Parents: &parents[0],
				Count: int64(len(list) - Slack), Mask: 1<<32 - 1,
			}
			a.Expect(column)
			k.ProbeColumn(&a)
			lists[i] = append(hits[:a.Found], parents[:a.Found]...)
			if diff := cmp.Diff(lists[0], lists[i]); diff != "" || a.Found == 0 {
				t.Fatalf("labels from %d on: %d found, %s", base, a.Found, diff)
			}
		}
	}
}

// All other kernels of searches on high labels do as on low ones.
func TestRowsOfHighLabels(t *testing.T) {
	parents, visited, offsets := reserved[uint32](t), reserved[uint64](t), reserved[int64](t)
	type outcome struct {
		Advance, Parents, Expanded []uint32
		Visited                    []uint64
		Scanned                    int
	}
	run := func(k Kernels, base uint32) (o outcome) {
		r := rand.New(rand.NewPCG(5, 1))
		words, parent := unsafe.Slice(at(visited, uint64(base>>6)), labels/64), unsafe.Slice(at(parents, uint64(base)), labels)
		clear(words)
		clear(parent)
		var row, queue []uint32
		for i := range uint32(labels - 1) {
			*at(offsets, uint64(base+i)) = int64(len(row))
			for range r.IntN(5) {
				row = append(row, base+uint32(r.IntN(labels)))
			}
			*at(offsets, uint64(base+i)+1) = int64(len(row))
			if r.IntN(4) == 0 {
				queue = append(queue, base+i)
			}
		}
		out := make([]uint32, len(row)+Slack)
		a := Advance{
			Queue: &queue[0], Count: int64(len(queue)), Offsets: offsets, Neighbors: &row[0],
			Visited: visited, Parents: parents, Out: &out[0], Room: int64(len(out)),
		}
		k.Advance(&a)
		o.Advance = shift(out[:a.Found], base)
		kept := make([]uint32, len(row)+Slack)
		e := Expansion{Row: &row[0], Length: int64(len(row)), Visited: visited, Out: &kept[0], First: base, Last: base + labels - 2}
		k.Expand(&e)
		o.Expanded = shift(kept[:e.Kept], base)
		o.Scanned = k.ScanRow(row, visited)
		pairs := []uint64{uint64(base)<<32 | uint64(base+labels-1), uint64(base+1)<<32 | uint64(base+77)}
		k.Adopt(&Adoption{Pairs: &pairs[0], Count: 2, Visited: visited, Parents: parents})
		for _, p := range parent {
			if p != 0 {
				p -= base
			}
			o.Parents = append(o.Parents, p)
		}
		o.Visited = slices.Clone(words)
		return o
	}
	want := run(Kernels{}, 0)
	for _, base := range bases {
		for _, k := range forms() {
			if diff := cmp.Diff(want, run(k, base)); diff != "" {
				t.Fatalf("labels from %d on: %s", base, diff)
			}
		}
	}
}

func shift(list []uint32, base uint32) []uint32 {
	for i := range list {
		list[i] -= base
	}
	return list
}

// Heads of high labels are found, and found for high labels.
func TestHeadsOfHighLabels(t *testing.T) {
	front := reserved[uint64](t)
	for _, base := range bases {
		r := rand.New(rand.NewPCG(9, 1))
		var head, parents [labels]uint32
		var next, visited, more [labels / 64]uint64
		for i := range head {
			head[i] = base + uint32(r.IntN(labels))
			*at(front, uint64(head[i]>>6)) |= uint64(r.IntN(2)) << (head[i] & 63)
			more[i/64] |= uint64(r.IntN(2)) << (i & 63)
		}
		lists := make([][]uint32, len(forms()))
		for i, k := range forms() {
			misses := make([]uint32, labels+Slack)
			a := HeadProbe{
				Visited: &visited[0], Next: &next[0], More: &more[0], Head: &head[0], Front: front,
				Slots: &make([]uint16, labels)[0], Parents: &parents[0], Misses: &misses[0], Words: labels / 64, First: uint64(base),
			}
			k.ProbeHeads(&a)
			lists[i] = append(misses[:a.Missed], parents[:]...)
		}
		if diff := cmp.Diff(lists[0], lists[1]) + cmp.Diff(lists[0], lists[2]); diff != "" || len(lists[0]) == labels {
			t.Fatalf("labels from %d on: %s", base, diff)
		}
	}
}

// Bids for high labels are made and won as those for low ones.
func TestBidsOfHighLabels(t *testing.T) {
	parents, visited := reserved[uint32](t), reserved[uint64](t)
	run := func(k Kernels, base uint32) []uint32 {
		r := rand.New(rand.NewPCG(6, 1))
		parent := unsafe.Slice(at(parents, uint64(base)), labels)
		clear(unsafe.Slice(at(visited, uint64(base>>6)), labels/64))
		pairs, kept := make([]uint64, labels), make([]uint32, labels+Slack)
		row := make([]uint32, labels)
		for i := range row {
			parent[i], row[i] = ^uint32(0), base+uint32(r.IntN(labels))
		}
		a := RowBid{Row: &row[0], Length: labels, Parent: base + 1, Visited: visited, Parents: parents, Pairs: &pairs[0], Kept: &kept[0]}
		k.BidRow(&a)
		for i, pair := range pairs[:a.Found] {
			if i%5 == 0 { // another worker is later
				*at(parents, uint64(uint32(pair))) = base
			}
		}
		won := shift(k.Won(pairs[:a.Found], parents, make([]uint32, a.Found+1)), base)
		if len(won) < labels/8 {
			t.Fatalf("only %d were won", len(won))
		}
		for _, p := range parent {
			if p != ^uint32(0) {
				p -= base
			}
			won = append(won, p)
		}
		return won
	}
	want := run(Kernels{}, 0)
	for _, base := range bases {
		for _, k := range forms() {
			if diff := cmp.Diff(want, run(k, base)); diff != "" {
				t.Fatalf("labels from %d on: %s", base, diff)
			}
		}
	}
}

// The words of high labels are asked for, and picked, as those of low ones.
func TestWordsOfHighLabels(t *testing.T) {
	seen, now, offsets := reserved[uint64](t), reserved[uint64](t), reserved[int64](t)
	type outcome struct {
		Now, Missing, Picked []uint64
		Misses               []uint32
		Heads, Rows          int64
	}
	run := func(k Kernels, base uint32) (o outcome) {
		r := rand.New(rand.NewPCG(8, 1))
		copy(unsafe.Slice(at(seen, uint64(base)), labels), randomWords(r, labels))
		clear(unsafe.Slice(at(now, uint64(base)), labels))
		var head [labels]uint32
		var row []uint32
		var closed, more [labels / 64]uint64
		for i := range uint32(labels - 1) {
			*at(offsets, uint64(base+i)) = int64(len(row))
			for range 1 + r.IntN(20) {
				row = append(row, base+uint32(r.IntN(labels)))
			}
			head[i] = row[*at(offsets, uint64(base+i))]
			more[i/64] |= 1 << (i & 63)
			*at(offsets, uint64(base+i)+1) = int64(len(row))
		}
		closed[labels/64-1] = 1 << 63
		o.Misses, o.Missing, o.Picked = make([]uint32, labels+Slack), make([]uint64, labels+Slack), make([]uint64, labels)
		h := HeadAsk{
			Closed: &closed[0], More: &more[0], Head: &head[0], Seen: seen, Now: at(now, uint64(base)), Misses: &o.Misses[0], Missing: &o.Missing[0],
			Wanted: ^uint64(0), Words: labels / 64, First: uint64(base),
		}
		k.AskHeads(&h)
		rows := RowAsk{Vertices: &o.Misses[0], Missing: &o.Missing[0], Count: h.Missed, Offsets: offsets, Neighbors: &row[0], Seen: seen, Now: now}
		k.AskRows(&rows)
		k.Pick(o.Picked, unsafe.Slice(seen, 1<<32), head[:])
		o.Misses, o.Missing = shift(o.Misses[:h.Missed], base), o.Missing[:h.Missed]
		o.Heads, o.Rows, o.Now = h.Examined, rows.Examined, slices.Clone(unsafe.Slice(at(now, uint64(base)), labels-1))
		return o
	}
	for _, base := range bases {
		want := run(Kernels{}, 0)
		if len(want.Misses) < labels/4 {
			t.Fatalf("only %d vertices read their rows", len(want.Misses))
		}
		for _, k := range forms() {
			got := run(k, base)
			got.Picked[labels-1] = want.Picked[labels-1] // the last head is vertex 0 wherever the labels begin
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("labels from %d on: %s", base, diff)
			}
		}
	}
}
