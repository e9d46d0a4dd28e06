package progress

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohops/hops/internal/human"
)

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

// status returns the state as a line of a log.
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

// clip cuts a line to a number of runes.
func clip(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:max(0, width)])
	}
	return s
}
