package level

import (
	"math"
	"time"
)

// A Model predicts how long each step takes and picks the fastest:
//
//	time = Fixed
//	     + PerVertex · vertices of the graph
//	     + PerRow    · vertices of the frontier, top-down
//	     + PerOpen   · unvisited vertices looked at
//	     + PerEntry  · row entries examined
//
// The first term is what it costs to start a level, the second to pass over the
// bitmaps, the third to find a row, which is a cache miss. The fourth is,
// bottom-up, the first look at each vertex, which is read in order, and top-down
// the vertices found, about which only this is known before: they are fewer than
// both the edges and the unvisited vertices, so the geometric mean of the two
// stands for them (on Kronecker graphs it is three to four times their number
// over two decades). The last term is what is commonly called the speed of a
// step. Zhang et al. use the last term alone, with one assumed share of the
// remaining edges for all bottom-up levels; here the number of entries is what
// the machine expects for this very level.
//
// Top-down levels with a short frontier are another matter: one worker runs them,
// who wakes nobody and passes over nothing. They have coefficients of their own
// where there is something to learn them from.
//
// What is left are kinds of levels, each with a factor: see Kind.
//
// What is not a level can have a cost too: the move of a search to another
// device, which takes PerByte.
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
	// Kinds are levels that take longer or shorter than this says.
	Kinds *Corrections `json:"kinds,omitempty"`
}

// shortFront is how many vertices and row entries a frontier has at most that is
// surely run by one worker.
const shortFront = 8192

// short tells whether the coefficients are those of short levels.
func (f *Front) short(d Direction) bool { return d == TopDown && f.Vertices+f.Edges <= shortFront }

// Of is the predicted time of a step of direction d.
func (c Cost) Of(f Front, d Direction) time.Duration {
	var t time.Duration
	if c.Short != nil && f.short(d) {
		t = c.Short.Time(shortLoad(f))
	} else {
		t = c.Time(LevelLoad(f, d))
	}
	if c.Kinds != nil {
		t = time.Duration(float64(t) * c.Kinds.of(kindOf(&f, d)))
	}
	return t
}

// Time is the predicted time of what has this load.
func (c Cost) Time(x Load) time.Duration {
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

const terms = 6

// A Load is what a cost is proportional to, coefficient by coefficient: 1,
// vertices, rows, open vertices, entries and bytes.
type Load [terms]float64

// LevelLoad is the load of a level of direction d.
func LevelLoad(f Front, d Direction) Load {
	rows, open := 0.0, float64(f.Unvisited)
	if d == TopDown {
		rows, open = float64(f.Vertices), math.Sqrt(open*float64(f.Work[d]))
	}
	return Load{1, float64(f.Size), rows, open, float64(f.Work[d]), 0}
}

// shortLoad is that of a short level, which passes over the vertices only to list
// the frontier that another direction has left.
func shortLoad(f Front) Load {
	x := LevelLoad(f, TopDown)
	if f.Last == TopDown {
		x[1] = 0
	}
	return x
}

// MoveLoad is the load of moving bytes to another device.
func MoveLoad(bytes int64) Load { return Load{1, 0, 0, 0, 0, float64(bytes)} }

// Next implements Policy. Steps that the model does not know are not taken,
// unless it knows none. Of a small frontier that top-down has left as a queue it is
// not asked: that would take as long as the level.
func (m Model) Next(f Front, steps []Step) Step {
	if f.Small() && f.Last == TopDown && f.Depth > 0 {
		return first(steps, TopDown)
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
