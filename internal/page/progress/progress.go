// Package progress displays how far long work is: on a terminal a bar with phase, rate
// and time left, elsewhere a plain line every few seconds.
//
// Work is a sequence of phases. Begin starts one, Advance sets how far it is, and its
// summary stays on the screen when the next begins. A ticker redraws, so Advance costs
// one atomic store and may be called from any goroutine.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/gohops/hops/internal/base/human"
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

// A phase is a part of the work with a unit of its own.
type phase struct {
	name  string
	unit  string // plural: "edges"
	total int64  // 0: unknown
	start time.Time
}

const (
	nameWidth = 12 // columns of the phase name, so that lines align
	barWidth  = 30 // columns of the bar; fewer on a narrow terminal
)

// bar returns the state as a line of at most width-1 columns: a full line would make
// some terminals wrap.
func (p *phase) bar(done int64, now time.Time, width int) string {
	left := fmt.Sprintf("%-*s ", nameWidth, p.name)
	right := " " + p.measure(done, now)
	if p.total > 0 {
		if n := min(barWidth, width-len(left)-len(right)-3); n >= 5 {
			full := int(int64(n) * min(done, p.total) / p.total)
			left += "[" + strings.Repeat("=", full) + strings.Repeat(" ", n-full) + "]"
		}
	}
	return clip(left+right, width-1)
}

func (p *phase) status(done int64, now time.Time) string {
	return fmt.Sprintf("%-*s %s", nameWidth, p.name, p.measure(done, now))
}

// summary returns how much was done in which time, and of how much if the phase was cut
// short.
func (p *phase) summary(done int64, now time.Time) string {
	elapsed := now.Sub(p.start)
	line := fmt.Sprintf("%-*s %s", nameWidth, p.name, human.Duration(elapsed))
	if done == 0 {
		return line
	}
	amount := human.With(float64(done), p.unit)
	if p.total > 0 && done < p.total {
		amount = human.Count(float64(done)) + " of " + human.With(float64(p.total), p.unit)
	}
	return line + ", " + amount + p.rate(done, elapsed)
}

func (p *phase) measure(done int64, now time.Time) string {
	elapsed := now.Sub(p.start)
	if p.total <= 0 {
		return human.Duration(elapsed) + ", " + human.With(float64(done), p.unit) + p.rate(done, elapsed)
	}
	text := fmt.Sprintf("%3d%%", 100*min(done, p.total)/p.total) + p.rate(done, elapsed)
	switch {
	case done >= p.total:
		text += ", finishing"
	case done > 0:
		left := time.Duration(float64(elapsed) * float64(p.total-done) / float64(done))
		text += ", " + human.Duration(max(0, left.Round(time.Second))) + " left"
	}
	return text
}

func (p *phase) rate(done int64, elapsed time.Duration) string {
	if done == 0 || elapsed <= 0 {
		return ""
	}
	return ", " + human.With(float64(done)/elapsed.Seconds(), p.unit) + "/s"
}

func clip(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:max(0, width)])
	}
	return s
}
