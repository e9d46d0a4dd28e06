package gpu

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// With every map the machine keeps the contract of level.Machine.
func TestMapsKeepTheContract(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		for _, name := range mapNumbers {
			for graph, src := range enginetest.MachineSources(t) {
				if testing.Short() && graph != "kronecker" {
					continue
				}
				t.Run(name+" "+graph, func(t *testing.T) {
					s, err := Build(t.Context(), src, Options{Driver: driver, Stepped: level.Fixed{}, Map: name})
					if err != nil {
						t.Fatal(err)
					}
					defer s.Close()
					enginetest.CheckMachine(t, s.machine, src, nil, false)
				})
			}
		}
	})
}

// A map is used in bottom-up levels: each has its kernel, only bytes are packed, and only bits
// need a copy of the bitmap.
func TestMapsRunTheirKernels(t *testing.T) {
	openclOrSkip(t)
	src, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{""}, mapNumbers...) {
		s, count := countedSearcher(t)
		s.options.Map, s.options.Stepped = name, level.Fixed{Direction: level.BottomUp}
		if err := s.build(t.Context(), src); err != nil {
			t.Fatal(err)
		}
		tree := hops.NewTree(src.NumVertices())
		calls, trace := count.during(t, func() (hops.Trace, error) { return s.Search(t.Context(), 1, tree) })
		passes := map[bool]int{true: len(trace.Levels)}
		want := map[string]int{
			"launch step_full": passes[name == ""], "launch step_vertices": passes[name != ""],
			"launch step_pack": passes[name == Bytes], "copy": passes[name == Bits],
		}
		for call, times := range want {
			if calls[call] != times {
				t.Errorf("map %q: %d times %s in %d levels, want %d", name, calls[call], call, len(trace.Levels), times)
			}
		}
		if _, err := check.New(src, 1).Tree(t.Context(), tree); err != nil || len(trace.Levels) < 3 {
			t.Errorf("map %q: %d levels: %v", name, len(trace.Levels), err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// heeding notes the last argument of each pass by vertex.
type heeding struct {
	device
	bytes []buffer
}

func (h *heeding) launch(kernel string, s shape, args ...arg) error {
	if kernel == "step_vertices" {
		h.bytes = append(h.bytes, buffer(args[len(args)-1].bits))
	}
	return h.device.launch(kernel, s, args...)
}

// Where the device works in the host's memory, its bitmaps take the place of others, which
// are freed, after the map is made: passes get memory that is there.
func TestMapsInSharedMemory(t *testing.T) {
	openclOrSkip(t)
	src, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range mapNumbers {
		t.Run(name, func(t *testing.T) {
			p, err := BuildPortable(t.Context(), src, Options{Driver: "opencl", Map: name}, false)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if p.shared == nil {
				t.Skip("the device has memory of its own")
			}
			passes := &heeding{device: p.dev}
			p.dev = passes
			enginetest.CheckMachine(t, p, src, func(tree *hops.Tree) {
				if err := p.Bind(tree); err != nil {
					t.Fatal(err)
				}
			}, false)
			want := p.noted.bytes
			if name != Bytes {
				want = p.visited[0]
			}
			strange := slices.ContainsFunc(passes.bytes, func(b buffer) bool { return b != want })
			if strange || len(passes.bytes) == 0 {
				t.Errorf("passes got the buffers %v, want %v", passes.bytes, want)
			}
		})
	}
}

func TestMapsThatAreRefused(t *testing.T) {
	for want, o := range map[string]Options{
		"map needs stepped": {Map: Bytes},
		"unknown map":       {Map: "nibbles", Stepped: level.Fixed{}},
	} {
		if _, err := Build(t.Context(), grid(2), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Build: %v, want %q", err, want)
		}
	}
	if _, err := BuildPortable(t.Context(), grid(2), Options{Map: "nibbles"}, true); err == nil || !strings.Contains(err.Error(), "unknown map") {
		t.Errorf("BuildPortable: %v", err)
	}
}
