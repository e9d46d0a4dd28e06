package gpu

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// randomRows are rows of neighbours: each of these once.
func randomRows(r *rand.Rand, n, count, entries int) [][]uint32 {
	rows := make([][]uint32, count)
	for range entries {
		v, u := r.IntN(count)*r.IntN(2), uint32(r.IntN(n)) // row 0 has half of all
		if !slices.Contains(rows[v], u) {
			rows[v] = append(rows[v], u)
		}
	}
	return rows
}

// linesOf lists the rows that are not empty.
func linesOf(rows [][]uint32) (l block.Lines) {
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

// A rowOfBlocks is two blocks of one row on one device, each with a column of its own. The
// first owns the first words of the row.
type rowOfBlocks struct {
	t      *testing.T
	rows   [2][][]uint32
	blocks [2]*deviceBlock
}

const (
	blockWidth, blockHeight = 1280, 200 // numbers of columns and rows
	pieceWords              = 2         // of 64 rows, of the first rank
)

func newRowOfBlocks(t *testing.T, driver string, r *rand.Rand, entries int) *rowOfBlocks {
	x := &rowOfBlocks{t: t}
	all := &deviceBlocks{Driver: driver}
	if driver == "opencl" {
		all.defines, all.extreme = smallLimits, 512
	}
	labels := [][]uint64{{1000}, {5000}}
	pieces := [2]block.Piece{{Words: pieceWords, Vertices: 64 * pieceWords}, {Row: pieceWords, Column: 3, Words: 2, Vertices: blockHeight - 64*pieceWords}}
	var cards [][]byte
	for j := range x.blocks {
		x.rows[j] = randomRows(r, blockWidth, blockHeight, entries)
		home := make([]uint64, 4)
		for i := range home {
			home[i] = 0x00ff00ff00ff00ff << (8 * j) // each row is at home in one of the two
		}
		b, err := all.New(block.Block{
			Rows: linesOf(x.rows[j]), Columns: linesOf(transposed(x.rows[j], blockWidth)), Home: home, Width: blockWidth, Height: blockHeight,
			Ranks: 2, Me: j, Piece: pieces[j], Labels: labels, Shift: 20,
		}, j)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		card, err := b.Card()
		if err != nil {
			t.Fatal(err)
		}
		x.blocks[j], cards = b, append(cards, card)
	}
	for j, b := range x.blocks {
		if first, way, err := b.Meet(cards, j, true); first != 0 || way != "the same device" || err != nil {
			t.Fatalf("neighbors from %d on, by %s, %v", first, way, err)
		}
	}
	return x
}

func (x *rowOfBlocks) each(do func(j int, b *deviceBlock) error) {
	x.t.Helper()
	for j, b := range x.blocks {
		if err := errors.Join(do(j, b), b.Sync()); err != nil {
			x.t.Fatal(err)
		}
	}
}

// level runs a level from given frontiers, and returns what it counted.
func (x *rowOfBlocks) level(front [2][]uint64, topDown, two, packed bool) (counts [2]block.Counts) {
	x.t.Helper()
	x.each(func(j int, b *deviceBlock) error {
		return errors.Join(b.Begin(block.Root{Column: block.NoParent, Row: 7, Place: block.NoParent}), b.Write(block.Front, 0, bytesOf(front[j])))
	})
	passes := []block.Pass{{TopDown: topDown, Front: block.Front, Found: block.Found}}
	if two {
		passes[0].Asked = block.Home
		passes = append(passes, block.Pass{Asked: block.Abroad, Front: block.Front, Found: block.FoundLater})
	}
	for i, p := range passes {
		x.each(func(_ int, b *deviceBlock) error {
			if i == 1 {
				if err := b.Admit(); err != nil {
					return err
				}
			}
			if err := b.Explore(p); err != nil || !packed {
				return err
			}
			at := int64(b.Me) * b.FoundBytes()
			return b.Pack(p.Found, rank.Span{Lo: at, Hi: at + b.FoundBytes()})
		})
		x.each(func(j int, b *deviceBlock) error {
			at, size := int64(1-j)*b.FoundBytes(), b.FoundBytes()
			if packed {
				return b.Take(p.Found, rank.Span{Lo: at, Hi: at + size}, 1-j)
			}
			return b.Copy(p.Found, at, 1-j, p.Found, at, size)
		})
	}
	x.each(func(j int, b *deviceBlock) (err error) {
		counts[j], err = b.Unite(block.NextFront, two, packed)
		return err
	})
	x.each(func(j int, b *deviceBlock) error {
		piece := b.Piece
		if err := b.Copy(block.Inbox, int64(1-j)*b.InboxBytes(), 1-j, block.Parents, 4*64*piece.Row, b.InboxBytes()); err != nil {
			return err
		}
		return b.Adopt()
	})
	return counts
}

// check holds the trees and the next frontiers against the rows.
func (x *rowOfBlocks) check(name string, front [2][]uint64, counts [2]block.Counts) {
	x.t.Helper()
	has := func(set []uint64, i uint32) bool { return set[i/64]>>(i%64)&1 != 0 }
	x.each(func(j int, b *deviceBlock) error {
		tree, next := make([]uint32, b.Piece.Vertices), make([]uint64, b.Width/64)
		if _, err := b.Tree(0, tree); err != nil {
			return err
		}
		if err := b.Read(bytesOf(next), block.NextFront, 0); err != nil {
			return err
		}
		found := int64(0)
		for i, parent := range tree {
			v, want := 64*int(b.Piece.Row)+i, false
			for k, rows := range x.rows {
				want = want || v != 7 && slices.ContainsFunc(rows[v], func(u uint32) bool { return has(front[k], u) })
			}
			if got := has(next, uint32(64*b.Piece.Column+int64(i))); got != want || (parent != block.NoParent) != want {
				x.t.Fatalf("%s: row %d found: %v, parent %d, want %v", name, v, got, parent, want)
			}
			if !want {
				continue
			}
			found++
			k, number := 0, parent-1000
			if parent >= 5000 {
				k, number = 1, parent-5000
			}
			if !slices.Contains(x.rows[k][v], number) || !has(front[k], number) {
				x.t.Fatalf("%s: row %d has the parent %d of column %d, which is no neighbour in the frontier", name, v, number, k)
			}
		}
		if counts[j].Found != found || counts[j].Examined < found/2 {
			x.t.Errorf("%s: counted %+v, found %d", name, counts[j], found)
		}
		return nil
	})
}

// All ways to run a level find the rows with a neighbour in the frontier, and one parent
// for each.
func TestBlocks(t *testing.T) { eachDriver(t, searchRowOfBlocks) }

func searchRowOfBlocks(t *testing.T, driver string) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, entries := range []int{2600, 0} {
		x := newRowOfBlocks(t, driver, r, entries)
		for _, share := range []float64{0, 0.001, 0.02, 1} {
			var front [2][]uint64
			for j := range front {
				front[j] = make([]uint64, blockWidth/64)
				for u := range blockWidth {
					if r.Float64() < share {
						front[j][u/64] |= 1 << (u % 64)
					}
				}
			}
			for _, packed := range []bool{false, true} {
				x.check("top-down", front, x.level(front, true, false, packed))
				x.check("bottom-up", front, x.level(front, false, false, packed))
				x.check("bottom-up in two passes", front, x.level(front, false, true, packed))
			}
		}
	}
}

// What a block cannot do is an error.
func TestBlockRefuses(t *testing.T) {
	openclOrSkip(t)
	all := &deviceBlocks{Driver: "opencl"}
	if _, err := all.New(block.Block{Width: 1 << 32, Ranks: 1}, 0); err == nil || !strings.Contains(err.Error(), "there is room for") {
		t.Errorf("a block that is too wide: %v", err)
	}
	b, err := all.New(block.Block{Width: 64, Ranks: 2, Home: []uint64{}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	other := (&deviceBlocks{Driver: "opencl"})
	stranger, err := other.New(block.Block{Width: 64, Ranks: 2}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	card, err := stranger.Card()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Meet([][]byte{nil, card}, 0, true); !errors.Is(err, errNoAddress) {
		t.Errorf("memory of another context: %v", err)
	}
	if err := b.CanJoin(); !errors.Is(err, errNoAddress) {
		t.Errorf("NCCL: %v", err)
	}
	if m := b.Memory(block.Front); m != nil {
		t.Errorf("%d bytes with an address", len(m))
	}
	if err := b.LoadTree(0, 0, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Tree(0, make([]uint32, 3)); err == nil || !strings.Contains(err.Error(), "room for 3 parents") {
		t.Error("room for three parents of none was accepted")
	}
}
