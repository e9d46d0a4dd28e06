package adaptive

import (
	"fmt"
	"strings"

	"github.com/gohops/hops/internal/energy"
)

// A meter counts what one side uses, from any time on.
type meter interface {
	Joules() (float64, error)
	MeterName() string
}

// processors is the host's meter.
type processors struct{ *energy.Meter }

func (p processors) MeterName() string { return p.Name() }

// Joules is what host and device have used, or one of them if the other cannot
// tell: see MeterName.
func (s *Searcher) Joules() (sum float64, err error) {
	if s.meters == nil {
		if err := s.openMeters(); err != nil {
			return 0, err
		}
	}
	for _, m := range s.meters {
		joules, err := m.Joules()
		if err != nil {
			return 0, err
		}
		sum += joules
	}
	return sum, nil
}

func (s *Searcher) openMeters() error {
	host, missing := energy.Open()
	if missing == nil {
		s.meters = append(s.meters, processors{host})
	}
	device, ok := s.machine.device.(meter)
	if !ok {
		return missing
	}
	if _, err := device.Joules(); err == nil {
		s.meters = append(s.meters, device)
	} else if missing != nil {
		return fmt.Errorf("%w; %w", missing, err)
	}
	return nil
}

// MeterName says what Joules counts.
func (s *Searcher) MeterName() string {
	var names []string
	for _, m := range s.meters {
		names = append(names, m.MeterName())
	}
	return strings.Join(names, " and ")
}
