package grid

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/internal/bitset"
)

// A plainAccelerator does what an Accelerator must, and nothing else.
type plainAccelerator struct {
	rows, columns Lines
	front         bitset.Set
	parents       []uint32
	fails         error
}

func (x *plainAccelerator) Front(first int64, words []uint64) error {
	copy(x.front[first:], words)
	return x.fails
}

func (x *plainAccelerator) TopDown(visited, out []uint64) (examined int64, err error) {
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

func (x *plainAccelerator) BottomUp(closed, out []uint64) (examined int64, err error) {
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

func (x *plainAccelerator) Parents(dst []uint32) error { copy(dst, x.parents); return nil }
func (x *plainAccelerator) Close() error               { return nil }

func plainDevice(fails error) Attach {
	return func(rows, columns Lines, n, count int64, _ int) (Accelerator, error) {
		return &plainAccelerator{rows, columns, bitset.New(n), make([]uint32, count), fails}, nil
	}
}

// Blocks on a device are searched like others.
func TestDevice(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread a rank, as in TestEverything")
	}
	for _, shape := range []string{"1x1", "2x1", "1x3", "2x2"} {
		t.Run(shape, func(t *testing.T) {
			rows, columns, err := parseShape(shape)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Shape: shape, Ranks: rows * columns, Device: plainDevice(nil)}
			if rows == 1 {
				o.Predecessors = "level"
			}
			enginetest.Run(t, engine(o, topDown.Name, bottomUp.Name))
		})
	}
}

// The error of a device ends the search. A block that cannot be attached ends the
// construction, with the number of the rank.
func TestDeviceFails(t *testing.T) {
	broken, src := errors.New("out of order"), kronecker(t, 8)
	s := mustBuild(t, src, Options{Ranks: 2, Device: plainDevice(broken)})
	if _, err := s.Search(t.Context(), 1, hops.NewTree(src.NumVertices())); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	missing := func(Lines, Lines, int64, int64, int) (Accelerator, error) { return nil, broken }
	_, err := Build(t.Context(), src, Options{Ranks: 2, Device: missing})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "rank ") {
		t.Errorf("error %v", err)
	}
}
