package progress

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

func generate() *phase {
	return &phase{name: "generate", unit: "edges", total: 16_000_000, start: start}
}

func TestBarShowsPhaseRateAndTimeLeft(t *testing.T) {
	got := generate().bar(4_000_000, start.Add(2*time.Second), 100)
	want := "generate     [=======                       ]  25%, 2 M edges/s, 6 s left"
	if got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestUnknownTotal(t *testing.T) {
	p := &phase{name: "construct", unit: "edges", start: start}
	got := p.bar(3_000_000, start.Add(1500*time.Millisecond), 80)
	if want := "construct     1.50 s, 3 M edges, 2 M edges/s"; got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestWorkBeyondTheTotal(t *testing.T) {
	got := generate().status(16_000_000, start.Add(2*time.Second))
	if want := "generate     100%, 8 M edges/s, finishing"; got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestSummary(t *testing.T) {
	for done, want := range map[int64]string{
		0:          "generate     2 s",
		4_000_000:  "generate     2 s, 4 M of 16 M edges, 2 M edges/s",
		16_000_000: "generate     2 s, 16 M edges, 8 M edges/s",
	} {
		if got := generate().summary(done, start.Add(2*time.Second)); got != want {
			t.Errorf("\n got %q\nwant %q", got, want)
		}
	}
}

// A bar never wraps, whatever the numbers are.
func TestBarFitsTheTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := generate()
		p.total = rapid.Int64Range(0, 1<<50).Draw(t, "total")
		done := rapid.Int64Range(0, 1<<50).Draw(t, "done")
		width := rapid.IntRange(1, 200).Draw(t, "width")
		elapsed := time.Duration(rapid.Int64Range(0, 1<<50).Draw(t, "elapsed"))
		line := p.bar(done, start.Add(elapsed), width)
		if n := utf8.RuneCountInString(line); n >= width && n > 0 {
			t.Fatalf("%d columns of %d: %q", n, width, line)
		}
	})
}

func display(mode Mode) (*Display, *strings.Builder) {
	var out strings.Builder
	return &Display{out: &out, mode: mode, width: func() int { return 80 }, quit: make(chan struct{})}, &out
}

func TestLinesAreRare(t *testing.T) {
	d, out := display(Lines)
	d.Begin("generate", 100, "edges")
	begun := d.phase.start
	for s := range 60 {
		d.Advance(int64(s))
		d.draw(begun.Add(time.Duration(s) * time.Second))
	}
	if got := strings.Count(out.String(), "\n"); got != 11 {
		t.Errorf("%d lines in a minute, want 11:\n%s", got, out)
	}
	if strings.Contains(out.String(), "\r") {
		t.Errorf("a log holds carriage returns: %q", out)
	}
}

func TestNoteDoesNotMixWithTheBar(t *testing.T) {
	d, out := display(Bar)
	d.Begin("generate", 100, "edges")
	d.draw(time.Now())
	d.Note("a note")
	d.Begin("search", 64, "searches")
	d.Close()
	lines := strings.Split(out.String(), "\r\x1b[K")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "a note\ngenerate") {
		t.Errorf("%q", lines)
	}
	if !strings.HasSuffix(out.String(), "\n") {
		t.Errorf("the cursor is not at the start of a line: %q", out)
	}
}

func TestQuiet(t *testing.T) {
	var out strings.Builder
	d := New(&out, Quiet)
	d.Begin("generate", 100, "edges")
	d.Advance(50)
	d.Note("a note")
	d.draw(time.Now().Add(time.Hour))
	d.Close()
	if out.Len() != 0 {
		t.Errorf("a quiet display wrote %q", out.String())
	}
}

func TestTheTickerDrawsAndStops(t *testing.T) {
	bars := make(chan string, 1000)
	d := New(told(bars), Bar)
	d.Begin("generate", 100, "edges")
	for drawn := 0; drawn < 2; { // for ever, if nothing draws
		if strings.Contains(<-bars, "]") {
			drawn++
		}
	}
	d.Close()
	for len(bars) > 0 {
		<-bars
	}
	time.Sleep(2 * barEvery)
	if len(bars) > 0 {
		t.Errorf("drawn after the end: %q", <-bars)
	}
}

// told sends what is written to whoever waits for it.
type told chan<- string

func (t told) Write(p []byte) (int, error) {
	t <- string(p)
	return len(p), nil
}
