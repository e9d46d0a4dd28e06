package lab

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops/check"
	"github.com/gohops/hops/graph500"
)

// An effort is what an engine traverses for what it uses, a figure for each round.
type effort struct{ perJoule, perSecond, perProcessor Sample }

// over returns by how much less energy an engine needs than another, for the same edges. Of
// what has no meter the energy is not known: with bounded, it is at most as much less as the
// time and the processor time are, so that the least of the three counts.
func (e effort) over(other effort, bounded bool) Sample {
	less := ratio(e.perJoule, other.perJoule)
	if bounded {
		seconds, processor := ratio(e.perSecond, other.perSecond), ratio(e.perProcessor, other.perProcessor)
		for i := range less {
			less[i] = min(less[i], seconds[i], processor[i])
		}
	}
	return less
}

const boundedEnergy = "The processors have no meter. An engine that takes less time and less processor time needs less of their energy, whatever they draw idle and busy: the least of three ratios counts, of metered energy, time and processor time."

func zhangFig5(ctx context.Context, l *Lab) (*Finding, error) {
	g := kronecker(l.Scale)
	f := &Finding{Basis: []Basis{Measured}, Setting: fmt.Sprintf("%s; engines one after another, each for %v a round, %d rounds", g.name, l.energyTime(), l.Runs)}
	efforts := make([]effort, len(zhangEngines))
	for range l.Runs {
		for i, spec := range zhangEngines {
			missing, err := l.spend(ctx, g, spec, &efforts[i])
			if err != nil {
				return nil, err
			}
			if missing != "" {
				f.lack(missing)
			}
		}
	}
	f.energy(l, efforts)
	return f, nil
}

// energy reports what was measured, and makes the claims.
func (f *Finding) energy(l *Lab, efforts []effort) {
	bounded, unmetered := l.Unmetered != "" && l.Times != nil, l.Unmetered
	if bounded {
		f.Notes, unmetered = append(f.Notes, boundedEnergy), ""
		f.lack(l.Unmetered)
	}
	adaptive, daga, yasui := efforts[0], efforts[1], efforts[2]
	t := f.table("energy", "engine", "efficiency:TEPS/W", "over Daga:×", "rate:TEPS", "for a second of a processor:edges")
	var metered []Sample
	for i, name := range zhangNames {
		e := efforts[i]
		metered = append(metered, e.perJoule)
		t.add(name, e.perJoule, ratio(e.perJoule, daga.perJoule), e.perSecond, e.perProcessor)
	}
	f.plot(bars("Energy efficiency", "engine", "efficiency", "TEPS/W", zhangNames, metered...))
	f.quote("adaptive over Daga", "2.3× (A10-7850K), 2.5× (Ryzen 5 2400G)", times(adaptive.perJoule, daga.perJoule))
	f.quote("adaptive over Yasui", "1.6×, 1.3×", times(adaptive.perJoule, yasui.perJoule))
	overDaga, overYasui := adaptive.over(daga, bounded), adaptive.over(yasui, bounded)
	f.unless(cmp.Or(unmetered, l.NoModel),
		larger("adaptive searches need less energy than those with fixed parameters", overDaga, constant(1, len(overDaga)), 1),
		larger("they need less than those on the CPU alone", overYasui, constant(1, len(overYasui)), 1),
	)
}

// energyTime returns how long an engine searches while energy is counted: long beside
// the tenth of a second between two updates of the counter of a GPU.
func (l *Lab) energyTime() time.Duration { return 10 * l.moment() }

// spend searches with one engine for energyTime, and adds the traversed edges divided by
// the energy that the whole machine used meanwhile, and by the times. missing says why they
// could not be measured.
func (l *Lab) spend(ctx context.Context, g graph, spec string, e *effort) (missing string, err error) {
	if l.Joules == nil {
		return "a meter of energy", nil
	}
	src, roots, err := l.inputs(ctx, g)
	if err != nil {
		return "", err
	}
	graph, missing, err := l.open(ctx, spec, src)
	if err != nil || missing != "" {
		return missing, err
	}
	defer graph.Close()
	tree, err := graph500.NewTree(graph, src.NumVertices())
	if err != nil {
		return "", err
	}
	if _, err := graph500.Time(ctx, graph, roots[0], tree); err != nil { // also warms up
		return "", err
	}
	found, err := check.New(src, 0).Tree(ctx, tree)
	if err != nil {
		return "", err
	}
	search := func() (float64, error) {
		graph500.ClearTree(graph, tree)
		_, err := graph.Search(ctx, roots[0], tree)
		return float64(found.Edges), err
	}
	return l.measure(search, e)
}

// measure calls search for energyTime, and adds the edges that it returns to an effort,
// divided by what was used.
func (l *Lab) measure(search func() (edges float64, err error), e *effort) (missing string, err error) {
	times := l.Times
	if times == nil {
		times = func() (wall, processor time.Duration) { return 0, 0 }
	}
	wall, processor := times()
	before, err := l.Joules()
	if err != nil {
		return err.Error(), nil
	}
	var edges float64
	for start := time.Now(); time.Since(start) < l.energyTime(); {
		n, err := search()
		if err != nil {
			return "", err
		}
		edges += n
	}
	after, err := l.Joules()
	if err != nil || after <= before {
		return fmt.Sprintf("a meter of energy that moves (%v)", err), nil
	}
	wallAfter, processorAfter := times()
	e.perJoule = append(e.perJoule, edges/(after-before))
	e.perSecond = append(e.perSecond, quotient(edges, (wallAfter-wall).Seconds()))
	e.perProcessor = append(e.perProcessor, quotient(edges, (processorAfter-processor).Seconds()))
	return "", nil
}
