package gpu

import (
	"context"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/adaptive"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/learn"
)

// still is a device that does nothing at once: what is left of a search is the host's
// side of it.
type still struct {
	device
	made   buffer
	answer []byte // to who asks for control and levels
}

func (d *still) Name() string                       { return "still" }
func (d *still) Clock() hops.Clock                  { return hops.Device }
func (d *still) alloc(int64) (buffer, error)        { d.made++; return d.made, nil }
func (d *still) write(buffer, int64, []byte) error  { return nil }
func (d *still) zero(buffer, int64) error           { return nil }
func (d *still) pinned(bytes int64) ([]byte, error) { return make([]byte, bytes), nil }
func (d *still) launch(string, shape, ...arg) error { return nil }
func (d *still) start() error                       { return nil }
func (d *still) stop() (time.Duration, error)       { return time.Microsecond, nil }
func (d *still) read(dst []byte, _ buffer, _ int64) error {
	copy(dst[:min(len(dst), len(d.answer))], d.answer)
	return nil
}

// newStill is a device that holds a graph and finds six levels in it.
func newStill(b *testing.B, n uint32) *Portable {
	b.Helper()
	d := &still{answer: make([]byte, controlSize+7*levelSize)}
	*(*control)(unsafe.Pointer(&d.answer[0])) = control{Depth: 6, Done: 1, Filled: 1, End: 7}
	for i := range 6 {
		countedAt(d.answer[controlSize:])[i] = counted{Vertices: 1, Edges: 1, Start: uint64(i + 1), Step: stepTopDown}
	}
	g := &graph{dev: d, mem: newMemory(d), n: n, rows: n, entries: 32 * int64(n)}
	st, err := newState(g, shape{blocks: 1, threads: 32, together: true})
	if err != nil {
		b.Fatal(err)
	}
	s := &Searcher{dev: d, n: n, graph: g, state: st, machine: &Machine{state: st}}
	s.options.setDefaults(hops.Vertex(n))
	s.fused = newFused(st, &s.options)
	p := &Portable{Machine: s.machine, searcher: s, fused: newFused(st, &s.options)}
	p.fused.names = &burstNames
	return p
}

// BenchmarkHostSide is what the host takes for a search that the device runs alone, in
// this engine and in the adaptive one: again and again, and after something else has
// been in the caches, as trees and graphs are between searches. The medians.
func BenchmarkHostSide(b *testing.B) {
	src, err := edge.NewKronecker(14, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	host, err := cpu.Build(b.Context(), src, cpu.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer host.Close()
	device := newStill(b, uint32(src.NumVertices()))
	x, err := adaptive.New(b.Context(), host.Portable(), device, adaptive.Options{Model: &learn.DeviceModel{
		Steps: learn.Model{"top-down": {Fixed: 9}, "top-down@gpu": {Fixed: 9}, "levels@gpu/top-down@gpu": {Fixed: 1}},
	}})
	if err != nil {
		b.Fatal(err)
	}
	tree := hops.NewTree(src.NumVertices())
	others := make([]uint64, 64<<20/8)
	for _, temper := range []string{"warm", "cold"} {
		for _, engine := range []struct {
			name   string
			search func(context.Context, hops.Vertex, *hops.Tree) (hops.Trace, error)
		}{{"gpu", device.Alone().Search}, {"adaptive", x.Search}} {
			b.Run(temper+"/"+engine.name, func(b *testing.B) {
				var times []time.Duration
				for b.Loop() {
					for i := 0; temper == "cold" && i < len(others); i += 8 {
						others[i]++
					}
					began := time.Now()
					if _, err := engine.search(b.Context(), 5, tree); err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(began))
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2]), "median-ns")
			})
		}
	}
}
