package gpu

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/turn"
)

// A Searcher holds one graph on one device. It runs one search at a time.
type Searcher struct {
	kernels
	source  hops.Source
	options Options
	n       uint32
	slots   []slot
	mem     *memory // of the slots but the first

	graph    *graph
	state    *state
	fused    *fused
	machine  *machine
	verifier *verifier // nil before the first verification

	meter meter
	turn  turn.Turn // of a search, or of Close
}

// Build makes the rows of the source on the device: kernel 1.
func Build(ctx context.Context, src hops.Source, o Options) (*Searcher, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.setDefaults(src.NumVertices())
	d, err := open(&o)
	if err != nil {
		return nil, err
	}
	s := &Searcher{kernels: kernels{d}, source: src, options: o}
	if err := s.build(ctx, src); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Searcher) build(ctx context.Context, src hops.Source) (err error) {
	if s.graph, err = build(ctx, s.dev, src, &s.options); err != nil {
		return err
	}
	s.n = s.graph.n
	grid, err := s.grid()
	if err != nil {
		return err
	}
	if s.state, err = newState(s.graph, grid); err != nil {
		return err
	}
	s.fused = newFused(s.state, &s.options)
	s.machine = &machine{state: s.state}
	if s.machine.noted, err = newVertexMap(s.state, s.options.Map); err != nil {
		return err
	}
	s.slots, s.mem = make([]slot, 1), newMemory(s.dev)
	return nil
}

// grid is the largest grid whose blocks can wait for each other, unless the options name
// a smaller one.
func (s *Searcher) grid() (shape, error) {
	g, err := blockShape(s.dev, s.options.Threads)
	if err != nil {
		return shape{}, err
	}
	most, err := s.residentSearches(g, s.graph.out != nil)
	if err != nil {
		return shape{}, err
	}
	if most == 0 {
		return shape{}, fmt.Errorf("gpu: %s: blocks of %d threads do not fit on a multiprocessor", s.dev.Name(), g.threads)
	}
	g.blocks, g.together = most, true
	if s.options.Stepped != nil {
		g.together = false
	} else if s.options.Blocks > most {
		return shape{}, fmt.Errorf("gpu: %s: %d blocks of %d threads asked for, %d can wait for each other", s.dev.Name(), s.options.Blocks, g.threads, most)
	}
	if s.options.Blocks > 0 {
		g.blocks = s.options.Blocks
	}
	return g, nil
}

// blockShape is a block of at most so many threads, fewer where local memory is short.
func blockShape(d device, threads int) (shape, error) {
	g := shape{threads: d.threads(threads)}
	limit, err := d.LocalMemory()
	if err != nil || limit == 0 {
		return g, err
	}
	for g.local = localBytes(g.threads); g.local > limit && g.threads > lanes; g.local = localBytes(g.threads) {
		g.threads /= 2
	}
	return g, nil
}

// localBytes is the size of block_t in state.h.
func localBytes(threads int) int { return blockSize + threads/lanes*deskSize }

// Search fills the tree from the root: kernel 2. It is SearchOnDevice into the first slot
// and a copy of the parents to the host, which the times of the trace leave out. The
// trace belongs to the searcher until its next search.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if err := s.turn.Begin("gpu"); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	if err := checkTree(s.n, root, t); err != nil {
		return hops.Trace{}, err
	}
	trace, err := s.search(ctx, root)
	if err != nil {
		return trace, err
	}
	return trace, s.CopyTree(0, t)
}

// NewTree returns an empty tree in pinned memory, to which parents are copied at
// the speed of the bus. It lives until Close.
func (s *Searcher) NewTree() (*hops.Tree, error) {
	b, err := s.dev.pinned(4 * int64(s.n))
	if err != nil {
		return nil, fmt.Errorf("gpu: tree: %w", err)
	}
	t := &hops.Tree{Narrow: unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), s.n)}
	t.Reset()
	return t, nil
}

// ReusesTrees tells that searches overwrite all entries of a tree.
func (s *Searcher) ReusesTrees() bool { return true }

// DeviceName describes the device.
func (s *Searcher) DeviceName() string { return s.dev.Name() }

// Close waits for a search that is going on and gives the device back.
func (s *Searcher) Close() error { return s.turn.Close(s.release) }

func (s *Searcher) release() error {
	s.slots = nil // so that no tree is there any more
	var errs []error
	if s.verifier != nil {
		errs = append(errs, s.verifier.mem.close())
	}
	if s.mem != nil {
		errs = append(errs, s.mem.close())
	}
	if s.state != nil {
		errs = append(errs, s.state.mem.close())
	}
	if s.graph != nil {
		errs = append(errs, s.graph.mem.close())
	}
	return errors.Join(append(errs, s.dev.Close())...)
}
