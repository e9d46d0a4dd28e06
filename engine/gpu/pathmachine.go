package gpu

import (
	"errors"
	"math"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/level"
)

// A pathMachine runs the buckets of a search for shortest paths, one launch for each. It
// decides as the machine of package sssp does, but its buckets are wider, and a search
// that has turned bottom-up stays so.
type pathMachine struct {
	*pathState
	bound  float64 // distances below it are final
	next   float64 // no distance in [bound, next) is left to be found
	near   float64 // D₀, as far as it is known
	width  float64 // Δ
	pace   bucket.Pace
	fixed  bool   // D₀ stays as it is
	ready  bool   // vertices nearer than D₀ have pushed their whole rows
	woken  uint32 // candidates that have been woken
	side   int    // the list of carried vertices that is read
	found  int64
	degree int64 // entries of the vertices found
	last   stage
	ran    [1]hops.Level
}

// The width of top-down buckets is the weight below which the vertex at the end of an entry
// has entriesPerBucket entries, or all rows together have a share of widthShare of their entries, if
// that is more. A launch takes some ten microseconds, in which a device examines as many entries as
// the second rule gives to a bucket of a graph of scale 24.
const (
	entriesPerBucket = 4
	widthShare       = 1.0 / 512
)

var pathSteps = []level.Step{
	{Name: level.TopDown.String(), Direction: level.TopDown},
	{Name: level.BottomUp.String(), Direction: level.BottomUp},
}

// Steps implements level.Machine.
func (m *pathMachine) Steps() []level.Step { return pathSteps }

// round returns the nearest distance that places can have.
func (m *pathMachine) round(far float64) float64 {
	if m.wide {
		return far
	}
	return float64(float32(far))
}

// Seed implements level.Machine.
func (m *pathMachine) Seed(root hops.Vertex) (level.Front, error) {
	share := max(entriesPerBucket/m.Degree, widthShare)
	m.bound, m.near, m.fixed, m.ready, m.woken, m.side = 0, 0, false, false, 0, 0
	m.width = max(float64(m.Quantile(share)), math.SmallestNonzeroFloat32)
	m.pace.Reset()
	m.ticket++
	if err := m.pathsSeed(uint32(root)); err != nil {
		return level.Front{}, err
	}
	s, err := m.await()
	if err != nil {
		return level.Front{}, err
	}
	m.found, m.degree, m.next, m.last = 1, int64(s.Degree), float64(s.Least), *s
	return m.front(), nil
}

// front says what is left, and estimates the entries that the next bucket examines.
func (m *pathMachine) front() level.Front {
	left := m.Vertices - m.found
	f := level.Front{Vertices: left, Unvisited: left, Edges: m.degree, Remaining: m.Entries - m.degree, Size: m.Vertices}
	if math.IsInf(m.next, 1) || left <= 0 {
		f.Vertices = 0
	}
	f.Work[level.TopDown], f.Work[level.BottomUp] = m.Work(max(m.bound, m.next)-m.near, m.found, m.degree)
	if m.ready {
		f.Work[level.TopDown] = math.MaxInt64
	}
	return f
}

// Run implements level.Machine.
func (m *pathMachine) Run(s level.Step) (level.Front, level.Outcome, error) {
	began, from := time.Now(), max(m.bound, m.next)
	l := hops.Level{Step: s.Name, Frontier: m.found}
	m.ticket++
	var err error
	switch {
	case s.Direction == level.BottomUp:
		err = m.bottomUp(from)
	case m.ready:
		err = errors.New("gpu: a search for shortest paths that has turned bottom-up stays so")
	default:
		m.bound = m.round(max(from+m.pace.Of(m.width), from+from/(1<<20)))
		err = m.pathsDown(distance(m.bound), m.last.Reached)
	}
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	now, err := m.await()
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	l.Examined, l.Found = int64(now.Examined-m.last.Examined), int64(now.Found-m.last.Found)
	l.Bucket = hops.Bucket{Bound: min(m.bound, math.MaxFloat64), Phases: int64(now.Phases - m.last.Phases), Lowered: int64(now.Lowered - m.last.Lowered)}
	l.Time = time.Since(began)
	if now.Start > 0 {
		l.Time = time.Duration(now.End - now.Start)
	}
	m.found += l.Found
	if m.ready {
		m.next = m.bound
	} else {
		m.pace.After(l.Found, m.found)
		m.degree, m.next = int64(now.Degree), float64(now.Least)
		if !m.fixed {
			m.near, m.fixed = m.MoveNear(from, m.bound, m.degree)
		}
	}
	m.last, m.ran[0] = *now, l
	return m.front(), level.Outcome{Examined: l.Examined, Ran: m.ran[:]}, nil
}

// bottomUp moves the bound about twice as far from D₀ and lets the vertices pull that an
// entry below the bound can matter to.
func (m *pathMachine) bottomUp(from float64) error {
	to := bucket.Doubled(max(from-m.near, m.width))
	for m.round(m.near+float64(to)) <= from {
		to *= 2
	}
	before := m.bound
	if m.bound = m.round(m.near + float64(to)); to > m.Heaviest {
		to, m.bound = float32(math.Inf(1)), math.Inf(1)
	}
	candidates, entries := m.Candidates.Below(to)
	a := upArgs{
		near: distance(m.near), from: distance(before), bound: distance(m.bound),
		woken: m.woken, wakeTo: max(m.woken, uint32(candidates)), side: m.side, flush: !m.ready, records: m.last.Reached,
	}
	m.ready, m.fixed = true, true
	m.woken, m.side, m.degree = a.wakeTo, 1-m.side, max(m.degree, entries)
	return m.pathsUp(a)
}
