package bottomup

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
)

// randomLevel returns rows of random lengths with a random frontier, and the rows
// that are closed: visited ones and empty ones.
func randomLevel(t *testing.T, r *rand.Rand, k kernel.Kernels) (l Level, closed bitset.Set) {
	t.Helper()
	n := 1 + r.IntN(3<<BlockShift)
	all := rows(r, n)
	words := bitset.Words(int64(n))
	var mem arena.Arena
	team := par.NewTeam(1, nil)
	t.Cleanup(func() { _ = mem.Close(); team.Close() })
	x := &Rows{Head: make([]uint32, 64*words), More: make(bitset.Set, words)}
	x.Row = func(v uint32) []uint32 { return all[v] }
	var err error
	if r.IntN(4) == 0 {
		x.Tails = Tails{} // rows alone
	} else if x.Tails, err = NewTails(int64(n), int64(n), x.Row, team, &mem); err != nil {
		t.Fatal(err)
	}
	l = Level{Rows: x, Kernels: k, Front: bitset.New(int64(n)), Next: make(bitset.Set, words), Parents: make([]uint32, 64*words)}
	closed = make(bitset.Set, words)
	for v := range 64 * words {
		switch {
		case v >= n || len(all[v]) == 0 || r.IntN(4) == 0:
			closed.Add(uint64(v))
		case len(all[v]) > 1:
			x.More.Add(uint64(v))
			fallthrough
		default:
			x.Head[v] = all[v][0]
		}
		if v < n && r.IntN(3) == 0 {
			l.Front.Add(uint64(v))
		}
	}
	return l, closed
}

// check holds a level against its rows, read one after the other.
func check(t *testing.T, l *Level, closed bitset.Set, examined int64) {
	t.Helper()
	want := int64(0)
	for v := range uint32(64 * len(closed)) {
		if closed.Has(uint64(v)) {
			if l.Next.Has(uint64(v)) {
				t.Fatalf("closed row %d was found", v)
			}
			continue
		}
		row := l.Row(v)
		at := slices.IndexFunc(row, func(u uint32) bool { return l.Front.Has(uint64(u)) })
		if (at >= 0) != l.Next.Has(uint64(v)) || at >= 0 && l.Parents[v] != row[at] {
			t.Fatalf("row %d of %v: entry %d is in the frontier, parent %d", v, row, at, l.Parents[v])
		}
		if want += int64(at) + 1; at < 0 {
			want += int64(len(row))
		}
	}
	if examined != want {
		t.Errorf("%d entries were looked at, want %d", examined, want)
	}
}

func TestBlockAndListFindTheFirstNeighborOfEachRow(t *testing.T) {
	for seed := range uint64(20) {
		for _, k := range []kernel.Kernels{{}, kernel.Best()} {
			l, closed := randomLevel(t, rand.New(rand.NewPCG(seed, 3)), k)
			misses, examined := NewMisses(), int64(0)
			for lo := int64(0); lo < int64(len(closed)); lo += BlockWords {
				hi := min(lo+BlockWords, int64(len(closed)))
				examined += l.Block(lo, hi, closed[lo:hi], &misses)
			}
			check(t, &l, closed, examined)

			l.Next.Clear()
			visited := slices.Clone(closed)
			list := AppendUnvisited(nil, visited, 0)
			left, found, examined := l.List(list, visited)
			check(t, &l, closed, examined)
			if int64(len(found)) != l.Next.Count() || len(left)+len(found) != len(list) {
				t.Errorf("%d of %d rows are listed as found, %d as left, %d are marked", len(found), len(list), len(left), l.Next.Count())
			}
			for _, v := range found {
				if !visited.Has(uint64(v)) || !l.Next.Has(uint64(v)) {
					t.Errorf("row %d is listed as found", v)
				}
			}
			if _, again, _ := l.List(AppendUnvisited(nil, visited, 0), visited); len(again) > 0 {
				t.Errorf("%d rows were found twice", len(again))
			}
		}
	}
}

// NewRows knows the head of every row, and which rows go on after it.
func TestHeadsAndMore(t *testing.T) {
	rows := [][]uint32{nil, {7}, {5, 6}, {1, 2, 3}}
	var mem arena.Arena
	defer mem.Close()
	r, err := NewRows(int64(len(rows)), 1<<32, func(v uint32) []uint32 { return rows[v] }, &mem)
	if err != nil {
		t.Fatal(err)
	}
	for v, row := range rows {
		if len(row) > 0 && r.Head[v] != row[0] || r.More.Has(uint64(v)) != (len(row) > 1) {
			t.Errorf("row %v: head %d, more %v", row, r.Head[v], r.More.Has(uint64(v)))
		}
	}
}
