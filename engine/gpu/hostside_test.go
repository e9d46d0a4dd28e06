package gpu

import (
	"context"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/device/adaptive"
)

// An idleDevice does nothing, and does it at once: the time of a search on it is the time
// of the host.
type idleDevice struct {
	device
	made  buffer
	reply []byte // what read returns: control and levels
}

func (d *idleDevice) Name() string                       { return "idle" }
func (d *idleDevice) Clock() hops.Clock                  { return hops.Device }
func (d *idleDevice) alloc(int64) (buffer, error)        { d.made++; return d.made, nil }
func (d *idleDevice) write(buffer, int64, []byte) error  { return nil }
func (d *idleDevice) zero(buffer, int64) error           { return nil }
func (d *idleDevice) pinned(bytes int64) ([]byte, error) { return make([]byte, bytes), nil }
func (d *idleDevice) launch(string, shape, ...arg) error { return nil }
func (d *idleDevice) read(dst []byte, _ buffer, _ int64) error {
	copy(dst[:min(len(dst), len(d.reply))], d.reply)
	return nil
}

func (d *idleDevice) mapped([]byte) buffer { return 0 }

func (d *idleDevice) answer(dst []byte, b buffer, _ uint32) error { return d.read(dst, b, 0) }

// newIdle is an idle device with a graph, whose searches have six levels.
func newIdle(b *testing.B, n uint32) *Portable {
	b.Helper()
	d := &idleDevice{reply: make([]byte, controlSize+7*levelSize)}
	*(*control)(unsafe.Pointer(&d.reply[0])) = control{Depth: 6, Done: 1, Filled: 1, End: 7}
	for i := range 6 {
		levelCounts(d.reply[controlSize:])[i] = levelCount{Vertices: 1, Edges: 1, Start: uint64(i + 1), Step: stepTopDown}
	}
	g := &graph{kernels: kernels{d}, mem: newMemory(d), n: n, rows: n, entries: 32 * int64(n)}
	st, err := newState(g, shape{blocks: 1, threads: 32, together: true})
	if err != nil {
		b.Fatal(err)
	}
	s := &Searcher{kernels: kernels{d}, n: n, slots: make([]slot, 1), graph: g, state: st, machine: &machine{state: st}}
	s.options.setDefaults(hops.Vertex(n))
	s.fused = newFused(st, &s.options)
	p := &Portable{machine: s.machine, searcher: s, fused: newFused(st, &s.options)}
	p.fused.names = &portableNames
	return p
}

// BenchmarkHostSide measures the host's time for a search that the device runs alone, in
// this engine and in the adaptive one: with warm caches, and after other memory has
// filled the caches, as trees and graphs do between searches. It reports medians.
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
	device := newIdle(b, uint32(src.NumVertices()))
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
