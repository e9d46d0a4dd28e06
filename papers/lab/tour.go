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
	"github.com/gohops/hops/internal/base/atomicfile"
)

// A Tour performs experiments one after another. It saves each finding in a file, so
// that a tour that was interrupted resumes where it stopped. The file is removed at the
// end of the tour.
type Tour struct {
	Lab   *Lab
	State string // path of the file; "" saves nothing

	// Begin is called before every experiment that is not remembered; it may be nil.
	Begin func(e Experiment)

	// Done is called after every experiment; it may be nil. remembered tells that the
	// finding was read from the file.
	Done func(f *Finding, remembered bool)
}

// Run performs the experiments and returns their findings. If one fails, its finding
// says so and the others run; the error names all that failed. Only the end of ctx ends
// a tour early.
func (t *Tour) Run(ctx context.Context, experiments []Experiment) ([]*Finding, error) {
	t.Lab.Options = t.Lab.WithDefaults()
	saved, err := t.load()
	if err != nil {
		return nil, err
	}
	var findings []*Finding
	var failed error
	for _, e := range experiments {
		f, remembered := saved.Findings[e.ID]
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
			} else if saved.Findings[e.ID] = f; t.State != "" {
				if err := saved.save(t.State); err != nil {
					return findings, err
				}
			}
		}
		findings = append(findings, f)
		if t.Done != nil {
			t.Done(f, remembered)
		}
	}
	return findings, errors.Join(failed, t.remove())
}

// A tourState is the content of a tour's file: its findings, and the conditions under
// which they are valid.
type tourState struct {
	Version  string              `json:"version"` // version of hops
	Host     string              `json:"host"`    // model of the processor
	Options  Options             `json:"options"`
	Over     int                 `json:"processes"` // that a launcher started
	Findings map[string]*Finding `json:"findings"`  // by ID
}

// load reads the file. A file of another tour, or one that does not parse, counts as
// empty.
func (t *Tour) load() (tourState, error) {
	fresh := tourState{graph500.Version(), t.Lab.Host.Model, t.Lab.Options, t.Lab.over(), map[string]*Finding{}}
	text, err := os.ReadFile(t.State)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return fresh, stateError(err)
	}
	var m tourState
	if json.Unmarshal(text, &m) != nil || m.Findings == nil ||
		m.Version != fresh.Version || m.Host != fresh.Host || m.Options != fresh.Options || m.Over != fresh.Over {
		return fresh, nil
	}
	return m, nil
}

func (m tourState) save(path string) error {
	return stateError(atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(m) }))
}

func (t *Tour) remove() error {
	if err := os.Remove(t.State); !errors.Is(err, fs.ErrNotExist) {
		return stateError(err)
	}
	return nil
}

func stateError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("lab: state of the tour: %w", err)
}
