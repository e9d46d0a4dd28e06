package report

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

func inTerminal(t *testing.T, results ...Named) string {
	t.Helper()
	var b strings.Builder
	if err := Page(results).Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextSaysTheEssentials(t *testing.T) {
	r := result()
	r.Policy = "by the weather"
	got := inTerminal(t, Named{"one", r})
	for _, want := range []string{
		"25.3 MTEPS ± 123 k", "by the weather", "cpu:threads=2", "Abacus", "top-down", "bottom-up", "█",
		r.Command, "hops v1.2.3", "Nothing was sent", "Unavailable", "25 %", "75 %",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// What devices read of each other is on the page, also where no host sends anything.
func TestBytesBetweenDevices(t *testing.T) {
	r := result()
	for i := range r.Searches {
		r.Searches[i].Levels[1].Exchange = &hops.Exchange{DeviceBytes: 98765, BusBytes: 43210}
	}
	got := inTerminal(t, Named{"one", r})
	for _, want := range []string{"Between the devices", "from device to device", "96.5 KiB", "42.2 KiB"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(got, "Nothing was sent") {
		t.Error("the page says that nothing was sent")
	}
}

// How unequal the ranks were is on the page, level by level, and in the tables for programs.
func TestBalanceOverRanks(t *testing.T) {
	r, dir := result(), t.TempDir()
	for i := range r.Searches {
		l := &r.Searches[i].Levels[1]
		l.Bytes, l.Exchange = 4444, &hops.Exchange{
			Work:  hops.Spread{Least: 1111, Mean: 3000, Most: 5777},
			Sent:  hops.Spread{Least: 1234, Mean: 2222, Most: 3210},
			Waits: hops.Spread{Least: 1500, Mean: 25000, Most: 3500000},
		}
	}
	got := inTerminal(t, Named{"one", r})
	for _, want := range []string{"Over the ranks", "least examined", "5.78 k", "least sent", "3.13 KiB", "least waiting", "3.50 ms"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if _, err := Page([]Named{{"one", r}}).CSV(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "over-the-ranks-in-the-search-of-median-time.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"least examined (entries),mean (entries),most (entries),least sent (B),mean (B),most (B),least waiting (s),mean (s),most (s)\n",
		"\n1,bottom-up,1111,3000,5777,1234,2222,3210,1.5e-06,2.5e-05,0.0035\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// Every plot says what its axes measure, and in what.
func TestAxesHaveUnits(t *testing.T) {
	wired := result()
	wired.Searches[0].Levels[0].Bytes, wired.Searches[1].Levels[0].Bytes = 7, 8
	for _, s := range Page([]Named{{"a", result()}, {"b", wired}}).(*page.Page).Sections {
		for _, p := range s.Plots {
			if p.Title == "" || p.Y.Label == "" || p.Y.Unit == "" || p.X.Label == "" || p.X.Unit == "" && p.X.Categories == nil && !p.X.Whole && p.Series[0].Kind != plot.Bar {
				t.Errorf("%q: %+v by %+v", p.Title, p.Y, p.X)
			}
		}
	}
}

// scaled is a result whose searches take a multiple of the time.
func scaled(by float64) *graph500.Result {
	r := result()
	r.Searches = nil
	for i := range 64 {
		s := search(hops.Vertex(i), time.Duration(by*float64(20*time.Millisecond+time.Duration(i%8)*time.Millisecond)))
		r.Searches = append(r.Searches, s)
	}
	r.Summary, _ = graph500.Summarize(r.Searches, true)
	return r
}

func TestComparisonTellsNoiseFromDifference(t *testing.T) {
	for by, want := range map[float64]string{1: "within the noise", 1.001: "within the noise", 2: "slower", 0.5: "faster"} {
		d, ok := faster(scaled(1), scaled(by))
		if !ok || d.verdict() != want || math.Abs(d.ratio-1/by) > 1e-6 {
			t.Errorf("%v times the time is %q, ratio %v", by, d.verdict(), d.ratio)
		}
	}
	broken := result()
	broken.Summary = nil
	if _, ok := faster(result(), broken); ok {
		t.Error("a run without a score has been compared")
	}
	got := inTerminal(t, Named{"a", scaled(1)}, Named{"b", scaled(2)}, Named{"c", broken})
	for _, want := range []string{"the base", "-50.0 %", "< 0.001", "slower", "no score"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestUnlikeResults(t *testing.T) {
	other := result()
	other.Config.Scale, other.Host.Model, other.Searches[0].Clock = 23, "another", "model"
	if why := unlike(result(), other); len(why) != 3 {
		t.Errorf("they differ in %q", why)
	}
	other = result()
	other.Config.Seeds = &[2]uint64{4, 5}
	if why := unlike(result(), other); len(why) != 1 || !strings.Contains(why[0], "seeds") {
		t.Errorf("they differ in %q", why)
	}
	if why := unlike(result(), result()); why != nil {
		t.Errorf("alike results differ in %q", why)
	}
}

// Levels are medians over the searches that have them, by definition.
func TestProfile(t *testing.T) {
	level := func(step string, frontier int64, d time.Duration) hops.Level {
		return hops.Level{Step: step, Frontier: frontier, Time: d}
	}
	p := profileOf([]graph500.Search{
		{Time: 10, Levels: []hops.Level{level("a", 1, 2), level("b", 10, 4)}},
		{Time: 20, Levels: []hops.Level{level("a", 1, 4), level("c", 30, 8), level("c", 5, 1)}},
		{Time: 30, Levels: []hops.Level{level("a", 1, 9), level("c", 20, 6)}},
	})
	if len(p.levels) != 3 || p.levels[1].frontier != 20 || p.levels[0].seconds != 4e-9 || p.levels[2].searches != 1 || p.rest != 7e-9 {
		t.Errorf("%+v", p)
	}
	if got := p.levels[1].choice(); got != "c 2×, b 1×" {
		t.Errorf("level 1 is %q", got)
	}
	if got := p.steps(); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("steps are %q", got)
	}
}

// CSV holds every search with all its digits.
func TestCSVHoldsEverySearch(t *testing.T) {
	dir := t.TempDir()
	r := scaled(1.234567)
	if _, err := Page([]Named{{"a", r}}).CSV(dir); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "every-search.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 65 {
		t.Fatal(len(rows), err)
	}
	for i, s := range r.Searches {
		if seconds, err := strconv.ParseFloat(rows[i+1][2], 64); err != nil || seconds != s.Time.Seconds() {
			t.Errorf("search %d took %s", i, rows[i+1][2])
		}
	}
}

// A run of very many searches makes a page that can still be opened.
func TestManySearches(t *testing.T) {
	r := scaled(1)
	for len(r.Searches) < 20000 {
		r.Searches = append(r.Searches, r.Searches...)
	}
	var b strings.Builder
	if err := Page([]Named{{"a", r}}).HTML(&b); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 300<<10 {
		t.Errorf("%d KiB", b.Len()>>10)
	}
}

func TestPageOfNothing(t *testing.T) {
	for name, r := range map[string]*graph500.Result{
		"nothing": {Config: graph500.Config{Scale: 5, EdgeFactor: 16, Roots: 64}},
		"invalid": {Config: graph500.Config{Scale: 5, EdgeFactor: 16, Roots: 64}, Invalid: "vertex 7 is its own parent", Searches: result().Searches},
	} {
		got := inTerminal(t, Named{name, r}) + inTerminal(t, Named{name, r}, Named{"b", result()})
		if !strings.Contains(got, "No search was finished") && !strings.Contains(got, "INVALID, no score: vertex 7") {
			t.Errorf("%s:\n%s", name, got)
		}
		if err := Page([]Named{{name, r}}).HTML(&strings.Builder{}); err != nil {
			t.Error(err)
		}
	}
}

func TestEnergy(t *testing.T) {
	measured, refused, partly := result(), result(), result()
	measured.Energy = &graph500.Energy{Meter: "a candle", Searches: 4, Edges: 8e9, Time: 2 * time.Second, Joules: 100}
	refused.Energy = &graph500.Energy{Unavailable: "no candle"}
	part := *measured.Energy
	part.Unmetered = "the other end"
	partly.Energy = &part
	got := inTerminal(t, Named{"a", measured}, Named{"b", refused}, Named{"c", result()}, Named{"d", partly})
	for _, want := range []string{"a candle", "25 J", "50 W", "80 MTEPS/W", "Unavailable: no candle: b.", "what the table says, without the other end: d.", "Unavailable: no meter was read: c."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestFileNames(t *testing.T) {
	for want, paths := range map[string][]string{
		"a b":         {"x/a.json", "y/b.json"},
		"x/a y/a b":   {"x/a.json", "y/a.json", "z/b.json"},
		"result.text": {"result.text"},
	} {
		if got := strings.Join(FileNames(paths), " "); got != want {
			t.Errorf("%q are %q, want %q", paths, got, want)
		}
	}
}

func TestToneOfTheVerdict(t *testing.T) {
	valid, informal, invalid := result(), result(), result()
	informal.Submittable, informal.Reasons = false, []string{"it rains"}
	invalid.Invalid = "wrong"
	for want, r := range map[page.Tone]*graph500.Result{page.Good: valid, page.Neutral: informal, page.Bad: invalid} {
		if got := verdict(r).Tone; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
