// Package progress tells the person who waits how far the work is: on a terminal
// a bar with phase, rate and time left, elsewhere a plain line now and then.
//
// Work is a sequence of phases. Begin names one, Advance says how far it is, and
// its last word stays on the screen when the next begins. A ticker redraws, so
// Advance costs one atomic store and may be called from anywhere.
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
	Bar               // one line that is drawn over and over
)

const (
	barEvery  = 200 * time.Millisecond // fast enough to look alive, rare enough not to be felt by a search
	lineEvery = 5 * time.Second        // a log of an hour stays readable
)

// Detect picks the mode that suits a file: a bar needs a terminal.
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
	lastDrawn time.Time // of a line, in Lines mode
	onScreen  bool      // a bar stands in the current line
}

// New starts a display on out.
func New(out io.Writer, mode Mode) *Display {
	d := &Display{out: out, mode: mode, width: func() int { return terminalWidth(out) }, quit: make(chan struct{})}
	if mode != Quiet {
		d.idle.Go(d.tick)
	}
	return d
}

// Begin starts a phase of total units of work; 0 means that nobody knows. The
// phase before it is over.
func (d *Display) Begin(name string, total int64, unit string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	d.finish(now)
	d.done.Store(0)
	d.lastDrawn = now
	d.phase = &phase{name: name, unit: unit, total: total, start: now}
}

// Advance says how much of the phase is done by now, not what was added.
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

// finish leaves the last word on the current phase. The caller holds mu.
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

// print ignores errors: nobody can be told that telling does not work.
func (d *Display) print(s string) { _, _ = io.WriteString(d.out, s) }

func terminalWidth(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}
