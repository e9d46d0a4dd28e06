package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// The steps of a Portable machine. Zhang et al. call the first three TG, BG and BGC.
// The last one is a burst: it runs levels until the search ends or the policy should
// decide again.
const (
	portableTopDown     = "top-down@gpu"
	portableBottomUp    = "bottom-up@gpu"
	portableBottomUpHot = "bottom-up-hot@gpu"
	portableLevels      = "levels@gpu"
)

// Portable runs the levels of a search that moves between devices. Package handover says
// what is moved; transfer.go moves it, burst.go runs many levels at once, and shared.go
// is for devices that work in the memory of the host.
//
// The parents of vertices that other machines found are on the device only if they came
// as a list; lacking says that some are not. At the end of a search the device's parents
// are the tree, or are merged into it where some are lacking.
type Portable struct {
	*machine
	searcher *Searcher
	fused    *fused
	shared   *shared // nil: the device has memory of its own

	tree        *hops.Tree
	joined      bool // the device has had this search before
	lacking     bool
	uncut       bool // the queue is not cut into records, and the level at hand is not open
	fresh       bool // a burst begins the search
	front       level.Front
	smallLevels int // in a row, after which the next burst ends

	onlyOut []uint64    // vertices with edges out of them and none into them; nil: undirected
	staging [2][]uint64 // pinned: bitmaps on their way to the host
	chunk   []uint32    // likewise: parents to be merged
	queued  []uint32
	pairs   []uint32
	given   level.State
}

// BuildPortable makes the rows of the source on a device, to be searched level by
// level. apart treats memory that is shared with the host as if it were not.
func BuildPortable(ctx context.Context, src hops.Source, o Options, apart bool) (*Portable, error) {
	if err := o.checkPortable(); err != nil {
		return nil, err
	}
	o.setDefaults(src.NumVertices())
	d, err := open(&o)
	if err != nil {
		return nil, err
	}
	s := &Searcher{kernels: kernels{d}, source: src, options: o}
	p, err := s.portable(ctx, src, apart)
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return p, nil
}

// blocksPerProcessor is how many blocks of one warp a device gets whose blocks
// cannot wait for each other.
const blocksPerProcessor = 8

func (s *Searcher) portable(ctx context.Context, src hops.Source, apart bool) (*Portable, error) {
	block, err := blockShape(s.dev, s.options.Threads)
	if err != nil {
		return nil, err
	}
	most, err := s.residentSearches(block, hops.IsDirected(src))
	if err != nil {
		return nil, err
	}
	if most == 1 && s.options.Blocks == 0 {
		processors, err := s.dev.Processors()
		if err != nil {
			return nil, err
		}
		s.options.Stepped, s.options.Blocks = level.Fixed{}, blocksPerProcessor*processors
	}
	if err := s.build(ctx, src); err != nil {
		return nil, err
	}
	p := &Portable{machine: s.machine, searcher: s, fused: newFused(s.state, &s.options)}
	p.fused.names = &portableNames
	s.state.grid.together = false // single steps do not wait for the whole grid
	if !apart {
		if p.shared, err = newShared(s.state); err != nil {
			return nil, err
		}
	}
	if p.onlyOut, err = s.graph.onlyOut(); err != nil {
		return nil, err
	}
	return p, p.stage()
}

// stage allocates the pinned memory in which parents and bitmaps arrive.
func (p *Portable) stage() error {
	chunk, err := p.dev.pinned(4 * min(mergeChunk, int64(p.n)))
	if err != nil {
		return fmt.Errorf("gpu: handover: %w", err)
	}
	p.chunk = numbersOf[uint32](chunk)
	if p.shared != nil {
		return nil
	}
	for i := range p.staging {
		b, err := p.dev.pinned(8 * p.hostWords())
		if err != nil {
			return fmt.Errorf("gpu: handover: %w", err)
		}
		p.staging[i] = numbersOf[uint64](b)
		for w := range p.staging[i] { // bits past the last vertex count as visited
			p.staging[i][w] = ^uint64(0)
		}
	}
	return nil
}

// hostWords is the number of words of 64 bits that the host's bitmaps have.
func (p *Portable) hostWords() int64 { return (int64(p.n) + 63) / 64 }

// bitmapBytes is how many bytes of a bitmap cross the bus.
func (p *Portable) bitmapBytes() int64 { return 4 * int64(p.words()) }

// PortableSteps are the steps that a Portable machine may have.
func PortableSteps() []level.Step {
	return []level.Step{
		{Name: portableTopDown, Direction: level.TopDown, Device: "gpu"},
		{Name: portableBottomUp, Direction: level.BottomUp, Device: "gpu"},
		{Name: portableBottomUpHot, Direction: level.BottomUp, Device: "gpu"},
		{Name: portableLevels, Direction: level.TopDown, Device: "gpu"},
	}
}

// Steps implements level.Machine. Bursts need blocks that can wait for each other.
func (p *Portable) Steps() []level.Step {
	steps := PortableSteps()
	if !p.fused.whole.together {
		steps = steps[:len(steps)-1]
	}
	return steps
}

// Bind implements adaptive.Portable.
func (p *Portable) Bind(t *hops.Tree) error {
	if err := checkTree(p.n, 0, t); err != nil {
		return err
	}
	p.tree, p.joined, p.lacking, p.fresh = t, false, false, false
	p.smallLevels = firstSmallLevels
	return p.shared.bind(t)
}

// NewTree returns an empty tree in the memory that the device fills fastest.
func (p *Portable) NewTree() (*hops.Tree, error) {
	if p.shared != nil {
		return hops.NewTree(hops.Vertex(p.n)), nil
	}
	return p.searcher.NewTree()
}

// DeviceName describes the device.
func (p *Portable) DeviceName() string { return p.dev.Name() }

// Alone is the engine without handover on the same graph and in the same memory: only
// one of the two may search at a time.
func (p *Portable) Alone() *Searcher { return p.searcher }

// Shared implements adaptive.Device.
func (p *Portable) Shared() level.SharedMemory { return p.shared.memory() }

// Close gives the device back.
func (p *Portable) Close() error {
	err := errors.Join(p.shared.release(), p.searcher.Close())
	p.shared.close()
	return err
}

// Seed implements level.Machine.
func (p *Portable) Seed(root hops.Vertex) (level.Front, error) {
	if err := p.shared.toDevice(); err != nil {
		return level.Front{}, err
	}
	f, err := p.machine.Seed(root)
	p.joined, p.uncut = true, false
	p.front = f
	return f, err
}

// Run implements level.Machine.
func (p *Portable) Run(s level.Step) (level.Front, level.Outcome, error) {
	if s.Name == portableLevels {
		return p.runBurst()
	}
	if p.uncut {
		if err := p.cut(s); err != nil {
			return level.Front{}, level.Outcome{}, err
		}
	}
	f, done, err := p.machine.Run(p.native(s))
	p.front = f
	return f, done, err
}

// cut prepares a front that came from elsewhere, or from a burst, for single steps.
func (p *Portable) cut(s level.Step) error {
	p.uncut = false
	if err := p.openLevel(p.level()); err != nil || s.Direction != level.TopDown || p.form != formQueue {
		return err
	}
	return p.stepCut(thisLevel, p.side)
}

// native is the machine's name for a step, or the step itself if it has none. A
// bottom-up step goes over the listed leftover once few vertices are unvisited.
func (p *Portable) native(s level.Step) level.Step {
	number := slices.Index(portableNames[:], s.Name)
	if number < 0 {
		return s
	}
	if number != stepTopDown && p.listed && p.unvisited*int64(p.searcher.options.Dense) <= int64(p.rows) {
		number = stepBottomUpLeftover
	}
	s.Name = stepNames[number]
	return s
}

// Moves implements adaptive.Portable.
func (p *Portable) Moves() int64 {
	if p.shared == nil {
		return p.bitmapBytes() + min(4*p.front.Vertices, p.bitmapBytes())
	}
	return 4 * p.front.Vertices
}
