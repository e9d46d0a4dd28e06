package lab

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// A place is where the ranks of an experiment run: in this process, in processes that a
// launcher started, or on the twin of the paper's machine, in model time.
type place struct {
	*Lab
	name  string // in tables and claims
	over  int    // processes that a launcher started for the ranks; 0: none
	twin  string // machine of the twin; "" here and over MPI
	units int    // ranks on a node of the twin, where there are several on a host here
	bits  int    // log₂ of the vertices that a node of the paper's machine had
	heavy int    // heavy vertices of the graph that the one at hand stands for
}

// twins are the machines of the papers. How many heavy vertices Checconi and Petrini had is
// not in their text: it is the most that the engine takes. Fewer stand for them on a smaller
// graph, as for all vertices: otherwise they would have the larger part of its edges.
var twins = map[string]place{
	"checconi": {name: "twin of BlueGene/Q", twin: "bluegene-q", units: 1, bits: 24, heavy: 1 << 16}, // scale 34 on 1,024 nodes
	"cui":      {name: "twin of the NUMA cluster", twin: "numa-cluster", units: 8, bits: 28},
	"romeo":    {name: "twin of ROMEO", twin: "romeo", units: 2, bits: 20},
}

// The places that are this machine: ranks in this process, and a process for each rank.
const (
	here    = "here"
	overMPI = "here, over MPI"
)

// The size of searches on twins, whatever that of the lab: twins are calibrated at this
// size, and model time is the same everywhere. With fewer roots the mean of a search
// depends on which they are.
const (
	twinScale = 16
	twinRoots = 8
)

// places returns where the experiments of a paper about ranks run.
func (l *Lab) places(paper string) []place {
	all := []place{{Lab: l, name: here}}
	if n := l.over(); n > 0 {
		launched := *l
		launched.Engine = l.Processes.Engine
		all = append(all, place{Lab: &launched, name: overMPI, over: n})
	}
	return append(all, l.twin(paper))
}

// over returns how many processes a launcher started, 0 without one.
func (l *Lab) over() int {
	if l.Processes == nil {
		return 0
	}
	return l.Processes.World.Size()
}

// twin returns the place that is the machine of a paper.
func (l *Lab) twin(paper string) place {
	p, small := twins[paper], *l
	small.Roots, small.Runs, small.cold = min(2*l.Roots, twinRoots), 1, true // model time does not vary
	small.Scale = min(l.Scale, twinScale)
	p.Lab = &small
	return p
}

// hosts returns how many hosts stand for n of at most 4 of this process: a twin has 4 times
// as many nodes, and of processes all take part.
func (p place) hosts(n int) int {
	switch {
	case p.twin != "":
		return 4 * n
	case p.over > 0:
		return min(n*max(p.over/4, 1), p.over)
	}
	return n
}

// rate returns the rate of every search here, and on a twin their harmonic mean, which
// papers give.
func (p place) rate(r Runs) Sample {
	s := r.teps()
	if p.twin == "" || len(s) == 0 {
		return s
	}
	return one(harmonic(s))
}

// total returns a figure of every search here, and on a twin that of all together, as
// papers give it.
func (p place) total(s Sample) Sample {
	if p.twin == "" || len(s) == 0 {
		return s
	}
	return one(s.Mean())
}

func (p place) rates(runs []Runs) (all []Sample) {
	for _, r := range runs {
		all = append(all, p.rate(r))
	}
	return all
}

// engine returns the string of an engine with ranks on each of some hosts, for a graph of
// a scale. On a twin the graph stands for one that fills its nodes.
func (p place) engine(name string, scale, hosts, perHost int, options ...string) string {
	at := fmt.Sprintf("%s:ranks=%d,hosts=%d", name, hosts*perHost, hosts)
	if p.twin != "" {
		vertices := max(0, scale-bits.Len(uint(hosts-1)))
		grain := 1 << max(0, p.bits-vertices)
		at = fmt.Sprintf("%s:twin=%s,nodes=%d,pernode=%d,grain=%d", name, p.twin, hosts, min(perHost, p.units), grain)
		if p.heavy > 0 && name == "cluster" && !slices.ContainsFunc(options, func(o string) bool { return strings.Contains(o, "light=on") }) {
			options = append(options, fmt.Sprintf("heavy=%d", min(max(1, p.heavy/grain), 1<<16-1)))
		}
	}
	return strings.Join(append([]string{at}, options...), ",")
}

// ranksPer returns the ranks of each host: those given here, on a twin all that a node has
// room for unless it is one, and of processes no more than there are.
func (p place) ranksPer(n, hosts int) int {
	switch {
	case n == 1:
	case p.twin != "":
		return p.units
	case p.over > 0:
		return max(min(n, p.over/hosts), 1)
	}
	return n
}

// staged returns the Run function of an experiment that runs here, on the processes of a
// launcher if there are any, and on the twin of its paper's machine, each with tables,
// claims and a verdict of its own.
func staged(paper string, run func(ctx context.Context, f *Finding, p place) error) func(context.Context, *Lab) (*Finding, error) {
	return func(ctx context.Context, l *Lab) (*Finding, error) {
		f := newFinding(InProcess, ModelTime)
		if l.Processes != nil {
			f.Basis = slices.Insert(f.Basis, 1, OverMPI)
			f.Notes = append(f.Notes, pretended)
		}
		var settings []string
		for _, p := range l.places(paper) {
			f.place, f.Setting = p.name, ""
			if err := run(ctx, f, p); err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			if f.Setting != "" {
				settings = append(settings, p.name+": "+f.Setting)
			}
		}
		f.place, f.Setting = "", strings.Join(settings, "; ")
		return f, nil
	}
}

// comparedOnRanks is staged for engines on one graph: ranks on as many hosts, with the
// options of each engine.
func comparedOnRanks(paper string, hosts int, options []string, report func(f *Finding, p place, runs []Runs)) func(context.Context, *Lab) (*Finding, error) {
	return staged(paper, func(ctx context.Context, f *Finding, p place) error {
		var engines []string
		for _, o := range options {
			engines = append(engines, p.engine("cluster", p.Scale, p.hosts(hosts), 1, o))
		}
		runs, err := f.compare(ctx, p.Lab, kronecker(p.Scale), engines...)
		if err == nil {
			report(f, p, runs)
		}
		return err
	})
}

// labelled adds the place of a finding to a title.
func (f *Finding) labelled(title string) string {
	if f.place == "" {
		return title
	}
	return title + ", " + f.place
}

// Verdicts returns the outcome of each place, that of its weakest claim: one that fails
// outweighs one that is unclear, and either outweighs all that hold. Calibrated claims
// do not count.
func (f *Finding) Verdicts() (places []string, outcomes map[string]Outcome) {
	outcomes = map[string]Outcome{}
	for _, c := range f.Claims {
		if c.Outcome == Calibrated {
			continue
		}
		before, seen := outcomes[c.Place]
		if !seen {
			places = append(places, c.Place)
		}
		if weakness[c.Outcome] >= weakness[cmp.Or(before, Holds)] {
			outcomes[c.Place] = c.Outcome
		}
	}
	return places, outcomes
}

var weakness = map[Outcome]int{Holds: 0, Unclear: 1, Fails: 2}
