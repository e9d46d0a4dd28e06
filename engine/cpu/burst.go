package cpu

import (
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A burst runs top-down levels as long as their frontiers are small: no other step
// can be as fast then, on this or any other device, so nobody needs to be asked in
// between, nor any clock be read. Along a path that is half of what a level takes.
const (
	nameC     = "C"
	nameOfRun = nameC + ".TC"

	// longestBurst bounds the levels of a burst, and with it the time in which a
	// cancelled context is not noticed: about a millisecond.
	longestBurst = 4096
)

// runBurst runs one level, however large, and then small ones.
func (p *Portable) runBurst(s level.Step) (level.Front, error) {
	start := time.Now()
	p.ran = p.ran[:0]
	for {
		frontier := p.m.state.Vertices
		p.note()
		f, err := p.m.Run(s)
		p.noted = false
		if err != nil {
			return f, err
		}
		p.ran = append(p.ran, hops.Level{Step: nameOfRun, Frontier: frontier, Examined: f.Examined, Found: f.Vertices})
		if f.Vertices == 0 || !f.Small() || len(p.ran) == longestBurst {
			each := time.Since(start) / time.Duration(len(p.ran))
			for i := range p.ran {
				p.ran[i].Time = each
			}
			f.Ran = p.ran
			return f, nil
		}
	}
}
