package gpu

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomBlock is a block of count rows and n columns as rows of neighbours.
func randomBlock(r *rand.Rand, n, count, entries int) [][]uint32 {
	rows := make([][]uint32, count)
	for range entries {
		v := r.IntN(count)
		rows[v] = append(rows[v], uint32(r.IntN(n)))
	}
	return rows
}

// linesOf lists the rows that are not empty.
func linesOf(rows [][]uint32) (l Lines) {
	l.Offsets = []int64{0}
	for v, row := range rows {
		if len(row) > 0 {
			l.Numbers = append(l.Numbers, uint32(v))
			l.Entries = append(l.Entries, row...)
			l.Offsets = append(l.Offsets, int64(len(l.Entries)))
		}
	}
	return l
}

func transposed(rows [][]uint32, n int) [][]uint32 {
	columns := make([][]uint32, n)
	for v, row := range rows {
		for _, u := range row {
			columns[u] = append(columns[u], uint32(v))
		}
	}
	return columns
}

// A rank may have no rows.
func TestBlockWithoutRows(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		b, err := NewBlock(linesOf(nil), linesOf(nil), 64, 0, Options{Driver: driver})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for range 2 {
			if n, err := b.TopDown(nil, nil); n != 0 || err != nil {
				t.Errorf("top-down: %d entries, %v", n, err)
			}
			if n, err := b.BottomUp(nil, nil); n != 0 || err != nil {
				t.Errorf("bottom-up: %d entries, %v", n, err)
			}
		}
	})
}

// Both directions find the rows with a neighbour in the frontier, and one such
// neighbour for each.
func TestBlock(t *testing.T) { eachDriver(t, exploreBlock) }

func exploreBlock(t *testing.T, driver string) {
	r := rand.New(rand.NewPCG(7, 8))
	const n, count = 300, 200
	rows := randomBlock(r, n, count, 900)
	b, err := NewBlock(linesOf(rows), linesOf(transposed(rows, n)), n, count, Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, share := range []float64{0, 0.01, 0.2, 1} {
		front, visited := make([]uint64, (n+63)/64), make([]uint64, (count+63)/64)
		for u := range n {
			if r.Float64() < share {
				front[u/64] |= 1 << (u % 64)
			}
		}
		for v := range count {
			if r.Float64() < 0.4 {
				visited[v/64] |= 1 << (v % 64)
			}
		}
		if err := b.Front(0, front); err != nil {
			t.Fatal(err)
		}
		for name, explore := range map[string]func(closed, out []uint64) (int64, error){"top-down": b.TopDown, "bottom-up": b.BottomUp} {
			out, parents := make([]uint64, len(visited)), make([]uint32, count)
			if _, err := explore(visited, out); err != nil {
				t.Fatal(err)
			}
			if err := b.Parents(parents); err != nil {
				t.Fatal(err)
			}
			checkFound(t, name, rows, front, visited, out, parents)
		}
	}
	if _, err := b.TopDown(make([]uint64, 1), make([]uint64, 1)); err == nil {
		t.Error("bitmaps of the wrong size were accepted")
	}
}

func checkFound(t *testing.T, name string, rows [][]uint32, front, visited, out []uint64, parents []uint32) {
	t.Helper()
	has := func(set []uint64, i uint32) bool { return set[i/64]>>(i%64)&1 != 0 }
	for v, row := range rows {
		want := !has(visited, uint32(v)) && slices.ContainsFunc(row, func(u uint32) bool { return has(front, u) })
		if got := has(out, uint32(v)); got != want {
			t.Fatalf("%s: row %d found: %v, want %v", name, v, got, want)
		}
		if want && (!slices.Contains(row, parents[v]) || !has(front, parents[v])) {
			t.Fatalf("%s: row %d has parent %d, which is not in the frontier or not its neighbour", name, v, parents[v])
		}
	}
}

// A block may be empty, and so may the frontier.
func TestEmptyBlock(t *testing.T) {
	openclOrSkip(t)
	b, err := NewBlock(Lines{Offsets: []int64{0}}, Lines{Offsets: []int64{0}}, 64, 64, Options{Driver: "opencl"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	out := []uint64{7}
	if examined, err := b.BottomUp([]uint64{0}, out); err != nil || examined != 0 || out[0] != 0 {
		t.Errorf("%d entries examined, %x found, %v", examined, out, err)
	}
}

// Memory of OpenCL has no address, so that nothing moves from device to device.
func TestBlockWithoutAddress(t *testing.T) {
	openclOrSkip(t)
	b, err := NewBlock(Lines{Offsets: []int64{0}}, Lines{Offsets: []int64{0}}, 64, 64, Options{Driver: "opencl"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if m := b.FrontMemory(); m != nil {
		t.Errorf("%d bytes with an address", len(m))
	}
	if err := b.CanMeet(); !errors.Is(err, errNoAddress) {
		t.Errorf("can meet: %v", err)
	}
	if err := b.Meet([128]byte{}, 0, 2); !errors.Is(err, errNoAddress) {
		t.Errorf("meeting: %v", err)
	}
	if err := b.Carry(nil); err == nil {
		t.Error("carried without a meeting")
	}
}
