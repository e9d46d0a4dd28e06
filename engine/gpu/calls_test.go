package gpu

import (
	"maps"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/adaptive"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/level"
)

// counting counts what a search asks of its driver.
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

func (c *counting) start() error {
	c.calls["start"]++
	return c.device.start()
}

func (c *counting) stop() (time.Duration, error) {
	c.calls["stop"]++
	return c.device.stop()
}

// countedSearcher returns a searcher on a device of one block, which can wait for itself,
// that counts.
func countedSearcher(t *testing.T) (*Searcher, *counting) {
	t.Helper()
	o := Options{Driver: "opencl", Blocks: 1}
	o.setDefaults(0)
	d, err := open(&o)
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{device: d, calls: map[string]int{}}
	return &Searcher{dev: c, devices: []device{c}, options: o}, c
}

// A search that the adaptive engine leaves to the device alone asks as much of the
// driver as one of this engine: a launch, the levels and the tree.
func TestBurstsCostWhatSearchesDo(t *testing.T) {
	openclOrSkip(t)
	src, err := edge.NewKronecker(8, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	alone, count := countedSearcher(t)
	if err := alone.build(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	mixed, mixedCount := countedSearcher(t)
	device, err := mixed.portable(t.Context(), src, true)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	host, err := cpu.Build(t.Context(), src, cpu.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	x, err := adaptive.New(host.Portable(), device, adaptive.Options{Plan: level.Plan{nameG}})
	if err != nil {
		t.Fatal(err)
	}
	tree := hops.NewTree(src.NumVertices())
	for _, root := range []hops.Vertex{0, 1, 77, 255} {
		clear(count.calls)
		clear(mixedCount.calls)
		tree.Reset()
		want, err := alone.Search(t.Context(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		tree.Reset()
		got, err := x.Search(t.Context(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		if got.Found() != want.Found() || count.calls["launch search_all"] != 1 {
			t.Errorf("root %d: %d found, want %d; calls %v", root, got.Found(), want.Found(), count.calls)
		}
		if !maps.Equal(count.calls, mixedCount.calls) {
			t.Errorf("root %d: calls of the adaptive engine %v, of this one %v", root, mixedCount.calls, count.calls)
		}
	}
}
