package learn

import (
	"errors"
	"fmt"
	"math"

	"github.com/gohops/hops/level"
)

// Speeds is the model of Zhang et al. (J. Supercomputing 2018, section 3.2), as a policy.
// It knows one speed of each step, in row entries per second, and predicts
//
//	top-down:  row entries of the frontier / speed          (equation 2)
//	bottom-up: α · row entries still unvisited / speed      (equations 3 and 4)
//
// The speed of a step is the mean of its speeds on all levels of the training graphs, as
// in the paper. The paper gives no value of α: here it is the share of the unvisited row
// entries that bottom-up levels look at where they are the best choice. The model knows no
// cost of starting a level and none of a handover.
type Speeds struct {
	Alpha  float64            `json:"alpha"`
	Of     map[string]float64 `json:"entries_per_second"` // by step
	Graphs int                `json:"graphs"`             // learned from; the paper has PaperGraphs
}

// PaperGraphs is the number of R-MAT graphs that Zhang et al. learn from: 20 at each of
// the scales 16 to 19, with 16 edges a vertex.
const PaperGraphs = 80

// Next implements level.Policy. It takes no step that has no speed, unless none has.
func (s *Speeds) Next(f level.Front, steps []level.Step) level.Step {
	best, least := steps[0], math.Inf(1)
	for _, step := range steps {
		if speed := s.Of[step.Name]; speed > 0 {
			if t := s.entries(f, step.Direction) / speed; t < least {
				best, least = step, t
			}
		}
	}
	return best
}

// entries is how many row entries a level is taken to look at.
func (s *Speeds) entries(f level.Front, d level.Direction) float64 {
	if d == level.TopDown {
		return float64(f.Edges)
	}
	return s.Alpha * float64(f.Remaining)
}

// fitSpeeds learns the speeds from the paper's graphs among those explored, or returns nil
// if there are none.
func fitSpeeds(graphs []explored, steps []level.Step) *Speeds {
	s := &Speeds{Of: map[string]float64{}}
	var levels []level.Exploration
	for _, g := range graphs {
		if g.random {
			s.Graphs++
			levels = append(levels, g.learned...)
		}
	}
	if s.Alpha = alpha(levels, steps); s.Alpha == 0 {
		return nil
	}
	for i, step := range steps {
		if step.Direction == level.Split {
			continue // the paper has no such step
		}
		var sum, count float64
		for _, l := range levels {
			if t := l.Times[i].Seconds(); t > 0 {
				sum += looked(l.Front, step.Direction) / t
				count++
			}
		}
		s.Of[step.Name] = sum / max(count, 1)
	}
	return s
}

// looked is how many row entries a level really looks at, or is expected to.
func looked(f level.Front, d level.Direction) float64 {
	if d == level.TopDown {
		return float64(f.Edges)
	}
	return float64(f.Work[d])
}

// LoadSpeeds returns the speeds in the calibration of an engine with these steps, if there
// is one that was learned here. The error is the reason why not.
func LoadSpeeds(dir, engine string, here Hardware, steps []level.Step) (*Speeds, error) {
	path := Path(dir, engine, here.Threads)
	c, err := Read(path)
	if err != nil {
		return nil, err
	}
	if err := c.fits(engine, here, steps); err != nil {
		return nil, fmt.Errorf("learn: %s: %w", path, err)
	}
	if c.Speeds == nil {
		return nil, fmt.Errorf("learn: %s: %w", path, errNoSpeeds)
	}
	return c.Speeds, nil
}

var errNoSpeeds = errors.New("has no speeds: it is of an older program, or its searches went bottom-up nowhere")
