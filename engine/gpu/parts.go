package gpu

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// parts search a graph that is cut into ranges of labels, each on a device of its
// own or several on one. The host drives the levels: every part takes its step,
// an exchange unites their bitmaps, and each counts what is new of its own.
// kernels/parts.cu says why nothing else is exchanged.
//
// Between two steps visited[side.visited] is the same in all parts; what it has beyond
// the other bitmap is the frontier. Every part counts its own vertices of the frontier.
type parts struct {
	all      []*part
	exchange *exchange
	trace    hops.Trace

	side      sides
	cut       bool // the frontiers of the parts are queued and cut into records
	unvisited int64
	remaining int64
}

// A part is the rows of some labels and the state of their search.
type part struct {
	*state
	owned int64 // vertices of the frontier
}

var _ level.Machine = (*parts)(nil)

// buildParts makes the rows of part i on devices[i].
func buildParts(ctx context.Context, devices []device, src hops.Source, o *Options) (*parts, error) {
	p := &parts{}
	for i, d := range devices {
		next, err := buildPart(ctx, d, src, o, i, len(devices))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w (part %d of %d)", err, i, len(devices)), p.free())
		}
		p.all = append(p.all, next)
	}
	var err error
	if p.exchange, err = newExchange(p.all, o.Exchange); err != nil {
		return nil, errors.Join(err, p.free())
	}
	return p, nil
}

func buildPart(ctx context.Context, d device, src hops.Source, o *Options, i, of int) (*part, error) {
	g, err := build(ctx, d, src, o, i, of)
	if err != nil {
		return nil, err
	}
	grid, err := blockShape(d, o.Threads)
	if err != nil {
		return nil, errors.Join(err, g.mem.close())
	}
	processors, err := d.Processors()
	if err != nil {
		return nil, errors.Join(err, g.mem.close())
	}
	grid.blocks = max(o.Blocks, processors)
	s, err := newState(g, grid)
	if err != nil {
		return nil, errors.Join(err, g.mem.close())
	}
	return &part{state: s}, nil
}

// partOf returns the labels of part i of so many. Every part but the last has a
// multiple of 32 labels.
func partOf(n uint32, i, of int) (first, end uint32) {
	words := (int64(n) + 31) / 32
	at := func(i int) uint32 { return uint32(min(words*int64(i)/int64(of)*32, int64(n))) }
	return at(i), at(i + 1)
}

// each runs do for all parts. Launches return at once, so that the parts work at the
// same time.
func (p *parts) each(do func(*part) error) error {
	for _, one := range p.all {
		if err := do(one); err != nil {
			return err
		}
	}
	return nil
}

// Steps implements level.Machine.
func (p *parts) Steps() []level.Step {
	return []level.Step{
		{Name: stepNames[stepTopDown], Direction: level.TopDown, Device: "gpu"},
		{Name: stepNames[stepBottomUp], Direction: level.BottomUp, Device: "gpu"},
	}
}

// search runs all levels. Then every part has the parents of its own vertices.
func (p *parts) search(ctx context.Context, policy level.Policy, root uint32) (hops.Trace, error) {
	p.trace = hops.Trace{Clock: hops.Wall, Levels: p.trace.Levels[:0]}
	if err := level.Search(ctx, p, policy, hops.Vertex(root), &p.trace); err != nil {
		return hops.Trace{}, fmt.Errorf("gpu: %w", err)
	}
	err := p.each(func(one *part) error { return one.stepFinish(p.side) })
	if err != nil {
		return hops.Trace{}, err
	}
	return p.trace, p.each(func(one *part) error { return one.dev.Sync() })
}

// Seed implements level.Machine.
func (p *parts) Seed(root hops.Vertex) (level.Front, error) {
	p.side, p.unvisited, p.remaining = sides{}, 0, 0
	err := p.each(func(one *part) error {
		one.root = uint32(root)
		p.unvisited += int64(one.rows)
		p.remaining += one.outRows().entries
		if err := one.openLevel(levelCount{}); err != nil {
			return err
		}
		return one.stepBeginPart()
	})
	if err != nil {
		return level.Front{}, err
	}
	f, _, err := p.front()
	f.Vertices = 1 // no part counts a root that has no row
	return f, err
}

// Run implements level.Machine.
func (p *parts) Run(step level.Step) (level.Front, level.Outcome, error) {
	var err error
	switch step.Name {
	case stepNames[stepTopDown]:
		err = p.topDown()
	case stepNames[stepBottomUp]:
		err = p.bottomUp()
	default:
		err = fmt.Errorf("gpu: no step is called %q", step.Name)
	}
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	return p.front()
}

func (p *parts) topDown() error {
	if err := p.queue(); err != nil {
		return err
	}
	err := p.each(func(one *part) error {
		if err := one.stepCopyVisited(p.side); err != nil {
			return err
		}
		return one.outward().stepMark(p.side)
	})
	if err != nil {
		return err
	}
	if err := p.exchange.uniteAll(p.side.visited); err != nil {
		return err
	}
	return p.each(func(one *part) error {
		if err := one.stepResolve(p.side); err != nil {
			return err
		}
		_, err := one.scanHubRows(p.side.swapped())
		return err
	})
}

func (p *parts) bottomUp() error {
	err := p.each(func(one *part) error {
		if err := one.stepFull(p.side, fullArgs{}); err != nil {
			return err
		}
		if any, err := one.scanHubRows(p.side); err != nil || !any {
			return err
		}
		return one.stepHeavyApply(p.side.swapped(), false)
	})
	if err != nil {
		return err
	}
	p.side = p.side.swapped()
	return p.exchange.shareOwn(p.side.visited)
}

// scanHubRows lets the whole grid look along the rows that a pass left to it, if there
// are any.
func (one *part) scanHubRows(from sides) (any bool, err error) {
	this, _, err := one.counts()
	if err != nil || this.HubRows == 0 {
		return false, err
	}
	return true, one.stepHeavyScan(from)
}

// queue makes records of the parts' own frontiers.
func (p *parts) queue() error {
	if p.cut {
		return nil
	}
	p.cut = true
	return p.each(func(one *part) error {
		if err := one.outward().stepRequeueBitmap(p.side); err != nil {
			return err
		}
		return one.stepCut(thisLevel, p.side)
	})
}

// smallFrontier says when the edges of a frontier are counted, for which it is queued
// and cut: up to one vertex in so many. The edges of larger frontiers are estimated.
const smallFrontier = 64

// front counts the new frontier and opens its level in every part.
func (p *parts) front() (f level.Front, done level.Outcome, err error) {
	f.Size = int64(p.all[0].n)
	err = p.each(func(one *part) error {
		if err := one.outward().stepCount(p.side); err != nil {
			return err
		}
		now, next, err := one.counts()
		if err != nil {
			return err
		}
		done.Examined += int64(now.Examined)
		one.owned = int64(next.Owned)
		f.Vertices += one.owned
		return one.openLevel(levelCount{Vertices: next.Owned})
	})
	if err != nil {
		return f, done, err
	}
	p.cut = false
	if f.Edges, err = p.edges(f.Vertices); err != nil {
		return f, done, err
	}
	p.unvisited = max(0, p.unvisited-f.Vertices) // the root may be one that no level can find
	p.remaining = max(0, p.remaining-f.Edges)
	f.Unvisited, f.Remaining = p.unvisited, p.remaining
	f.Work = level.Expect(f)
	return f, done, nil
}

func (p *parts) edges(vertices int64) (int64, error) {
	if vertices > int64(p.all[0].n)/smallFrontier {
		return int64(float64(p.remaining) / float64(max(p.unvisited, 1)) * float64(vertices)), nil
	}
	if err := p.queue(); err != nil {
		return 0, err
	}
	var sum int64
	return sum, p.each(func(one *part) error {
		now, _, err := one.counts()
		sum += int64(now.Edges)
		return err
	})
}

// parents copies the parents of every part's own vertices to the host.
func (p *parts) parents(dst []uint32) error {
	return p.each(func(one *part) error {
		return one.dev.read(bytesOf(dst[one.first:one.end]), one.parent, 4*int64(one.first))
	})
}

// free gives the memory of all parts back.
func (p *parts) free() error {
	var errs []error
	if p.exchange != nil {
		errs = append(errs, p.exchange.close())
	}
	for _, one := range p.all {
		errs = append(errs, one.mem.close(), one.graph.mem.close())
	}
	p.all = nil
	return errors.Join(errs...)
}
