package level

// AlphaBeta is the rule of Beamer, Asanović and Patterson (SC 2012): go
// bottom-up when the frontier has more than 1/Alpha of the remaining edges, and
// back top-down when it has shrunk below 1/Beta of the vertices that can still
// be found. It needs no knowledge of the machine.
type AlphaBeta struct {
	Alpha, Beta int64
	// OfAll takes 1/Beta of all vertices, as published. A level goes bottom-up only if
	// as many are left to be found: otherwise the next one would go back at once.
	OfAll bool
}

// RuleOfThumb is the rule with the values that are good on most machines.
var RuleOfThumb = AlphaBeta{Alpha: 14, Beta: 24}

// Beamer is the rule as it was published.
var Beamer = AlphaBeta{Alpha: 14, Beta: 24, OfAll: true}

// Next implements Policy. It takes the first step of the direction it wants, or
// the machine's only step where there is no choice.
func (p AlphaBeta) Next(f Front, steps []Step) Step {
	return First(steps, p.direction(f))
}

// IgnoresWork implements WorkIgnorer.
func (AlphaBeta) IgnoresWork() {}

func (p AlphaBeta) direction(f Front) Direction {
	least, left := f.Unvisited/p.Beta, true
	if p.OfAll {
		least = f.Size / p.Beta
		left = f.Unvisited >= least
	}
	if f.Last == TopDown && left && f.Edges > f.Remaining/p.Alpha || f.Last == BottomUp && f.Vertices >= least {
		return BottomUp
	}
	return TopDown
}

// Checconi is CalcDirection of Checconi and Petrini (IPDPS 2014), which "counts how many
// vertices have not been visited yet, and how many edges are reachable from the frontier":
// a level goes bottom-up if those edges outnumber the vertices, each of which sends a
// probe at least. To compare with the edges of those vertices, as the sentence can be
// read too, leaves levels with up to half of all edges top-down, and examines several
// times the entries of the paper's Fig. 5 (docs/design/twin.md).
type Checconi struct{}

// Next implements Policy.
func (Checconi) Next(f Front, steps []Step) Step {
	if f.Edges > f.Unvisited {
		return First(steps, BottomUp)
	}
	return First(steps, TopDown)
}

// Fixed always asks for the same direction: the baseline that every other
// policy is compared with.
type Fixed struct{ Direction Direction }

// Next implements Policy.
func (p Fixed) Next(_ Front, steps []Step) Step { return First(steps, p.Direction) }

// IgnoresWork implements WorkIgnorer.
func (Fixed) IgnoresWork() {}

// A Plan names the step of every level; the last name serves all further levels. It
// repeats a search as its trace tells it, or forces a step to be used.
type Plan []string

// Next implements Policy. A name that the machine does not know falls to its
// first step, as does an empty plan.
func (p Plan) Next(f Front, steps []Step) Step {
	if len(p) == 0 {
		return steps[0]
	}
	want := p[min(int(f.Depth), len(p)-1)]
	for _, s := range steps {
		if s.Name == want {
			return s
		}
	}
	return steps[0]
}

// First is the first step of a direction, or the machine's first step if it has none of
// that direction.
func First(steps []Step, d Direction) Step {
	for _, s := range steps {
		if s.Direction == d {
			return s
		}
	}
	return steps[0]
}
