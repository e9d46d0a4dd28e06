package gpu

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/gohops/hops"
)

// A Searcher holds one graph on one device. It runs one search at a time.
type Searcher struct {
	dev     device
	graph   *graph
	state   *state
	options Options
	fused   *fused
	machine *Machine
}

// Build makes the rows of the source on the device: kernel 1.
func Build(ctx context.Context, src hops.Source, o Options) (*Searcher, error) {
	o.setDefaults()
	d, err := open(&o)
	if err != nil {
		return nil, err
	}
	s := &Searcher{dev: d, options: o}
	if err := s.build(ctx, src); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Searcher) build(ctx context.Context, src hops.Source) (err error) {
	if s.graph, err = build(ctx, s.dev, src, s.options.MaxAlloc); err != nil {
		return err
	}
	grid, err := s.grid()
	if err != nil {
		return err
	}
	if s.state, err = newState(s.graph, grid); err != nil {
		return err
	}
	s.fused = &fused{state: s.state, options: &s.options}
	s.machine = &Machine{state: s.state}
	return nil
}

// grid is as large as the fused search may be, unless the options say otherwise.
func (s *Searcher) grid() (shape, error) {
	threads := s.dev.threads(s.options.Threads)
	most, err := s.dev.resident("search_all", threads)
	if err != nil {
		return shape{}, err
	}
	if most == 0 {
		return shape{}, fmt.Errorf("gpu: %s: blocks of %d threads do not fit on a multiprocessor", s.dev.Name(), threads)
	}
	g := shape{blocks: most, threads: threads, together: true}
	if s.options.Stepped != nil {
		g.together = false
	} else if s.options.Blocks > most {
		return shape{}, fmt.Errorf("gpu: %s: %d blocks of %d threads asked for, %d can wait for each other", s.dev.Name(), s.options.Blocks, threads, most)
	}
	if s.options.Blocks > 0 {
		g.blocks = s.options.Blocks
	}
	return g, nil
}

// Search fills the tree from the root: kernel 2. The trace belongs to the searcher
// until its next search.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if err := s.state.checkTree(root, t); err != nil {
		return hops.Trace{}, err
	}
	trace, err := s.search(ctx, uint32(root))
	if err != nil || s.options.DeviceTree {
		return trace, err
	}
	t.Root = root
	return trace, s.state.parents(t.Narrow)
}

func (s *Searcher) search(ctx context.Context, root uint32) (hops.Trace, error) {
	if s.options.Stepped != nil {
		return s.machine.search(ctx, s.options.Stepped, root)
	}
	return s.fused.search(ctx, root)
}

// Machine returns the search as single levels, for engines that mix devices.
func (s *Searcher) Machine() *Machine { return s.machine }

// NewTree returns an empty tree in pinned memory, to which parents are copied at
// the speed of the bus. It lives until Close.
func (s *Searcher) NewTree() (*hops.Tree, error) {
	b, err := s.dev.pinned(4 * int64(s.graph.n))
	if err != nil {
		return nil, fmt.Errorf("gpu: tree: %w", err)
	}
	t := &hops.Tree{Narrow: unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), s.graph.n)}
	t.Reset()
	return t, nil
}

// Name describes the device.
func (s *Searcher) Name() string { return s.dev.Name() }

// Close gives the device back.
func (s *Searcher) Close() error {
	var errs []error
	if s.state != nil {
		errs = append(errs, s.state.mem.close())
	}
	if s.graph != nil {
		errs = append(errs, s.graph.mem.close())
	}
	return errors.Join(append(errs, s.dev.Close())...)
}
