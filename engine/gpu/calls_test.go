package gpu

import (
	"maps"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/device/adaptive"
	"github.com/gohops/hops/level"
)

// counting counts the calls of its driver.
type counting struct {
	device
	calls map[string]int
}

func (c *counting) write(b buffer, offset int64, src []byte) error {
	c.calls["write"]++
	return c.device.write(b, offset, src)
}

func (c *counting) read(dst []byte, b buffer, offset int64) error {
	c.calls["read"]++
	return c.device.read(dst, b, offset)
}

func (c *counting) launch(kernel string, s shape, args ...arg) error {
	c.calls["launch "+kernel]++
	return c.device.launch(kernel, s, args...)
}

func (c *counting) zero(b buffer, bytes int64) error {
	c.calls["zero"]++
	return c.device.zero(b, bytes)
}

func (c *counting) copy(dst buffer, dstOffset int64, src buffer, srcOffset, bytes int64) error {
	c.calls["copy"]++
	return c.device.copy(dst, dstOffset, src, srcOffset, bytes)
}

func (c *counting) pinned(bytes int64) ([]byte, error) {
	c.calls["pinned"]++
	return c.device.pinned(bytes)
}

func (c *counting) answer(dst []byte, b buffer, ticket uint32) error {
	c.calls["answer"]++
	return c.device.answer(dst, b, ticket)
}

// countedSearcher returns a searcher whose calls of the driver are counted. Its grid is
// one block, which waits for no other.
func countedSearcher(t *testing.T) (*Searcher, *counting) {
	t.Helper()
	o := Options{Driver: "opencl", Blocks: 1}
	o.setDefaults(0)
	d, err := open(&o)
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{device: d, calls: map[string]int{}}
	return &Searcher{kernels: kernels{c}, options: o}, c
}

// during returns what one search asks of the driver.
func (c *counting) during(t *testing.T, search func() (hops.Trace, error)) (map[string]int, hops.Trace) {
	t.Helper()
	clear(c.calls)
	trace, err := search()
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(c.calls), trace
}

// A search that the adaptive engine leaves to the device alone makes the same calls of
// the driver as a search of this engine: a launch, and copies of the levels and the tree.
// That holds for a search by a schedule, by a cost model and by default.
func TestBurstsCostWhatSearchesDo(t *testing.T) {
	openclOrSkip(t)
	kronecker, err := edge.NewKronecker(8, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	model := &learn.DeviceModel{Steps: learn.Model{"top-down": {Fixed: 9}, "top-down@gpu": {Fixed: 9}, "levels@gpu/top-down@gpu": {Fixed: 1}}}
	for name, src := range map[string]hops.Source{"kronecker": kronecker, "grid": grid(16)} {
		s, count := countedSearcher(t)
		device, err := s.portable(t.Context(), src, true)
		if err != nil {
			t.Fatal(err)
		}
		defer device.Close()
		host, err := cpu.Build(t.Context(), src, cpu.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer host.Close()
		tree := hops.NewTree(src.NumVertices())
		for _, o := range []adaptive.Options{{}, {Plan: level.Plan{portableLevels}}, {Model: model, Start: adaptive.OnDevice}} {
			x, err := adaptive.New(t.Context(), host.Portable(), device, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, root := range []hops.Vertex{0, 1, 77, 255} {
				want, alone := count.during(t, func() (hops.Trace, error) { return device.Alone().Search(t.Context(), root, tree) })
				tree.Reset()
				got, mixed := count.during(t, func() (hops.Trace, error) { return x.Search(t.Context(), root, tree) })
				if !maps.Equal(got, want) || want["launch search_all"] != 1 {
					t.Errorf("%s, %+v, root %d: the adaptive engine calls %v, this one %v", name, o, root, got, want)
				}
				if mixed.Found() != alone.Found() || mixed.Plan() != portableLevels || tree.Root != root || tree.Parent(root) != root {
					t.Errorf("%s, %+v, root %d: %d found by %s, want %d", name, o, root, mixed.Found(), mixed.Plan(), alone.Found())
				}
			}
		}
	}
}

// grid is the graph of a square grid.
func grid(side hops.Vertex) hops.Source {
	var edges []hops.Edge
	for v := range side * side {
		if (v+1)%side != 0 {
			edges = append(edges, hops.Edge{U: v, V: v + 1})
		}
		if v+side < side*side {
			edges = append(edges, hops.Edge{U: v, V: v + side})
		}
	}
	return edge.List(edges, side*side)
}
