package lab

import (
	"context"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
)

func (r Runs) of(figure func(graph500.Search) float64) Sample {
	var s Sample
	for _, x := range r.Searches {
		s = append(s, figure(x))
	}
	return s
}

func (r Runs) teps() Sample { return r.of(graph500.Search.TEPS) }

// rates returns the rates of several engines.
func rates(runs []Runs) (all []Sample) {
	for _, r := range runs {
		all = append(all, r.teps())
	}
	return all
}

func (r Runs) seconds() Sample {
	return r.of(func(s graph500.Search) float64 { return s.Time.Seconds() })
}

// sum returns, for every search, the sum of a figure over its levels.
func (r Runs) sum(figure func(hops.Level) float64) Sample {
	return r.of(func(s graph500.Search) (total float64) {
		for _, l := range s.Levels {
			total += figure(l)
		}
		return total
	})
}

func examined(l hops.Level) float64 { return float64(l.Examined) }
func messages(l hops.Level) float64 { return float64(l.Messages) }
func bytes(l hops.Level) float64    { return float64(l.Bytes) }
func seconds(l hops.Level) float64  { return l.Time.Seconds() }
func found(l hops.Level) float64    { return float64(l.Found) }

func (r Runs) depth() (n int) {
	for _, s := range r.Searches {
		n = max(n, len(s.Levels))
	}
	return n
}

// at returns a figure of one level of every search, 0 for searches that ended before.
func (r Runs) at(depth int, figure func(hops.Level) float64) Sample {
	return r.of(func(s graph500.Search) float64 {
		if depth >= len(s.Levels) {
			return 0
		}
		return figure(s.Levels[depth])
	})
}

func (r Runs) means(figure func(hops.Level) float64) []float64 {
	var y []float64
	for d := range r.depth() {
		y = append(y, r.at(d, figure).Mean())
	}
	return y
}

// step returns the name of the step that most searches took in a level.
func (r Runs) step(depth int) string {
	count, best := map[string]int{}, ""
	for _, s := range r.Searches {
		if depth < len(s.Levels) {
			step := s.Levels[depth].Step
			if count[step]++; count[step] > count[best] {
				best = step
			}
		}
	}
	return best
}

func (r Runs) busiest(figure func(hops.Level) float64) (depth int) {
	means := r.means(figure)
	for d, y := range means {
		if y > means[depth] {
			depth = d
		}
	}
	return depth
}

func deepest(runs ...Runs) (n int) {
	for _, r := range runs {
		n = max(n, r.depth())
	}
	return n
}

// compared returns the Run function of an experiment that compares engines on the
// largest graph and reports what it found.
func compared(basis Basis, engines []string, report func(f *Finding, runs []Runs)) func(context.Context, *Lab) (*Finding, error) {
	return func(ctx context.Context, l *Lab) (*Finding, error) {
		f, runs, err := l.study(ctx, basis, engines...)
		if err != nil {
			return nil, err
		}
		report(f, runs)
		return f, nil
	}
}

// study compares engines on the largest graph and begins a finding about them.
func (l *Lab) study(ctx context.Context, basis Basis, engines ...string) (*Finding, []Runs, error) {
	f := newFinding(basis)
	runs, err := f.compare(ctx, l, kronecker(l.Scale), engines...)
	return f, runs, err
}

// compare compares engines on a graph, which becomes the setting of the finding. Engines
// that did not run are named there.
func (f *Finding) compare(ctx context.Context, l *Lab, g graph, engines ...string) ([]Runs, error) {
	runs, err := l.compare(ctx, g, engines...)
	if err != nil {
		return nil, err
	}
	f.Setting = l.setting(g, runs...)
	for _, r := range runs {
		if r.Missing != "" {
			f.lack(r.Missing)
		}
	}
	return runs, nil
}

// exchanged returns a figure of a level from its Exchange, 0 without one.
func exchanged(figure func(*hops.Exchange) float64) func(hops.Level) float64 {
	return func(l hops.Level) float64 {
		if l.Exchange == nil {
			return 0
		}
		return figure(l.Exchange)
	}
}

var (
	forward   = exchanged(func(x *hops.Exchange) float64 { return float64(x.Forward) })
	probes    = exchanged(func(x *hops.Exchange) float64 { return float64(x.Probes) })
	claims    = exchanged(func(x *hops.Exchange) float64 { return float64(x.Claims) })
	encoded   = exchanged(func(x *hops.Exchange) float64 { return float64(x.Encoded) })
	busBytes  = exchanged(func(x *hops.Exchange) float64 { return float64(x.BusBytes) })
	hostBytes = exchanged(func(x *hops.Exchange) float64 { return float64(x.HostBytes) })

	computing = exchanged(func(x *hops.Exchange) float64 { return x.Computing.Seconds() })
	sending   = exchanged(func(x *hops.Exchange) float64 { return x.Sending.Seconds() })
	waiting   = exchanged(func(x *hops.Exchange) float64 { return x.Waiting.Seconds() })
	gathering = exchanged(func(x *hops.Exchange) float64 { return x.Gathering.Seconds() })
	switching = exchanged(func(x *hops.Exchange) float64 { return x.Switching.Seconds() })
)

// communication is the time that ranks spend on sending and gathering.
func communication(l hops.Level) float64 { return sending(l) + gathering(l) }

// stall is the time that ranks spend on waiting for packets or for each other.
func stall(l hops.Level) float64 {
	return max(0, seconds(l)-computing(l)-communication(l)-switching(l))
}

// bottomUp restricts a figure to bottom-up levels.
func bottomUp(figure func(hops.Level) float64) func(hops.Level) float64 {
	return func(l hops.Level) float64 {
		if !strings.HasPrefix(l.Step, "bottom-up") {
			return 0
		}
		return figure(l)
	}
}

// levels is the figure that counts levels.
func levels(hops.Level) float64 { return 1 }

// per divides two figures of the same level or search.
func per(a, b Sample) Sample {
	r := make(Sample, len(a))
	for i := range a {
		if b[i] != 0 {
			r[i] = a[i] / b[i]
		}
	}
	return r
}
