package gpu

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"github.com/gohops/hops"
)

// control is control_t in state.h.
type control struct {
	Arrivals, Exits           uint32
	Depth, Done               uint32
	Side, QueueSide, ListSide uint32
	Form, Listed, Filled      uint32
	Unvisited, Rising         uint32
	Remaining                 uint64
	End                       uint64
}

// A fused search runs all levels in one launch, or in as few launches as
// levelsPerLaunch allows.
type fused struct {
	*state
	options *Options
	whole   shape // grid of its launches
	start   func(searchArgs) error
	names   *[len(stepNames)]string
	levels  []hops.Level
	clock   hops.Clock // that their times are by
}

func newFused(s *state, o *Options) *fused {
	f := &fused{state: s, options: o, whole: s.grid, names: &stepNames}
	f.start = func(a searchArgs) error { return f.searchAll(f.whole, a) }
	return f
}

// search leaves the parents on the device and returns the levels. Their times add up to
// the time that the device took.
func (f *fused) search(ctx context.Context, root uint32) (hops.Trace, error) {
	f.root = root
	f.levels, f.clock = f.levels[:0], f.dev.Clock()
	for resume := false; ; resume = true {
		if err := ctx.Err(); err != nil {
			return hops.Trace{}, fmt.Errorf("gpu: level %d: %w", len(f.levels), err)
		}
		took, err := f.run(searchArgs{resume: resume})
		if err != nil {
			return hops.Trace{}, err
		}
		c, last, err := f.collect(took)
		if err != nil {
			return hops.Trace{}, err
		}
		if c.Done != 0 {
			return hops.Trace{Clock: f.clock, Levels: f.levels}, nil
		}
		if err := f.rewind(last); err != nil {
			return hops.Trace{}, err
		}
	}
}

// run is one launch, with the thresholds of the options, and returns the host's time.
// The control and the first levels are then in readBack.
func (f *fused) run(a searchArgs) (time.Duration, error) {
	began := time.Now()
	o := f.options
	a.alpha, a.beta, a.dense, a.hot = o.Alpha, o.Beta, o.Dense, o.Hot
	f.ticket++
	a.reply = f.replyTo(f.ticket)
	if err := f.start(a); err != nil {
		return 0, err
	}
	err := f.dev.answer(f.readBack, f.control, f.ticket)
	return time.Since(began), err
}

// replyTo asks for the control and the levels in readBack, if the device can write there.
func (f *fused) replyTo(ticket uint32) reply {
	if at := f.dev.mapped(f.readBack); at != 0 {
		return reply{at: at, words: len(f.readBack) / 4, ticket: ticket}
	}
	return reply{at: f.control} // an argument must be some buffer
}

// collect appends the levels of the last launch and returns the frontier at its end.
func (f *fused) collect(took time.Duration) (control, levelCount, error) {
	c := *(*control)(unsafe.Pointer(&f.readBack[0]))
	levels := levelCounts(f.readBack[controlSize:])
	if c.Depth > levelsReadAtOnce {
		levels = make([]levelCount, c.Depth+1)
		if err := f.dev.read(bytesOf(levels), f.control, controlSize); err != nil {
			return c, levelCount{}, err
		}
	}
	f.append(levels[:c.Depth+1], c.End, took)
	return c, levels[c.Depth], nil
}

// append gives each level its time by the device's own clock. A device without one has
// shares of the launch's time.
func (f *fused) append(levels []levelCount, end uint64, took time.Duration) {
	depth := len(levels) - 1
	for i, l := range levels[:depth] {
		until := end
		if i+1 < depth {
			until = levels[i+1].Start
		}
		share := took / time.Duration(depth)
		if l.Start > 0 {
			share = time.Duration(until - l.Start)
		} else {
			f.clock = hops.Shares
		}
		f.levels = append(f.levels, hops.Level{
			Step:     f.names[l.Step],
			Frontier: int64(l.Vertices),
			Examined: int64(l.Examined),
			Found:    int64(levels[i+1].Vertices),
			Time:     share,
		})
	}
}

// rewind makes the frontier at the end of a launch the first of the next one.
func (f *fused) rewind(last levelCount) error {
	if err := f.zeroLevels(); err != nil {
		return err
	}
	return f.dev.write(f.control, controlSize, bytesOf([]levelCount{last}))
}

// zeroLevels clears all levels behind the control.
func (f *fused) zeroLevels() error {
	return f.dev.write(f.control, controlSize, make([]byte, levelSize*(levelsPerLaunch+1)))
}
