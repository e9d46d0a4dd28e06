package report

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/browsertest"
)

const hostile = `<script>document.title="pwned"</script><img src=x onerror=alert(1)>`

// pageFiles writes a report of one result and one of three, all names hostile.
func pageFiles(t *testing.T) (one, several string) {
	t.Helper()
	slow, wired := result(), result()
	slow.Engine, slow.Command, slow.Policy = hostile, hostile, hostile
	slow.Host.Model, slow.Reasons, slow.Submittable = hostile, []string{hostile}, false
	for i := range slow.Searches {
		slow.Searches[i].Levels = append([]hops.Level{}, slow.Searches[i].Levels...)
		slow.Searches[i].Levels[0].Step = hostile
	}
	for i := range wired.Searches {
		for j := range wired.Searches[i].Levels {
			l := &wired.Searches[i].Levels[j]
			l.Messages, l.Bytes = int64(10+j), int64(1000*(j+1))
			l.Exchange = &hops.Exchange{Computing: l.Time / 2, Sending: l.Time / 4, Waiting: l.Time / 4}
		}
	}
	write := func(name string, results ...Named) string {
		path := filepath.Join(t.TempDir(), name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := Page(results).HTML(f); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one = write("one.html", Named{"one", result()})
	return one, write("several.html", Named{"one", result()}, Named{hostile, slow}, Named{"wired", wired})
}

func TestPageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browsertest.Start(t)
	one, several := pageFiles(t)
	t.Run("numbers", func(t *testing.T) { testNumbers(t, b, one) })
	t.Run("keyboard", func(t *testing.T) { testKeyboard(t, b, one) })
	for name, path := range map[string]string{"one": one, "several": several} {
		t.Run(name, func(t *testing.T) { testLook(t, b, name, path) })
	}
}

// testLook looks at a page wide, on a phone, in the dark and on paper.
func testLook(t *testing.T, b *browsertest.Browser, name, path string) {
	tab := b.Open(t, path, 1100, 900)
	plots := browsertest.Eval[int](tab, `document.querySelectorAll("svg.plot").length`)
	hidden := browsertest.Eval[int](tab, `[...document.querySelectorAll("svg.plot")].filter(s => s.getBoundingClientRect().width < 200 || s.querySelectorAll("path").length < 3).length`)
	scripts := browsertest.Eval[int](tab, `document.scripts.length + document.images.length`)
	if plots < 6 || hidden > 0 || scripts > 0 {
		t.Errorf("%d plots, %d of them not drawn, %d foreign elements", plots, hidden, scripts)
	}
	if title := browsertest.Eval[string](tab, `document.title`); !strings.HasPrefix(title, "Graph500") {
		t.Errorf("the title has become %q", title)
	}
	noOverlaps(t, tab)
	tab.Screenshot(name)

	tab.Emulate("screen", "dark")
	if dark := brightness(tab); dark > 60 {
		t.Errorf("the ground is %d bright in the dark", dark)
	}
	tab.Screenshot(name + "-dark")

	tab.Emulate("print", "dark")
	if paper := brightness(tab); paper < 250 {
		t.Errorf("the paper is %d bright", paper)
	}
	tab.Screenshot(name + "-print")
	tab.PDF(name)

	tab.Emulate("screen", "light")
	tab.Do(chromedp.EmulateViewport(360, 740))
	width := browsertest.Eval[int](tab, `document.documentElement.scrollWidth`)
	window := browsertest.Eval[int](tab, `window.innerWidth`)
	if window != 360 || width > window {
		t.Errorf("the page is %d pixels wide on a phone of %d", width, window)
	}
	noOverlaps(t, tab)
	tab.Screenshot(name + "-phone")
	if p := tab.Problems(); len(p) > 0 {
		t.Errorf("the browser says %q", p)
	}
}

// noOverlaps asks the browser where it has put the texts of every plot.
func noOverlaps(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	clashes := browsertest.Eval[[]string](tab, `[...document.querySelectorAll("svg.plot")].flatMap(svg => {
		const all = [...svg.querySelectorAll("text")].map(e => ({text: e.textContent, r: e.getBoundingClientRect()}));
		const frame = svg.getBoundingClientRect(), clashes = [];
		all.forEach((a, i) => {
			if (a.r.left < frame.left - 1 || a.r.right > frame.right + 1 || a.r.bottom > frame.bottom + 1) clashes.push(a.text + " leaves the plot");
			for (const b of all.slice(0, i))
				if (Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left) > 1 && Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top) > 2)
					clashes.push(a.text + " / " + b.text);
		});
		return clashes;
	})`)
	for _, c := range clashes {
		t.Errorf("texts overlap: %s", c)
	}
}

// brightness of the ground, of 255.
func brightness(tab *browsertest.Tab) int {
	return browsertest.Eval[int](tab, `Math.max(...getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).slice(0, 3).map(Number))`)
}

// testNumbers compares what the page says with what the result holds.
func testNumbers(t *testing.T, b *browsertest.Browser, path string) {
	tab := b.Open(t, path, 1100, 900)
	want := result()
	cells := func(table string, column int) []string {
		return browsertest.Eval[[]string](tab, `[...document.querySelectorAll("[aria-label='`+table+`'] tbody tr")].map(r => r.cells[`+strconv.Itoa(column)+`].dataset.value)`)
	}
	times, rates := cells("Every search", 2), cells("Every search", 3)
	stats := browsertest.Eval[[]string](tab, `[...document.querySelectorAll("[aria-label='Statistics'] tbody tr")].flatMap(r => [...r.cells].slice(1).map(c => c.dataset.value))`)
	for i, s := range want.Searches {
		if times[i] != exact(s.Time.Seconds()) {
			t.Errorf("search %d took %s s, want %v", i, times[i], s.Time)
		}
		if got, _ := strconv.ParseFloat(rates[i], 64); got != s.TEPS() {
			t.Errorf("search %d ran at %s TEPS, want %v", i, rates[i], s.TEPS())
		}
	}
	i := 0
	for _, rows := range [][]row{summaryRows(want.Summary.Time), summaryRows(want.Summary.Edges), rateRows(want.Summary.TEPS), summaryRows(*want.Summary.Validate)} {
		for _, row := range rows {
			if got, err := strconv.ParseFloat(stats[i], 64); err != nil || got != row.value {
				t.Errorf("%s is %s, want %v", row.name, stats[i], row.value)
			}
			i++
		}
	}
	text := browsertest.Eval[string](tab, `document.body.innerText`)
	for _, words := range []string{"25.3 MTEPS", want.Command, want.Version, "Abacus", "top-down"} {
		if !strings.Contains(text, words) {
			t.Errorf("%q is not on the page", words)
		}
	}
}

// testKeyboard goes through the page by keys alone.
func testKeyboard(t *testing.T, b *browsertest.Browser, path string) {
	tab := b.Open(t, path, 1100, 900)
	tab.Do(chromedp.KeyEvent(kb.Tab))
	if focus := browsertest.Eval[string](tab, `document.activeElement.className`); focus != "skip" {
		t.Errorf("the first key goes to %q, not to the link past the menu", focus)
	}
	tab.Do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	if hash := browsertest.Eval[string](tab, `location.hash`); hash != "#level-by-level" {
		t.Errorf("the second entry of the menu leads to %q", hash)
	}
	open := false
	for range 30 {
		tab.Do(chromedp.KeyEvent(kb.Tab))
		if browsertest.Eval[string](tab, `document.activeElement.tagName`) == "SUMMARY" {
			tab.Do(chromedp.KeyEvent(kb.Enter))
			open = browsertest.Eval[bool](tab, `document.querySelector("details").open`)
			break
		}
	}
	if !open {
		t.Error("no key opens the table of all searches")
	}
}
