// Package progress displays how far long work is: on a terminal a bar with phase, rate
// and time left, elsewhere a plain line every few seconds.
//
// Work is a sequence of phases. Begin starts one, Advance sets how far it is, and its
// summary stays on the screen when the next begins. A ticker redraws, so Advance costs
// one atomic store and may be called from any goroutine.
package progress

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// A Mode is a way of showing progress.
type Mode int

const (
	Quiet Mode = iota // nothing at all
	Lines             // plain lines, at most one every few seconds
	Bar               // one line that is redrawn
)

const (
	barEvery  = 200 * time.Millisecond // time between redraws of the bar: short enough to look alive, too rare to slow a search
	lineEvery = 5 * time.Second        // time between lines: the log of an hour stays readable
)

// Detect returns the mode for a file: a bar for a terminal, otherwise lines.
func Detect(f *os.File, quiet bool) Mode {
	switch {
	case quiet:
		return Quiet
	case term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb":
		return Bar
	}
	return Lines
}

// A Display shows one phase at a time. It is safe for concurrent use.
type Display struct {
	out   io.Writer
	mode  Mode
	width func() int
	done  atomic.Int64
	quit  chan struct{}
	idle  sync.WaitGroup

	mu        sync.Mutex
	phase     *phase    // nil between phases
	lastDrawn time.Time // time of the last line, in Lines mode
	onScreen  bool      // the current line of the terminal shows a bar
}

// New starts a display on out.
func New(out io.Writer, mode Mode) *Display {
	d := &Display{out: out, mode: mode, width: func() int { return terminalWidth(out) }, quit: make(chan struct{})}
	if mode != Quiet {
		d.idle.Go(d.tick)
	}
	return d
}

// Begin ends the current phase and starts one of total units of work; 0 means unknown.
func (d *Display) Begin(name string, total int64, unit string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	d.finish(now)
	d.done.Store(0)
	d.lastDrawn = now
	d.phase = &phase{name: name, unit: unit, total: total, start: now}
}

// Advance sets how many units of the phase are done so far.
func (d *Display) Advance(done int64) { d.done.Store(done) }

// Note writes a line of its own.
func (d *Display) Note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mode == Quiet {
		return
	}
	d.erase()
	d.print(line + "\n")
}

// Close ends the last phase and the display.
func (d *Display) Close() {
	close(d.quit)
	d.idle.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.finish(time.Now())
}

func (d *Display) tick() {
	t := time.NewTicker(barEvery)
	defer t.Stop()
	for {
		select {
		case <-d.quit:
			return
		case now := <-t.C:
			d.draw(now)
		}
	}
}

// draw shows the state of the phase, unless it is too early for another line.
func (d *Display) draw(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.phase == nil {
		return
	}
	switch d.mode {
	case Bar:
		d.erase()
		d.print(d.phase.bar(d.done.Load(), now, d.width()))
		d.onScreen = true
	case Lines:
		if now.Sub(d.lastDrawn) >= lineEvery {
			d.lastDrawn = now
			d.print(d.phase.status(d.done.Load(), now) + "\n")
		}
	}
}

// finish prints the summary of the current phase. The caller holds mu.
func (d *Display) finish(now time.Time) {
	if d.phase == nil || d.mode == Quiet {
		return
	}
	d.erase()
	d.print(d.phase.summary(d.done.Load(), now) + "\n")
	d.phase = nil
}

func (d *Display) erase() {
	if d.onScreen {
		d.print("\r\x1b[K")
		d.onScreen = false
	}
}

// print ignores errors: there is no other place to report them.
func (d *Display) print(s string) { _, _ = io.WriteString(d.out, s) }

func terminalWidth(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}
