package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/internal/bitset"
)

// A plainExplorer does what an Explorer must, and nothing else.
type plainExplorer struct {
	rows, columns Lines
	front         bitset.Set
	parents       []uint32
	fails         error
}

func (x *plainExplorer) Front(first int64, words []uint64) error {
	copy(x.front[first:], words)
	return x.fails
}

func (x *plainExplorer) TopDown(visited, out []uint64) (examined int64, err error) {
	clear(out)
	for k, u := range x.columns.Numbers {
		if !x.front.Has(uint64(u)) {
			continue
		}
		for _, v := range x.columns.Entries[x.columns.Offsets[k]:x.columns.Offsets[k+1]] {
			examined++
			if !bitset.Set(visited).Has(uint64(v)) {
				bitset.Set(out).Add(uint64(v))
				x.parents[v] = u
			}
		}
	}
	return examined, nil
}

func (x *plainExplorer) BottomUp(closed, out []uint64) (examined int64, err error) {
	clear(out)
	for k, v := range x.rows.Numbers {
		row := x.rows.Entries[x.rows.Offsets[k]:x.rows.Offsets[k+1]]
		if bitset.Set(closed).Has(uint64(v)) {
			continue
		}
		at := slices.IndexFunc(row, func(u uint32) bool { return x.front.Has(uint64(u)) })
		if at < 0 {
			examined += int64(len(row))
			continue
		}
		examined += int64(at) + 1
		bitset.Set(out).Add(uint64(v))
		x.parents[v] = row[at]
	}
	return examined, nil
}

func (x *plainExplorer) Parents(dst []uint32) error { copy(dst, x.parents); return nil }
func (x *plainExplorer) Close() error               { return nil }

func plainDevice(fails error) Device {
	return func(rows, columns Lines, n, count int64, _ int) (Explorer, error) {
		return &plainExplorer{rows, columns, bitset.New(n), make([]uint32, count), fails}, nil
	}
}

// Blocks that a device explores are searched like others.
func TestDevice(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread a rank, as in TestEverything")
	}
	for _, shape := range []string{"1x1", "2x1", "1x3", "2x2"} {
		t.Run(shape, func(t *testing.T) {
			rows, columns, err := parseGrid(shape)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Layout: "2d", Grid: shape, Ranks: rows * columns, Device: plainDevice(nil)}
			if rows == 1 {
				o.Predecessors = "level"
			}
			enginetest.Run(t, engine(o, gridTopDown.Name, gridBottomUp.Name))
		})
	}
}

// What a device says is wrong ends the search; one that cannot be had ends the
// construction, with the number of the rank.
func TestDeviceFails(t *testing.T) {
	broken := errors.New("out of order")
	s := build(t, kronecker(t, 8), Options{Layout: "2d", Ranks: 2, Device: plainDevice(broken)})
	if _, err := s.Search(t.Context(), 1, hops.NewTree(s.n)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	missing := func(Lines, Lines, int64, int64, int) (Explorer, error) { return nil, broken }
	_, err := Build(t.Context(), kronecker(t, 8), Options{Layout: "2d", Ranks: 2, Device: missing})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "rank ") {
		t.Errorf("error %v", err)
	}
	if _, err := Build(t.Context(), kronecker(t, 8), Options{Device: plainDevice(nil)}); err == nil {
		t.Error("a device without a grid was accepted")
	}
}
