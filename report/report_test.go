package report

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/stats"
)

// result is a small result with figures that are easy to recognise.
func result() *graph500.Result {
	return &graph500.Result{
		Version: "v1.2.3", Command: "hops graph500 --scale 22", Started: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC),
		Engine: "cpu:threads=2", Class: "below toy", Ranks: 1,
		Config:     graph500.Config{Scale: 22, EdgeFactor: 16, Roots: 64, Seeds: &[2]uint64{2, 3}},
		Host:       graph500.Host{Model: "Abacus", Online: graph500.CPUSet{0, 1, 2}, CPUs: graph500.CPUSet{0, 1}},
		Memory:     graph500.Memory{MemoryPlan: graph500.MemoryPlan{KeepTuples: true, Needed: 1 << 30, Tuples: 1 << 29, Available: 4 << 30}, Finished: 1000, BuildPeak: 1400},
		Generation: 2 * time.Second, Construction: 2500 * time.Millisecond,
		Roots: []hops.Vertex{5, 7, 11},
		Searches: []graph500.Search{
			search(5, 30*time.Millisecond), search(7, 10*time.Millisecond), search(11, 20*time.Millisecond),
		},
		Summary: &graph500.Summary{
			Time:     stats.Summary{Min: 0.01, FirstQuartile: 0.0125, Median: 0.02, ThirdQuartile: 0.025, Max: 0.03, Mean: 0.0206789123, Deviation: 0.001},
			Edges:    stats.Summary{Min: 67106224, FirstQuartile: 67106224, Median: 67106224, ThirdQuartile: 67106224, Max: 67106224, Mean: 67106224},
			TEPS:     stats.RateSummary{Min: 1e7, FirstQuartile: 2e7, Median: 2.5e7, ThirdQuartile: 3e7, Max: 4e7, HarmonicMean: 25313812.5, HarmonicDeviation: 123456},
			Validate: &stats.Summary{Min: 1, FirstQuartile: 2, Median: 3, ThirdQuartile: 4, Max: 5, Mean: 3.25, Deviation: 0.5},
		},
		Submittable: true,
	}
}

func search(root hops.Vertex, d time.Duration) graph500.Search {
	return graph500.Search{
		Root: root, Time: d, Vertices: 2395179, Edges: 67106224, Loops: 1906, Validate: time.Second, Depths: []int64{1, 2395178}, Clock: "wall",
		Levels: []hops.Level{
			{Step: "top-down", Frontier: 1, Examined: 20, Found: 10, Time: d / 4},
			{Step: "bottom-up", Frontier: 10, Examined: 9000, Found: 2395168, Time: 3 * d / 4},
		},
	}
}

func write(t *testing.T, format string, r *graph500.Result) string {
	t.Helper()
	f, err := ByName(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// referenceKeys are the keys of the reference implementation in its order.
const referenceKeys = `SCALE:|edgefactor:|NBFS:|graph_generation:|num_mpi_processes:|construction_time:|` +
	`bfs  min_time:|bfs  firstquartile_time:|bfs  median_time:|bfs  thirdquartile_time:|bfs  max_time:|bfs  mean_time:|bfs  stddev_time:|` +
	`min_nedge:|firstquartile_nedge:|median_nedge:|thirdquartile_nedge:|max_nedge:|mean_nedge:|stddev_nedge:|` +
	`bfs  min_TEPS:|bfs  firstquartile_TEPS:|bfs  median_TEPS:|bfs  thirdquartile_TEPS:|bfs  max_TEPS:|bfs  harmonic_mean_TEPS:|bfs  harmonic_stddev_TEPS:|` +
	`bfs  min_validate:|bfs  firstquartile_validate:|bfs  median_validate:|bfs  thirdquartile_validate:|bfs  max_validate:|bfs  mean_validate:|bfs  stddev_validate:`

func TestTextHasTheReferencesLayout(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(write(t, "graph500", result()), "\n"), "\n")
	keys := strings.Split(referenceKeys, "|")
	if len(lines) != len(keys) {
		t.Fatalf("%d lines, want %d", len(lines), len(keys))
	}
	values := make(map[string]string)
	for i, line := range lines {
		key, value := strings.TrimRight(line[:32], " !"), line[32:]
		if key != keys[i] || value == "" || value[0] == ' ' {
			t.Errorf("line %d is %q, want key %q and its value from column 32 on", i, line, keys[i])
		}
		values[key] = value
	}
	for key, want := range map[string]string{ // as C prints %d, %g and %.11g
		"SCALE:": "22", "NBFS:": "3", "graph_generation:": "2", "construction_time:": "2.5",
		"bfs  mean_time:": "0.0206789", "bfs  min_TEPS:": "1e+07", "median_nedge:": "67106224",
		"bfs  harmonic_stddev_TEPS:": "123456", "bfs  mean_validate:": "3.25",
	} {
		if values[key] != want {
			t.Errorf("%s %s, want %s", key, values[key], want)
		}
	}
	if want := "bfs  harmonic_mean_TEPS:     !  2.53138e+07"; lines[25] != want {
		t.Errorf("%q, want %q", lines[25], want)
	}
}

// The reference's 11 digits do not suffice for the largest graphs.
func TestTextKeepsAllDigitsOfEdgeCounts(t *testing.T) {
	r := result()
	r.Summary.Edges.Max = 70368458081736
	if text := write(t, "graph500", r); !strings.Contains(text, "max_nedge:                      70368458081736\n") {
		t.Error(text)
	}
}

func TestTextWithoutValidation(t *testing.T) {
	r := result()
	r.Summary.Validate, r.Submittable, r.Reasons = nil, false, []string{"validation is off", "it rains"}
	text := write(t, "graph500", r)
	if n := strings.Count(text, "_validate:"); n != 7 || strings.Count(text, " -1\n") != 7 {
		t.Error(text)
	}
	if !strings.HasSuffix(text, "\nnot_submittable:                validation is off; it rains\n") {
		t.Error(text)
	}
}

func TestSpecHasTheSpecificationsKeys(t *testing.T) {
	values := make(map[string]string)
	for line := range strings.Lines(write(t, "spec", result())) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if _, twice := values[key]; !ok || twice {
			t.Errorf("odd line %q", line)
		}
		values[key] = value
	}
	required := []string{"SCALE", "edgefactor", "NBFS", "construction_time"}
	for _, kernel := range []string{"bfs"} {
		for _, what := range []string{"time", "nedge"} {
			for _, name := range []string{"min", "firstquartile", "median", "thirdquartile", "max", "mean", "stddev"} {
				required = append(required, kernel+"_"+name+"_"+what)
			}
		}
		for _, name := range []string{"min", "firstquartile", "median", "thirdquartile", "max", "harmonic_mean", "harmonic_stddev"} {
			required = append(required, kernel+"_"+name+"_TEPS")
		}
	}
	for _, key := range required {
		if values[key] == "" {
			t.Errorf("%s is missing", key)
		}
	}
	for key, want := range map[string]string{
		"bfs_mean_time": "0.0206789123", "sssp_harmonic_mean_TEPS": "", "submittable": "yes",
		"bfs_median_nedge_with_loops": "67108130", "engine": "cpu:threads=2",
	} {
		if values[key] != want {
			t.Errorf("%s: %s, want %s", key, values[key], want)
		}
	}
}

func TestNoScoreForAnInvalidRun(t *testing.T) {
	r := result()
	r.Submittable, r.Invalid, r.Summary = false, "check: vertex 7 is its own parent", nil
	for _, format := range []string{"graph500", "spec"} {
		if got := write(t, format, r); got != "No results printed for invalid run.\n" {
			t.Errorf("%s: %q", format, got)
		}
	}
	text := write(t, "table", r)
	if strings.Contains(text, "TEPS") || !strings.Contains(text, "INVALID, no score: check: vertex 7") {
		t.Error(text)
	}
}

func TestJSONSurvives(t *testing.T) {
	want := result()
	got, err := ReadJSON(strings.NewReader(write(t, "json", want)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "{", "[]", `{"colour": 7}`, `{"config": {"scale": "x"}}`} {
		if r, err := ReadJSON(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read as %+v", bad, r)
		}
	}
}

func TestTable(t *testing.T) {
	r := result()
	text := write(t, "table", r)
	for _, want := range []string{
		"scale 22 (below toy)", "cpu:threads=2", "Abacus, 2 of 3 CPUs", "1.50 GiB of 4 GiB available", "packed in memory",
		"1.40 times", "3 of 64", "from root 11 in 20 ms", "top-down", "bottom-up", "25 %", "75 %", "2.40 M",
		"Score: 25.3 MTEPS ± 123 k (harmonic mean of 3 searches).",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "Not submittable") || strings.Contains(text, "messages") || strings.Contains(text, " \n") {
		t.Error(text)
	}
	r.Submittable, r.Reasons = false, []string{"it rains"}
	r.Searches[2].Levels[0].Messages = 12
	text = write(t, "table", r)
	if !strings.HasSuffix(text, "\nNot submittable: it rains.\n") || !strings.Contains(text, "messages") {
		t.Error(text)
	}
}

// withDevice is a result of an accelerator with a meter.
func withDevice() *graph500.Result {
	r := result()
	r.Device = "a bag of beads"
	r.Summary.Device = &graph500.DeviceSummary{
		Time: stats.Summary{Min: 0.001, Median: 0.002, Max: 0.0045},
		TEPS: stats.RateSummary{Min: 1.5e10, HarmonicMean: 3.25e10, Max: 6.7e10},
	}
	r.Energy = &graph500.Energy{Meter: "an abacus", Searches: 40, Edges: 40 * 67106224, Time: 800 * time.Millisecond, Joules: 100}
	return r
}

func TestDeviceAndEnergyAreShown(t *testing.T) {
	r := withDevice()
	table := write(t, "table", r)
	for _, want := range []string{"a bag of beads", "device time", "4.50 ms", "device TEPS", "32.5 G", "2.50 J a search, 125 W, 26.8 MTEPS/W: an abacus, over 40 searches"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is missing:\n%s", want, table)
		}
	}
	if with, without := write(t, "graph500", r), write(t, "graph500", result()); with != without {
		t.Errorf("the reference knows neither, but the text has\n%s", with)
	}
	r.Energy.Unmetered = "a chalkboard"
	if table := write(t, "table", r); !strings.Contains(table, "at least 2.50 J a search, at least 125 W, at most 26.8 MTEPS/W: an abacus, without a chalkboard, over 40 searches") {
		t.Error(table)
	}
	r.Energy = &graph500.Energy{Unavailable: "no meter"}
	if table := write(t, "table", r); !strings.Contains(table, "unavailable: no meter") {
		t.Error(table)
	}
}

func TestTableOfNothing(t *testing.T) {
	text := write(t, "table", &graph500.Result{Config: graph500.Config{Scale: 5, EdgeFactor: 16, Roots: 64}})
	if !strings.Contains(text, "No search was finished") {
		t.Error(text)
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := ByName("xml"); err == nil || !strings.Contains(err.Error(), "table, graph500, spec, json") {
		t.Error(err)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestFailedWritesAreReported(t *testing.T) {
	for _, f := range Formats {
		if err := f.Write(full{}, result()); err == nil {
			t.Errorf("%s does not notice that nothing was written", f.Name)
		}
	}
}

// A result whose trees stay on a device says so wherever its score is, and shows the
// figures with the copy beside it.
func TestTreesOnADevice(t *testing.T) {
	r := result()
	r.Engine, r.Device, r.Tree = "gpu", "Abacus 2", "device"
	r.Searches[0].HostValidated = true
	r.Summary.Device = &graph500.DeviceSummary{TEPS: stats.RateSummary{HarmonicMean: 77e9}}
	r.Copied = &graph500.Copied{Searches: 8, TEPS: stats.RateSummary{HarmonicMean: 3.21e6}}
	for format, want := range map[string][]string{
		"table": {
			"(harmonic mean of 3 searches, host's clock, trees left on the device)", "3.21 MTEPS (8 searches)", "Score: 25.3 MTEPS",
			"by the device, 1 of them by the host too", "copied TEPS", "8 searches after the score",
		},
		"graph500": {"tree_memory:                    device\n", "harmonic_mean_TEPS:     !  2.53138e+07"},
		"spec":     {"tree_memory: device\n", "copied_NBFS: 8\n", "copied_bfs_harmonic_mean_TEPS: 3210000\n"},
		"json":     {`"tree": "device"`, `"copied": {`},
	} {
		text := write(t, format, r)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not say %q:\n%s", format, w, text)
			}
		}
	}
	var page bytes.Buffer
	if err := Page([]Named{{"gpu", r}}).HTML(&page); err != nil {
		t.Fatal(err)
	}
	if html := page.String(); !strings.Contains(html, "stays on the device") || !strings.Contains(html, "copied rate") {
		t.Error("the page does not say where trees are")
	}
	r.Tree, r.Copied, r.Config.HostValidation = "", nil, false
	if text := write(t, "table", r); !strings.Contains(text, "in the memory of the host when the clock stops") || strings.Contains(text, "left on the device") {
		t.Error(text)
	}
}
