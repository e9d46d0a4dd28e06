package lab

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
)

// of returns one figure of every search.
func (r Runs) of(figure func(graph500.Search) float64) Sample {
	var s Sample
	for _, x := range r.Searches {
		s = append(s, figure(x))
	}
	return s
}

func (r Runs) teps() Sample { return r.of(graph500.Search.TEPS) }
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

// depth returns the number of levels of the longest search.
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

// means returns the mean of a figure for each level.
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

// busiest returns the level with the largest mean of a figure.
func (r Runs) busiest(figure func(hops.Level) float64) (depth int) {
	means := r.means(figure)
	for d, y := range means {
		if y > means[depth] {
			depth = d
		}
	}
	return depth
}

// deepest returns the number of levels of the longest search of all runs.
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
		f, runs, err := l.study(ctx, basis, kronecker(l.Scale), engines...)
		if err != nil {
			return nil, err
		}
		report(f, runs)
		return f, nil
	}
}

// study compares engines on one graph and begins a finding about them.
func (l *Lab) study(ctx context.Context, basis Basis, g graph, engines ...string) (*Finding, []Runs, error) {
	f := newFinding(basis)
	runs, err := f.compare(ctx, l, g, engines...)
	return f, runs, err
}

// compare compares engines on a graph, which becomes the setting of the finding.
func (f *Finding) compare(ctx context.Context, l *Lab, g graph, engines ...string) ([]Runs, error) {
	runs, err := l.compare(ctx, g, engines...)
	if err != nil {
		return nil, err
	}
	f.Setting = l.setting(g, runs...)
	f.lackOf(runs...)
	return runs, nil
}

// lackOf adds the engines that did not run to what the finding lacks.
func (f *Finding) lackOf(runs ...Runs) {
	for _, r := range runs {
		if r.Missing != "" {
			f.lack(r.Missing)
		}
	}
}
