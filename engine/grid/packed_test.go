package grid

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
	"github.com/gohops/hops/internal/ranks/rank"
)

// The short form of an imitated device: the number of bytes, and then the members, or NoParent
// and the words where these are shorter.

func (x *plainAccelerator) pack(r block.Region, part rank.Span) {
	set := bitset.Set(x.memory[r][part.Lo/8 : part.Hi/8])
	form := arena.View[uint32](arena.Bytes(x.memory[r.Packed()]))
	if members := set.Count(); 8+4*members < part.Size() {
		form[0], form[1] = uint32(8+4*members), uint32(members)
		at := 2
		for v := range set.All {
			form[at] = uint32(v)
			at++
		}
		return
	}
	form[0], form[1] = uint32(8+part.Size()), block.NoParent
	copy(arena.Bytes(form[2:]), arena.Bytes(set))
}

func (x *plainAccelerator) Pack(r block.Region, part rank.Span) error {
	return x.tell(func() { x.pack(r, part) })
}

func (x *plainAccelerator) PackedBytes(r block.Region) (int64, error) {
	_ = x.Sync()
	return int64(uint32(x.memory[r.Packed()][0])), nil
}

func (x *plainAccelerator) Unpack(r block.Region, part rank.Span, at int64) error {
	return x.tell(func() { unpackForm(x.memory[r][part.Lo/8:part.Hi/8], arena.Bytes(x.memory[block.Arrived])[at:]) })
}

func (x *resident) Apart(int) bool { return x.in.apart }

func (x *resident) Take(r block.Region, part rank.Span, from int) error {
	return x.tell(func() {
		x.taken += unpackForm(x.memory[r][part.Lo/8:part.Hi/8], arena.Bytes(x.met[from].memory[r.Packed()]))
	})
}

// unpackForm returns the length of the form.
func unpackForm(set bitset.Set, packed []byte) int64 {
	form := arena.View[uint32](packed[:len(packed)/4*4])
	set.Clear()
	if form[1] == block.NoParent {
		copy(arena.Bytes(set), arena.Bytes(form[2:]))
		return int64(form[0])
	}
	for _, v := range form[2 : 2+form[1]] {
		set.Add(uint64(v))
	}
	return int64(form[0])
}

// On every way between devices bitmaps go packed, in every level if that is wanted and in none if
// it is not: the trees are right, and where few are found fewer bytes move.
func TestPackedBitmaps(t *testing.T) {
	src := kronecker(t, 10)
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	nobody := func(int) error { return nil }
	for name, x := range map[string]struct {
		takes  bool
		device func() attacher
	}{
		"addresses": {false, func() attacher { return new(neighborhood).device }},
		"mpi":       {true, func() attacher { return addressedDevice }},
		"carriers":  {false, func() attacher { return (&halls{open: map[byte][]rank.Comm{}, refuses: nobody}).device }},
		"host":      {false, func() attacher { return plainAttach(nil) }},
	} {
		for _, shape := range []string{"3x1", "1x3", "3x2", "1x5"} {
			t.Run(name+"/"+shape, func(t *testing.T) {
				moved := map[string][]int64{}
				for _, form := range Bitmaps {
					moved[form] = movedInLevels(t, src, near, Options{Shape: shape, Threads: 1, Device: on(x.device()), Bitmaps: form}, x.takes)
				}
				dense, packed := moved["dense"], moved["packed"]
				last := len(dense) - 1
				if packed[0] >= dense[0] || packed[last] >= dense[last] || packed[0] == 0 {
					t.Errorf("bytes by level: dense %v, packed %v", dense, packed)
				}
				if byDefault, want := moved[""], map[bool][]int64{true: packed, false: dense}[name == "host"]; !slices.Equal(byDefault, want) {
					t.Errorf("bytes by level: by default %v, want %v", byDefault, want)
				}
			})
		}
	}
}

// movedInLevels searches from some roots, and returns the bytes that moved in each level of the
// last search, the parents at its end with the last of them.
func movedInLevels(t *testing.T, src hops.Source, near ranktest.Graph, o Options, takesDevices bool) (bytes []int64) {
	t.Helper()
	rows, columns, _ := parseShape(o.Shape)
	comms, err := rank.Local(rows*columns, 1)
	if err != nil {
		t.Fatal(err)
	}
	for r := range comms {
		if takesDevices {
			comms[r] = deviceComm{comms[r]}
		}
	}
	s, err := distributed.BuildOn(t.Context(), src, comms, o.engine())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tree, trace := hops.NewTree(src.NumVertices()), hops.Trace{}
	for _, root := range []hops.Vertex{1, 41, 81} {
		tree.Reset()
		if trace, err = s.Search(t.Context(), root, tree); err != nil {
			t.Fatal(err)
		}
		if err := near.Check(tree, uint32(root)); err != nil {
			t.Fatalf("root %d: %v", root, err)
		}
	}
	for _, l := range trace.Levels {
		bytes = append(bytes, l.Exchange.BusBytes+l.Exchange.DeviceBytes)
	}
	return bytes
}

// Without being told, ranks pack bitmaps that go over a link and are large, and all that go through
// the host.
func TestPackingPays(t *testing.T) {
	small, large := []rank.Span{{Hi: 1 << 10}, {Hi: 1 << 10}}, []rank.Span{{Hi: 5 << 20}, {Hi: 5 << 20}}
	group, err := rank.Local(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	near := func(apart bool) way {
		x := &resident{in: &neighborhood{apart: apart}}
		return &straight{Neighbor: x, group: group[0]}
	}
	for name, x := range map[string]struct {
		way          way
		small, large bool
	}{
		"alone":           {alone{}, false, false},
		"the same device": {near(false), false, false},
		"peers":           {near(true), false, true},
		"NCCL":            {&carried{}, false, true},
		"MPI":             {&passed{}, false, true},
		"host":            {&staged{}, true, true},
	} {
		d := &onDevice{machine: &machine{}}
		if s, l := d.packsIn(x.way, small), d.packsIn(x.way, large); s != x.small || l != x.large {
			t.Errorf("%s: packs small bitmaps: %v, want %v; large ones: %v, want %v", name, s, x.small, l, x.large)
		}
	}
}
