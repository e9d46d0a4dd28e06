package grid

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// A plainAccelerator does what an Accelerator must, in the memory of the host. As on a
// device, nothing is done before somebody waits for it: a rank that reads too early what
// another has been told to write reads what was there before.
type plainAccelerator struct {
	block.Block
	memory   [block.Regions][]uint64
	visited  bitset.Set
	tree     []uint32
	root     uint32
	examined int64
	taken    int64
	later    []func()
	fails    error
}

func newPlain(b block.Block, fails error) *plainAccelerator {
	for _, l := range []*block.Lines{&b.Rows, &b.Columns} {
		*l = block.Lines{Numbers: slices.Clone(l.Numbers), Offsets: slices.Clone(l.Offsets), Entries: slices.Clone(l.Entries)}
	}
	x := &plainAccelerator{Block: b, tree: make([]uint32, b.Piece.Vertices), visited: bitset.New(b.Height), fails: fails}
	for r := range x.memory {
		x.memory[r] = make([]uint64, (b.Bytes(block.Region(r))+7)/8)
	}
	return x
}

// An attacher puts a block on a device.
type attacher = func(b block.Block, local int) (block.Accelerator, error)

func on(attach attacher) Device { return block.Devices{Attach: attach} }

func plainDevice(fails error) Device { return on(plainAttach(fails)) }

func plainAttach(fails error) attacher {
	return func(b block.Block, _ int) (block.Accelerator, error) { return newPlain(b, fails), nil }
}

func (x *plainAccelerator) tell(do func()) error {
	x.later = append(x.later, do)
	return x.fails
}

func (x *plainAccelerator) Sync() error {
	for _, do := range x.later {
		do()
	}
	x.later = nil
	return nil
}

func (x *plainAccelerator) parents() []uint32 {
	return arena.View[uint32](arena.Bytes(x.memory[block.Parents]))
}

func (x *plainAccelerator) found(r block.Region, j int) bitset.Set {
	words := int(x.FoundBytes() / 8)
	return x.memory[r][j*words:][:words]
}

func (x *plainAccelerator) Begin(root block.Root) error {
	x.root = root.Label
	return x.tell(func() {
		clear(x.memory[block.Front])
		x.visited.Clear()
		for _, all := range [][]uint32{x.parents(), x.tree} {
			for i := range all {
				all[i] = block.NoParent
			}
		}
		if root.Column != block.NoParent {
			bitset.Set(x.memory[block.Front]).Add(uint64(root.Column))
			x.tree[root.Place] = root.Label
		}
		if root.Row != block.NoParent {
			x.visited.Add(uint64(root.Row))
		}
	})
}

func (x *plainAccelerator) Explore(p block.Pass) error {
	return x.tell(func() {
		found, front, home := x.found(p.Found, x.Me), bitset.Set(x.memory[p.Front]), bitset.Set(x.Home)
		found.Clear()
		lines := x.Rows
		if p.TopDown {
			lines = x.Columns
		}
		for k, number := range lines.Numbers {
			for _, entry := range lines.Entries[lines.Offsets[k]:lines.Offsets[k+1]] {
				v, u := number, entry
				if p.TopDown {
					v, u = entry, number
				}
				if x.visited.Has(uint64(v)) || p.Asked != block.All && home.Has(uint64(v)) != (p.Asked == block.Home) {
					continue
				}
				x.examined++
				if front.Has(uint64(u)) && !found.Has(uint64(v)) {
					found.Add(uint64(v))
					x.parents()[v] = u
				}
			}
		}
	})
}

func (x *plainAccelerator) Admit() error {
	return x.tell(func() {
		for j := range x.Ranks {
			unite(x.visited, x.found(block.Found, j))
		}
	})
}

func (x *plainAccelerator) Unite(next block.Region, two, pack bool) (c block.Counts, err error) {
	_ = x.Sync()
	last := block.Found
	if two {
		last = block.FoundLater
	}
	all := bitset.New(x.Height)
	for j := range x.Ranks {
		if j == x.Me {
			for v := range x.found(last, j).All {
				if all.Has(v) {
					x.parents()[v] = block.NoParent
				}
			}
		}
		unite(all, x.found(last, j))
	}
	for j := range x.Ranks {
		if two {
			unite(all, x.found(block.Found, j))
		}
	}
	unite(x.visited, all)
	mine := all[x.Piece.Row:][:x.Piece.Words]
	copy(x.memory[next][x.Piece.Column:], mine)
	c = block.Counts{Found: mine.Count(), Edges: x.edges(all, mine), Examined: x.examined, Taken: x.taken}
	x.examined, x.taken = 0, 0
	if pack {
		x.pack(next, rank.Span{Lo: 8 * x.Piece.Column, Hi: 8 * (x.Piece.Column + x.Piece.Words)})
	}
	return c, x.fails
}

func (x *plainAccelerator) edges(all, mine bitset.Set) (sum int64) {
	for k, v := range x.Rows.Numbers {
		if x.Out == nil && all.Has(uint64(v)) {
			sum += x.Rows.Offsets[k+1] - x.Rows.Offsets[k]
		}
	}
	for v := range mine.All {
		if x.Out != nil {
			sum += int64(x.Out[v])
		}
	}
	return sum
}

func (x *plainAccelerator) Adopt() error {
	return x.tell(func() {
		inbox := arena.View[uint32](arena.Bytes(x.memory[block.Inbox]))
		for j := range x.Ranks {
			marks := inbox[j*int(x.InboxBytes()/4):]
			if j == x.Me {
				marks = x.parents()[64*x.Piece.Row:]
			}
			for v := range x.tree {
				if m := marks[v]; m != block.NoParent {
					x.tree[v] = uint32(uint64(m) + x.Labels[j][m>>x.Shift])
				}
			}
		}
	})
}

func (x *plainAccelerator) Tree(_ int, dst []uint32) (root uint32, err error) {
	_ = x.Sync()
	copy(dst, x.tree)
	return x.root, nil
}

func (x *plainAccelerator) Read(dst []byte, from block.Region, at int64) error {
	_ = x.Sync()
	copy(dst, arena.Bytes(x.memory[from])[at:])
	return nil
}

func (x *plainAccelerator) Write(to block.Region, at int64, src []byte) error {
	_ = x.Sync()
	copy(arena.Bytes(x.memory[to])[at:], src)
	return nil
}

func (x *plainAccelerator) DeviceName() string { return "imitation" }
func (x *plainAccelerator) Close() error       { return nil }

// Blocks on a device are searched like others, with every way between devices.
func TestDevice(t *testing.T) {
	for shape, o := range map[string]Options{
		"1x3": {Device: on(new(neighborhood).device), Predecessors: "level"},
		"2x2": {Device: on(new(neighborhood).device), Hosts: 2},
		"3x2": {Device: plainDevice(nil), narrowLimit: 1},
	} {
		t.Run(shape, func(t *testing.T) {
			rows, columns, err := parseShape(shape)
			if err != nil {
				t.Fatal(err)
			}
			o.Shape, o.Ranks, o.Threads = shape, rows*columns, 1
			e := engine(o, topDown.Name, bottomUp.Name)
			e.MaxScale, e.MaxPath, e.Variant = min(e.MaxScale, 9), min(e.MaxPath, 30), shape != "2x2"
			enginetest.Run(t, e)
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
	missing := func(block.Block, int) (block.Accelerator, error) { return nil, broken }
	_, err := Build(t.Context(), src, Options{Ranks: 2, Device: on(missing)})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "rank ") {
		t.Errorf("error %v", err)
	}
}

// A trace says what crossed the bus: nothing where devices read each other's memory, and
// otherwise every bitmap and every parent that ranks tell each other.
func TestBusBytes(t *testing.T) {
	src := kronecker(t, 9)
	for name, x := range map[string]struct {
		o           Options
		bus, direct bool
	}{
		"direct":  {Options{Device: on(new(neighborhood).device)}, false, true},
		"host":    {Options{Device: on(new(neighborhood).device), Exchange: "host"}, true, false},
		"threads": {Options{}, false, false},
	} {
		x.o.Ranks, x.o.Shape = 4, "2x2"
		s := mustBuild(t, src, x.o)
		trace, err := s.Search(t.Context(), 1, newTree(s))
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range trace.Levels {
			if (l.Exchange.BusBytes > 0) != x.bus || (l.Exchange.DeviceBytes > 0) != x.direct {
				t.Errorf("%s: level %d: %d bytes through the bus, %d from device to device", name, i, l.Exchange.BusBytes, l.Exchange.DeviceBytes)
			}
		}
		if device := s.DeviceName(); (device != "") != (x.o.Device != nil) {
			t.Errorf("%s: device %q", name, device)
		}
		if got, want := trace.Clock, (map[bool]hops.Clock{true: hops.Device, false: hops.Wall})[x.o.Device != nil]; got != want {
			t.Errorf("%s: times by the clock %v, want %v", name, got, want)
		}
	}
}

// What is wanted and not there is refused, with the reason.
func TestExchangeIsThere(t *testing.T) {
	for way, want := range map[string]string{"direct": "the device has none", "nccl": "the device has none", "mpi": "the device has none"} {
		_, err := Build(t.Context(), kronecker(t, 5), Options{Ranks: 2, Device: plainDevice(nil), Exchange: way})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("exchange=%s: %s", way, want)) {
			t.Errorf("exchange=%s: %v", way, err)
		}
	}
}
