package learn

import (
	"math"
	"time"

	"github.com/gohops/hops/level"
)

// A Model predicts how long each step takes for a level, and as a level.Policy picks
// the fastest:
//
//	time = Fixed
//	     + PerVertex · vertices of the graph
//	     + PerRow    · vertices of the frontier, top-down
//	     + PerOpen   · unvisited vertices looked at
//	     + PerEntry  · row entries examined
//
// Fixed is the cost of starting a level, PerVertex of passing over the bitmaps, PerRow
// of finding a row, which is a cache miss. PerOpen is, bottom-up, the cost of the
// first look at a vertex, which reads memory in order. Top-down it is the cost of
// a vertex found, whose number is not known beforehand: it is less than the number of
// edges and less than the number of unvisited vertices, so the geometric mean of the two
// stands for it (on Kronecker graphs that is three to four times the number found,
// over two decades). PerEntry is what is commonly called the speed of a step. Zhang et
// al. use this term alone, with one assumed share of the remaining edges for all
// bottom-up levels; here the number of entries is the machine's estimate for the level
// at hand.
//
// Top-down levels with a short frontier are run by one worker, which wakes no other and
// passes over no bitmap. They have coefficients of their own if there are enough
// samples to learn them from. Kinds of levels that the terms describe badly have
// factors: see Kind.
//
// A handover to another device has a cost too: Fixed and PerByte.
//
// The coefficients belong to one machine and are learned by Fit.
type Model map[string]Cost

// A Cost is how long one step takes, in nanoseconds.
type Cost struct {
	Fixed     float64 `json:"fixed_ns"`
	PerVertex float64 `json:"per_vertex_ns"`
	PerRow    float64 `json:"per_row_ns"`
	PerOpen   float64 `json:"per_open_ns"`
	PerEntry  float64 `json:"per_entry_ns"`
	PerByte   float64 `json:"per_byte_ns,omitempty"`
	Short     *Cost   `json:"short,omitempty"` // of levels with a short frontier
	// Kinds are levels that take longer or shorter than these terms say.
	Kinds *Corrections `json:"kinds,omitempty"`
}

// shortFront is the largest number of vertices and row entries, added up, of a short
// frontier: one that the cpu engine surely gives to a single worker.
const shortFront = 8192

// isShort tells whether the coefficients of short levels apply.
func isShort(f *level.Front, d level.Direction) bool {
	return d == level.TopDown && f.Vertices+f.Edges <= shortFront
}

// Of is the predicted time of a step of direction d.
func (c Cost) Of(f level.Front, d level.Direction) time.Duration {
	var t time.Duration
	if c.Short != nil && isShort(&f, d) {
		t = c.Short.Time(shortTerms(f))
	} else {
		t = c.Time(levelTerms(f, d))
	}
	if c.Kinds != nil {
		t = time.Duration(float64(t) * c.Kinds.of(kindOf(&f, d)))
	}
	return t
}

// Time is the predicted time for the given values of the terms.
func (c Cost) Time(x Terms) time.Duration {
	return time.Duration(c.Fixed*x[0] + c.PerVertex*x[1] + c.PerRow*x[2] + c.PerOpen*x[3] + c.PerEntry*x[4] + c.PerByte*x[5])
}

// Least is the smallest of the coefficients: below zero, a cost makes no sense.
func (c Cost) Least() float64 {
	least := min(c.Fixed, c.PerVertex, c.PerRow, c.PerOpen, c.PerEntry, c.PerByte)
	if c.Short != nil {
		least = min(least, c.Short.Least())
	}
	if c.Kinds != nil {
		for _, k := range *c.Kinds {
			least = min(least, k.Factor)
		}
	}
	return least
}

const numTerms = 6

// Terms are what a cost is proportional to, coefficient by coefficient: 1,
// vertices, rows, open vertices, entries and bytes.
type Terms [numTerms]float64

// levelTerms are the terms of a level of direction d.
func levelTerms(f level.Front, d level.Direction) Terms {
	rows, open := 0.0, float64(f.Unvisited)
	if d == level.TopDown {
		rows, open = float64(f.Vertices), math.Sqrt(open*float64(f.Work[d]))
	}
	return Terms{1, float64(f.Size), rows, open, float64(f.Work[d]), 0}
}

// shortTerms are the terms of a short level, which passes over the vertices only to list
// a frontier that another direction has left as a bitmap.
func shortTerms(f level.Front) Terms {
	x := levelTerms(f, level.TopDown)
	if f.Last == level.TopDown {
		x[1] = 0
	}
	return x
}

// MoveTerms are the terms of a handover of so many bytes to another device.
func MoveTerms(bytes int64) Terms { return Terms{1, 0, 0, 0, 0, float64(bytes)} }

// Next implements level.Policy. It takes no step that the model does not know, unless
// it knows none. A small frontier that top-down has left as a queue goes top-down
// without a prediction, which would take as long as the level.
func (m Model) Next(f level.Front, steps []level.Step) level.Step {
	if f.Small() && f.Last == level.TopDown && f.Depth > 0 {
		return level.First(steps, level.TopDown)
	}
	best, least := steps[0], time.Duration(math.MaxInt64)
	for _, s := range steps {
		c, ok := m[s.Name]
		if !ok {
			continue
		}
		if t := c.Of(f, s.Direction); t < least {
			best, least = s, t
		}
	}
	return best
}

// Exchanges is a policy for ranks: to the cost of computing a step it adds the cost of
// its exchange, in rounds of all ranks and in bytes. All its fields must be equal on all
// ranks; then so are the choices, without a message.
type Exchanges struct {
	Compute []Cost  // of each step of the machine, for all ranks together, without the exchange
	Round   float64 // nanoseconds of a round
	Byte    float64 // nanoseconds of a byte on the critical path
	// Traffic predicts what a step would exchange. It must depend on its arguments
	// alone.
	Traffic func(f level.Front, s level.Step) (rounds, bytes float64)
}

func (e Exchanges) Next(f level.Front, steps []level.Step) level.Step {
	best, least := 0, time.Duration(math.MaxInt64)
	for i := range steps {
		if t := e.Predict(f, steps, i); t < least {
			best, least = i, t
		}
	}
	return steps[best]
}

// Predict is how long step i of the machine is expected to take.
func (e Exchanges) Predict(f level.Front, steps []level.Step, i int) time.Duration {
	rounds, bytes := e.Traffic(f, steps[i])
	return e.Compute[i].Of(f, steps[i].Direction) + time.Duration(rounds*e.Round+bytes*e.Byte)
}
