package adaptive

import (
	"errors"
	"testing"
)

// counter is a meter that knows what it counts.
type counter struct {
	name   string
	joules float64
	err    error
}

func (c counter) Joules() (float64, error) { return c.joules, c.err }
func (c counter) MeterName() string        { return c.name }

func TestJoulesAddUp(t *testing.T) {
	s := &Searcher{meters: []meter{counter{"cores", 3, nil}, counter{"GPU", 4, nil}}}
	if sum, err := s.Joules(); sum != 7 || err != nil || s.MeterName() != "cores and GPU" {
		t.Errorf("%v of %s, error %v", sum, s.MeterName(), err)
	}
	broken := errors.New("broken")
	s.meters = append(s.meters, counter{"fan", 0, broken})
	if _, err := s.Joules(); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
