package cpu

import "fmt"

// Prices is for finding out why a form was chosen.
func (s *Searcher) Prices() (text string) {
	for _, f := range s.m.prices.forms {
		text += fmt.Sprintf("%s*%d phases %.0f rate %.2f learned %.2f last %d; ", f.step.Name, f.step.Workers, f.phases, f.rate, f.learned, f.last)
	}
	return text + fmt.Sprint("timed ", s.m.prices.timed)
}
