package gpu

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A burst is a launch of the fused search that ends after some number of levels,
// so that the host can see whether the device is still the right place: after few
// levels at first, which most searches do not exceed, and then after more and more.
const (
	firstBurst  = 24
	burstGrowth = 4
)

// burstNames are the steps of a burst as they appear in a trace.
var burstNames = map[string]string{
	stepNames[stepTopDown]:      nameG + "." + nameTG,
	stepNames[stepBottomUp]:     nameG + "." + nameBG,
	stepNames[stepBottomUpHot]:  nameG + "." + nameBGC,
	stepNames[stepBottomUpRest]: nameG + ".rest",
}

func (p *Portable) runBurst() (level.Front, error) {
	began := time.Now()
	resume := !p.fresh
	if resume {
		if err := p.writeControl(); err != nil {
			return level.Front{}, err
		}
	}
	p.fresh = false
	o := &p.searcher.options
	if err := p.dev.start(); err != nil {
		return level.Front{}, err
	}
	err := p.dev.launch("search_all", p.whole, p.args(u64(p.entries), flag(resume), u32(p.burst),
		u32(o.Alpha), u32(o.Beta), u32(o.Dense), flag(o.Hot))...)
	if err != nil {
		return level.Front{}, err
	}
	took, err := p.dev.stop()
	if err != nil {
		return level.Front{}, err
	}
	p.fused.levels = p.fused.levels[:0]
	c, last, err := p.fused.collect(took)
	if err != nil {
		return level.Front{}, err
	}
	if c.Depth == 0 {
		return level.Front{}, fmt.Errorf("gpu: a burst from %d vertices ran no level", p.front.Vertices)
	}
	p.burst = min(p.burst*burstGrowth, levelsPerLaunch)
	f := p.resumeFrom(c, last)
	f.Ran = ran(p.fused.levels, time.Since(began))
	return f, nil
}

// ran names the levels and makes their times add up to what the host saw.
func ran(levels []hops.Level, wall time.Duration) []hops.Level {
	device := hops.Trace{Levels: levels}.Time()
	scale := float64(wall) / float64(max(device, 1))
	for i := range levels {
		levels[i].Step = burstNames[levels[i].Step]
		levels[i].Time = time.Duration(float64(levels[i].Time) * scale)
	}
	return levels
}

// writeControl tells the device where the search stands, with room to count the
// levels of a burst.
func (p *Portable) writeControl() error {
	c := control{
		Side: p.side, QueueSide: p.queueSide, ListSide: p.listSide, Form: uint32(p.form),
		Unvisited: uint32(p.unvisited), Rising: 1, Remaining: uint64(p.remaining + p.front.Edges),
	}
	c.Listed, c.Filled = bit(p.listed), bit(p.filled)
	text := make([]byte, controlSize+levelSize*(p.burst+1))
	*(*control)(unsafe.Pointer(&text[0])) = c
	countedAt(text[controlSize:])[0] = p.level()
	return p.dev.write(p.control, 0, text)
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// resumeFrom makes the state that of the end of a burst.
func (p *Portable) resumeFrom(c control, last counted) level.Front {
	p.depth = 0
	p.side, p.queueSide, p.listSide = c.Side, c.QueueSide, c.ListSide
	p.form, p.listed = uint8(c.Form), c.Listed != 0
	p.filled = c.Filled != 0 || c.Done != 0 // a search that ends fills what is left
	p.uncut = true
	edges := int64(last.Edges)
	if last.Measured == 0 || p.form != formQueue {
		all := float64(c.Unvisited) + float64(last.Vertices)
		edges = int64(float64(c.Remaining) * float64(last.Vertices) / max(all, 1))
	}
	p.unvisited, p.remaining = int64(c.Unvisited), max(0, int64(c.Remaining)-edges)
	return p.describe(level.Front{
		Vertices: int64(last.Vertices), Edges: edges, Unvisited: p.unvisited, Remaining: p.remaining,
	})
}
