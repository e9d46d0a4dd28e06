package learn

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/level"
)

var (
	steps = []level.Step{{Name: "top-down"}, {Name: "bottom-up", Direction: level.BottomUp}}
	here  = Hardware{Model: "Abacus", CPUs: 4, Cores: 2, Sockets: 1, L2: Cache{Size: 1 << 20, CPUs: 2}, Threads: 4}
)

func sample() *Calibration {
	return &Calibration{
		Version: version, Engine: "cpu", Hardware: here,
		Learned: time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), Took: time.Minute,
		DeviceModel: DeviceModel{Steps: Model{"top-down": {Fixed: 100, PerEntry: 1.5}, "bottom-up": {PerOpen: 2}}},
		Alpha:       0.1, Regrets: Regrets{Without: 20, With: 2},
		Graphs:    []TrainedGraph{{"star", 12, Regrets{20, 2}}},
		Agreement: []Agreement{{"top-down", time.Microsecond, 6, 1500, 1400, 7}},
	}
}

func store(t *testing.T, c *Calibration) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "not", "yet")
	if err := Store(Path(dir, "cpu", here.Threads), func() (*Calibration, error) { return c, nil }); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWhatIsStoredIsLoaded(t *testing.T) {
	got, err := Load(store(t, sample()), "cpu", here, steps)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Nothing but a calibration of this very machine is used, and the reason is said.
func TestWhatDoesNotFit(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		change     func(c *Calibration)
	}{
		{"processor", "another machine: Sundial", func(c *Calibration) { c.Hardware.Model = "Sundial" }},
		{"processors", "another machine", func(c *Calibration) { c.Hardware.CPUs = 8 }},
		{"cache", "another machine", func(c *Calibration) { c.Hardware.L2.Size *= 2 }},
		{"threads", "2 threads", func(c *Calibration) { c.Hardware.Threads = 2 }},
		{"engine", `engine "gpu"`, func(c *Calibration) { c.Engine = "gpu" }},
		{"no steps", "no step", func(c *Calibration) { c.Steps = nil }},
		{"other steps", `"sideways"`, func(c *Calibration) { c.Steps["sideways"] = Cost{} }},
		{"negative cost", "negative", func(c *Calibration) { c.Steps["top-down"] = Cost{PerRow: -1} }},
		{"negative move", `"gpu" takes negative`, func(c *Calibration) { c.Moves = Model{"gpu": {PerByte: -1}} }},
		{"device", "another machine", func(c *Calibration) { c.Hardware.Device = "Loom" }},
		{"no help", "regret 20.0 % against 20.0 %", func(c *Calibration) { c.Regrets.With = 20 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := sample()
			tt.change(c)
			got, err := Load(store(t, c), "cpu", here, steps)
			if got != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, error %v, want one with %q", got, err, tt.want)
			}
		})
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir, "cpu", here, steps); !errors.Is(err, ErrNone) {
		t.Errorf("no file: error %v", err)
	}
	path := Path(dir, "cpu", here.Threads)
	for text, want := range map[string]string{
		"":                   "not readable",
		"{":                  "not readable",
		`{"version": "one"}`: "not readable",
		`{"version": 0}`:     "version 0",
		`{"version": 99}`:    "version 99",
		"null":               "version 0",
		`{"version": 1} {}`:  "not readable",
		`{"version":1,"steps":{"top-down":{"fixed_ns":1e999}}}`: "not readable",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(dir, "cpu", here, steps)
		if err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %v, want one with %q and the path", text, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"version":2,"engine":"cpu","steps":{"top-down":{"per_entry_ns":1}},"regret":{"without_percent":2}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := decode(strings.NewReader(text))
		if err != nil {
			return
		}
		c.Hardware = here
		if c.Check("cpu", here, steps) == nil && (len(c.Steps) == 0 || !c.Helps()) {
			t.Errorf("%q is used", text)
		}
	})
}

func TestAFailureLeavesWhatWasThere(t *testing.T) {
	dir := store(t, sample())
	broken := errors.New("broken")
	err := Store(Path(dir, "cpu", here.Threads), func() (*Calibration, error) { return nil, broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if _, err := Load(dir, "cpu", here, steps); err != nil {
		t.Error(err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files remain, want 1", len(files))
	}
}

func TestAnUnwritableFolderIsFoundOutFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Store(Path(file, "cpu", 1), func() (*Calibration, error) {
		t.Error("learned in vain")
		return sample(), nil
	})
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v", err)
	}
}

func TestFoldersFollowTheEnvironment(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", "")
	if dir, err := Dir(); err == nil {
		t.Errorf("without a home the folder is %s", dir)
	}
}
