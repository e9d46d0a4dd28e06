package gpu

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A burst is a launch of the fused search that ends early along a path, after a number
// of small levels in a row, so that the host can decide whether the device is still the
// faster one. A search without a path is one launch, as in the engine alone.
//
// The first burst of a search ends after firstSmallLevels, which take about as long as
// it takes to move the search. The limit grows by smallLevelsGrowth with every burst,
// since each return to the host costs a round trip.
const (
	firstSmallLevels  = 16
	smallLevelsGrowth = 4
)

// portableNames are the names of the steps where there are several devices, by number.
var portableNames = [len(stepNames)]string{
	stepTopDown:          portableTopDown,
	stepBottomUp:         portableBottomUp,
	stepBottomUpHot:      portableBottomUpHot,
	stepBottomUpLeftover: "bottom-up-leftover@gpu",
}

func (p *Portable) runBurst() (level.Front, level.Outcome, error) {
	began := time.Now()
	resume := !p.fresh
	if resume {
		if err := p.writeControl(); err != nil {
			return level.Front{}, level.Outcome{}, err
		}
	}
	p.fresh = false
	c, last, err := p.burst(resume)
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	f := p.resumeFrom(c, last)
	return f, level.Outcome{Ran: timed(p.fused.levels, time.Since(began))}, nil
}

// burst is one launch.
func (p *Portable) burst(resume bool) (control, levelCount, error) {
	p.fused.levels = p.fused.levels[:0]
	took, err := p.fused.run(searchArgs{resume: resume, smallLevels: p.smallLevels})
	if err != nil {
		return control{}, levelCount{}, err
	}
	p.smallLevels = min(p.smallLevels*smallLevelsGrowth, levelsPerLaunch)
	c, last, err := p.fused.collect(took)
	if err == nil && c.Depth == 0 {
		err = fmt.Errorf("gpu: a burst from %d vertices ran no level", p.front.Vertices)
	}
	return c, last, err
}

// Solo implements adaptive.Device: the engine's own search, launch for launch and copy
// for copy. It touches little other memory of the host: to bring that into the caches
// takes ten times as long as to read it.
func (p *Portable) Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) ([]hops.Level, level.Front, error) {
	began := time.Now()
	if err := checkTree(p.n, root, t); err != nil {
		return nil, level.Front{}, err
	}
	if err := ctx.Err(); err != nil {
		return nil, level.Front{}, fmt.Errorf("gpu: %w", err)
	}
	t.Root, p.root = root, uint32(root)
	p.smallLevels = firstSmallLevels
	c, last, err := p.burst(false)
	if err != nil {
		return nil, level.Front{}, err
	}
	searched := time.Now()
	levels := timed(p.fused.levels, searched.Sub(began))
	if c.Done == 0 {
		p.tree, p.joined, p.lacking, p.fresh = t, true, false, false
		return levels, p.resumeFrom(c, last), nil
	}
	if err := p.parents(t.Narrow); err != nil {
		return nil, level.Front{}, err
	}
	end := &levels[len(levels)-1]
	end.Bytes, end.Handover = 4*int64(p.n), time.Since(searched)
	end.Time += end.Handover
	return levels, level.Front{}, nil
}

// timed scales the times of levels so that they add up to the time of the host's clock,
// and names the step that ran them.
func timed(levels []hops.Level, wall time.Duration) []hops.Level {
	device := hops.Trace{Levels: levels}.Time()
	scale := float64(wall) / float64(max(device, 1))
	for i := range levels {
		levels[i].Time = time.Duration(float64(levels[i].Time) * scale)
		levels[i].Within = portableLevels
	}
	return levels
}

// writeControl writes the state of the search to the device and clears the counts of
// all levels.
func (p *Portable) writeControl() error {
	if err := p.dev.zero(p.control, controlSize+levelSize*(levelsPerLaunch+1)); err != nil {
		return err
	}
	c := control{
		Side: p.side.visited, QueueSide: p.side.queue, ListSide: p.side.list, Form: uint32(p.form),
		Unvisited: uint32(p.unvisited), Rising: 1, Remaining: uint64(p.remaining + p.front.Edges),
	}
	c.Listed, c.Filled = bit(p.listed), bit(p.filled)
	var text [controlSize + levelSize]byte
	*(*control)(unsafe.Pointer(&text[0])) = c
	levelCounts(text[controlSize:])[0] = p.level()
	return p.dev.write(p.control, 0, text[:])
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// resumeFrom makes the state that of the end of a burst.
func (p *Portable) resumeFrom(c control, last levelCount) level.Front {
	p.side = sides{visited: c.Side, queue: c.QueueSide, list: c.ListSide}
	p.form, p.listed = uint8(c.Form), c.Listed != 0
	p.filled = c.Filled != 0 || c.Done != 0 // a search that ends fills what is left
	p.uncut = true
	edges := int64(last.Edges)
	if last.Measured == 0 || p.form != formQueue {
		all := float64(c.Unvisited) + float64(last.Vertices)
		edges = int64(float64(c.Remaining) * float64(last.Vertices) / max(all, 1))
	}
	if c.Done == 0 && int(c.Depth) < levelsPerLaunch { // the burst ended at a small front
		edges = min(edges, level.SmallFront-int64(last.Vertices))
	}
	p.unvisited, p.remaining = int64(c.Unvisited), max(0, int64(c.Remaining)-edges)
	p.front = p.machine.front(levelCount{Vertices: last.Vertices, Edges: uint64(edges)})
	return p.front
}
