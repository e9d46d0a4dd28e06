package gpu

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/turn"
	"github.com/gohops/hops/level"
)

// Paths finds shortest paths by weight in a graph on one device, one search at a time. It is
// package sssp on a device: see kernels/sssp.cu and pathmachine.go.
type Paths struct {
	dev     device
	source  hops.WeightedSource
	graph   *weightedGraph
	machine *pathMachine
	n       uint32

	slots    []slot // places of results; the first is that of the state
	mem      *memory
	verifier *verifier // nil before the first verification
	policy   level.Policy
	levels   []hops.Level
	turn     turn.Turn // of a search, or of Close
}

// NewPaths makes the rows of a graph with weights on the device that the options name. They
// may name nothing else. Distances have 64 bits if they are to be wide, and 32 otherwise.
func NewPaths(ctx context.Context, src hops.WeightedSource, o Options, wide bool) (*Paths, error) {
	d, err := openPaths(o)
	if err != nil {
		return nil, err
	}
	p := &Paths{dev: d, source: src, n: uint32(src.NumVertices()), slots: make([]slot, 1), mem: newMemory(d), policy: leastWork{}}
	if p.graph, err = buildWeighted(ctx, d, src); err == nil {
		var s *pathState
		if s, err = newPathState(p.graph, d, wide); err == nil {
			p.machine = &pathMachine{pathState: s}
		}
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// openPaths opens the device with the kernels of Paths.
func openPaths(o Options) (device, error) {
	if o.Stepped != nil || o.Hot || o.Alpha != 0 || o.Beta != 0 || o.Dense != 0 || o.Blocks != 0 || o.Threads != 0 || o.MaxAlloc != 0 {
		return nil, errors.New("gpu: a search for shortest paths has no options but driver and device")
	}
	o.weights = true
	return open(&o)
}

// ReadyForPaths says why NewPaths would refuse a graph of n vertices and m edges, before the
// graph is there.
func ReadyForPaths(o Options, n hops.Vertex, m int64, directed bool) error {
	d, err := openPaths(o)
	if err != nil {
		return err
	}
	return errors.Join(checkPathsSize(d, n, m, directed), d.Close())
}

// Search fills p, which must have the width of the searcher, with the shortest paths from
// root. It is SearchOnDevice and a copy of the result to the host.
func (s *Paths) Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	if err := s.fits(p); err != nil {
		return hops.Trace{}, err
	}
	trace, err := s.SearchOnDevice(ctx, root)
	if err != nil {
		return trace, err
	}
	return trace, s.CopyPaths(0, p)
}

// SearchOnDevice searches from the root and leaves the result in the first slot of the device,
// until the next search: parents and distances are complete there when it returns, in the
// labels and the order of the source. The trace belongs to the searcher until its next search.
func (s *Paths) SearchOnDevice(ctx context.Context, root hops.Vertex) (hops.Trace, error) {
	if err := s.turn.Begin("gpu"); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	if err := checkRoot(s.n, root); err != nil {
		return hops.Trace{}, err
	}
	defer s.dev.until(ctx)()
	trace := hops.Trace{Clock: s.dev.Clock(), Levels: s.levels[:0]}
	s.slots[0] = slot{root: root}
	err := level.Search(ctx, s.machine, s.policy, root, &trace)
	s.levels = trace.Levels
	if err != nil {
		return trace, fmt.Errorf("gpu: %w", err)
	}
	if s.machine.wide {
		if err := s.machine.findParents(uint32(root)); err != nil {
			return trace, err
		}
	}
	s.slots[0].filled = true
	return trace, nil
}

// leastWork takes the direction that is expected to examine fewer entries.
type leastWork struct{}

// Next implements level.Policy.
func (leastWork) Next(f level.Front, steps []level.Step) level.Step {
	if f.Work[level.BottomUp] < f.Work[level.TopDown] {
		return level.First(steps, level.BottomUp)
	}
	return level.First(steps, level.TopDown)
}

// fits refuses a result that has no room for the searcher's.
func (s *Paths) fits(p *hops.Paths) error {
	far := len(p.Single)
	if s.machine.wide {
		far = len(p.Double)
	}
	if p.First != 0 || len(p.Narrow) != int(s.n) || far != int(s.n) {
		return fmt.Errorf("gpu: the result has room for %d parents and %d distances of this width, of %d vertices", len(p.Narrow), far, s.n)
	}
	return nil
}

// placesAtOnce is how many places of a result are copied at a time: 8 MiB.
const placesAtOnce = 1 << 20

// CopyPaths copies the result of a slot to the host.
func (s *Paths) CopyPaths(slot int, p *hops.Paths) error {
	from, err := filledSlot(s.slots, slot)
	if err == nil {
		err = s.fits(p)
	}
	if err != nil {
		return err
	}
	p.Root = from.root
	if s.machine.wide {
		return firstError(s.dev.read(bytesOf(p.Double), s.machine.place, 0), s.dev.read(bytesOf(p.Narrow), s.machine.parent, 0))
	}
	places := make([]uint64, min(int64(s.n), placesAtOnce))
	for first := int64(0); first < int64(s.n); first += int64(len(places)) {
		some := places[:min(int64(len(places)), int64(s.n)-first)]
		if err := s.dev.read(bytesOf(some), s.places(from), 8*first); err != nil {
			return err
		}
		for i, place := range some {
			p.Narrow[first+int64(i)] = uint32(place) // see placeOf
			p.Single[first+int64(i)] = math.Float32frombits(uint32(place >> 32))
		}
	}
	return nil
}

// places is the array of a slot.
func (s *Paths) places(t *slot) buffer {
	if t.parent == 0 {
		return s.machine.place
	}
	return t.parent
}

// DeviceName describes the device.
func (s *Paths) DeviceName() string { return s.dev.Name() }

// Close waits for a search that is going on and gives the device back.
func (s *Paths) Close() error { return s.turn.Close(s.release) }

func (s *Paths) release() error {
	s.slots = nil // so that no result is there any more
	errs := []error{s.mem.close()}
	if s.verifier != nil {
		errs = append(errs, s.verifier.mem.close())
	}
	if s.machine != nil {
		errs = append(errs, s.machine.mem.close())
	}
	if s.graph != nil {
		errs = append(errs, s.graph.mem.close())
	}
	return errors.Join(append(errs, s.dev.Close())...)
}
