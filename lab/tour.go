package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/atomicfile"
)

// A Tour performs experiments one after another. What is finished is kept in a
// file as it happens, so that a tour that was interrupted goes on where it
// stopped; the file goes when the tour is over.
type Tour struct {
	Lab   *Lab
	State string // the file; "" keeps nothing

	// Begin and Done, if there are any, are told of every experiment.
	Begin func(e Experiment)
	Done  func(f *Finding, remembered bool)
}

// Run performs the experiments and returns their findings. An experiment that
// fails has a finding that says so, the others go on, and the error names all
// that failed. Only the end of ctx ends a tour early.
func (t *Tour) Run(ctx context.Context, experiments []Experiment) ([]*Finding, error) {
	t.Lab.Options = t.Lab.WithDefaults()
	memory, err := t.recall()
	if err != nil {
		return nil, err
	}
	var findings []*Finding
	var failed error
	for _, e := range experiments {
		f, remembered := memory.Findings[e.ID]
		if !remembered {
			if t.Begin != nil {
				t.Begin(e)
			}
			if f, err = t.Lab.Perform(ctx, e); err != nil {
				if ctx.Err() != nil {
					return findings, err
				}
				failed = errors.Join(failed, err)
				f = &Finding{ID: e.ID, Title: e.Title, Trend: e.Trend, Error: err.Error()}
			} else if memory.Findings[e.ID] = f; t.State != "" {
				if err := memory.store(t.State); err != nil {
					return findings, err
				}
			}
		}
		findings = append(findings, f)
		if t.Done != nil {
			t.Done(f, remembered)
		}
	}
	return findings, errors.Join(failed, t.forget())
}

// A memory is the state of a tour: what it has found, and what else would have
// to be the same for that to be worth anything.
type memory struct {
	Version  string              `json:"version"` // of hops
	Host     string              `json:"host"`
	Options  Options             `json:"options"`
	Findings map[string]*Finding `json:"findings"`
}

// recall reads the state, which is empty if it is of another tour or unreadable.
func (t *Tour) recall() (memory, error) {
	fresh := memory{graph500.Version(), t.Lab.Host.Model, t.Lab.Options, map[string]*Finding{}}
	if t.State == "" {
		return fresh, nil
	}
	text, err := os.ReadFile(t.State)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return fresh, fmt.Errorf("lab: state of the tour: %w", err)
	}
	var m memory
	if json.Unmarshal(text, &m) != nil || m.Findings == nil ||
		m.Version != fresh.Version || m.Host != fresh.Host || m.Options != fresh.Options {
		return fresh, nil
	}
	return m, nil
}

func (m memory) store(path string) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(m) })
	if err != nil {
		return fmt.Errorf("lab: state of the tour: %w", err)
	}
	return nil
}

func (t *Tour) forget() error {
	if t.State == "" {
		return nil
	}
	if err := os.Remove(t.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("lab: state of the tour: %w", err)
	}
	return nil
}
