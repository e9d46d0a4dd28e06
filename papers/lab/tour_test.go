package lab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

var errBroken = errors.New("broken")

// stops are experiments that count how often they run.
func stops(ran *[]string, ids ...string) (all []Experiment) {
	for _, id := range ids {
		all = append(all, Experiment{ID: id, Title: "title of " + id, Run: func(ctx context.Context, _ *Lab) (*Finding, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			*ran = append(*ran, id)
			if strings.HasPrefix(id, "broken") {
				return nil, errBroken
			}
			f := &Finding{Basis: []Basis{Measured}, Setting: "none"}
			t := f.table("numbers", "n:#", "x:s")
			t.add(1, 0.5)
			f.plot(plot.Plot{Title: "p", Series: []plot.Series{{Y: []float64{1, 2}}}})
			f.claim(exact("it ran", true, "it did"))
			return f, nil
		}})
	}
	return all
}

func texts(t *testing.T, l *Lab, findings []*Finding) string {
	t.Helper()
	for _, f := range findings {
		f.Took = 0
	}
	var b strings.Builder
	if err := l.Page("hops lab run all", findings).HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A tour that is interrupted goes on where it stopped, and its page is the same
// as that of one that was not.
func TestTourGoesOnWhereItStopped(t *testing.T) {
	var ran []string
	state := filepath.Join(t.TempDir(), "state")
	route := stops(&ran, "a/1", "a/2", "a/3")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tour := Tour{Lab: fakeLab(plainWorld), State: state, Done: func(f *Finding, _ bool) {
		if f.ID == "a/2" {
			cancel()
		}
	}}
	if _, err := tour.Run(ctx, route); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	var recalled []string
	again := Tour{Lab: fakeLab(plainWorld), State: state, Done: func(f *Finding, remembered bool) {
		if remembered {
			recalled = append(recalled, f.ID)
		}
	}}
	findings, err := again.Run(t.Context(), route)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ran, []string{"a/1", "a/2", "a/3"}) || !slices.Equal(recalled, []string{"a/1", "a/2"}) {
		t.Errorf("ran %v, recalled %v", ran, recalled)
	}
	if _, err := os.Stat(state); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state is still there after the tour: %v", err)
	}
	whole, err := (&Tour{Lab: fakeLab(plainWorld)}).Run(t.Context(), route)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := texts(t, again.Lab, findings), texts(t, again.Lab, whole); a != b {
		t.Errorf("the page of an interrupted tour differs:\n%s\n%s", a, b)
	}
}

// Findings of another tour are not taken for this one's.
func TestTourForgetsWhatDoesNotFit(t *testing.T) {
	for name, change := range map[string]func(*Lab, string) error{
		"scale":   func(l *Lab, _ string) error { l.Scale++; return nil },
		"machine": func(l *Lab, _ string) error { l.Host.Model = "another"; return nil },
		"broken":  func(_ *Lab, state string) error { return os.WriteFile(state, []byte("{"), 0o666) },
		"version": func(_ *Lab, state string) error {
			text, err := os.ReadFile(state)
			if err != nil {
				return err
			}
			return os.WriteFile(state, []byte(strings.Replace(string(text), `"version":"`, `"version":"other `, 1)), 0o666)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var ran []string
			state := filepath.Join(t.TempDir(), "state")
			ctx, cancel := context.WithCancel(t.Context())
			tour := Tour{Lab: fakeLab(plainWorld), State: state, Done: func(*Finding, bool) { cancel() }}
			if _, err := tour.Run(ctx, stops(&ran, "a/1", "a/2")); err == nil {
				t.Fatal("not interrupted")
			}
			l := fakeLab(plainWorld)
			if err := change(l, state); err != nil {
				t.Fatal(err)
			}
			if _, err := (&Tour{Lab: l, State: state}).Run(t.Context(), stops(&ran, "a/1")); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(ran, []string{"a/1", "a/1"}) {
				t.Errorf("ran %v", ran)
			}
		})
	}
}

func TestTourGoesOnAfterAFailure(t *testing.T) {
	var ran []string
	tour := Tour{Lab: fakeLab(plainWorld), State: filepath.Join(t.TempDir(), "state")}
	findings, err := tour.Run(t.Context(), stops(&ran, "broken/1", "a/2"))
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "broken/1") || len(findings) != 2 {
		t.Errorf("%d findings, error %v", len(findings), err)
	}
	if v := findings[0].Verdict(); v != Unclear || !strings.Contains(texts(t, tour.Lab, findings), "broken") {
		t.Errorf("the failure is called %q", v)
	}
}

func TestPageCountsVerdicts(t *testing.T) {
	findings := []*Finding{
		{ID: "a/1", Claims: []Claim{{Text: "c", Outcome: Holds, Why: "w"}}},
		{ID: "a/2", Claims: []Claim{{Text: "c", Outcome: Fails, Why: "w"}}},
		{ID: "a/3"},
	}
	p := fakeLab(plainWorld).Page("hops lab run all", findings)
	if got := p.Sections[0].Text[1]; !strings.Contains(got, "holds in 1, does not hold in 1, and 1 cannot tell") {
		t.Error(got)
	}
	tones := []page.Tone{page.Good, page.Bad, page.Neutral}
	for i, s := range p.Sections[1:] {
		if s.Verdict.Tone != tones[i] {
			t.Errorf("%s is %s, want %s", s.Title, s.Verdict.Tone, tones[i])
		}
	}
}

func TestExperimentsAreNamedAfterPapers(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Experiments {
		if Papers[e.Paper()] == "" || seen[e.ID] || e.Title == "" || e.Trend == "" || e.Run == nil {
			t.Errorf("%+v", e)
		}
		seen[e.ID] = true
	}
	if _, err := Find("checconi/fig99"); err == nil {
		t.Error("checconi/fig99 exists")
	}
}
