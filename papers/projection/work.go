package projection

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// Levels of searches at different scales correspond by their distance from the
// level that finds most: searches of larger graphs take longer to get there and
// have the same shape around it. At every such distance the mean number of
// vertices found and entries examined, as shares of all vertices, are fitted as
//
//	share = exp(a + b·scale)
//
// which is exact for what grows like a power of the size. The power is kept
// between that of a constant number and that of a constant share: nothing grows
// faster than the graph for long, and without that bound a slight rise over a few
// scales becomes the whole graph over twenty. Frontiers are what the level before
// has found.

// An Observation is a search at a scale, direction-optimised.
type Observation struct {
	Scale  int
	Search graph500.Search
}

// A Model predicts work and time.
type Model struct {
	Scales    []int                       // it was fitted on
	Rates     learn.Model                 // of a node like this machine, by direction
	Traffic   map[level.Direction]Traffic // of edges sent as messages
	Imbalance Imbalance                   // between nodes; the zero value is none
	found     map[int]trend               // by distance from the peak
	entries   map[int]trend               // examined
	ways      map[int]level.Direction     // the usual direction
	reached   trend                       // vertices, as a share of all
	edges     trend                       // traversed, per vertex
}

// LevelWork is what a level handles, over all nodes.
type LevelWork struct {
	Direction                     level.Direction
	Vertices, Frontier, Unvisited float64
	Examined, Found               float64
}

// Work is what a search handles.
type Work struct {
	Levels []LevelWork
	Edges  float64 // traversed
}

// A trend is a share of the graph as a function of the scale.
type trend struct{ a, b float64 }

func (t trend) at(scale int) float64 { return math.Exp(t.a + t.b*float64(scale)) }

// Fit learns work and rates from searches, of at least two scales.
func Fit(searches []Observation) (*Model, error) {
	byScale := map[int][]graph500.Search{}
	for _, o := range searches {
		if len(o.Search.Levels) > 0 {
			byScale[o.Scale] = append(byScale[o.Scale], o.Search)
		}
	}
	m := &Model{
		Scales: slices.Sorted(maps.Keys(byScale)), Traffic: map[level.Direction]Traffic{},
		found: map[int]trend{}, entries: map[int]trend{}, ways: map[int]level.Direction{},
	}
	if len(m.Scales) < 2 {
		return nil, fmt.Errorf("projection: searches of %d scales are too few for a trend", len(m.Scales))
	}
	m.fitWork(byScale)
	var err error
	m.Rates, err = learn.Fit(samples(byScale))
	if err == nil {
		_, down := m.Rates[level.TopDown.String()]
		_, up := m.Rates[level.BottomUp.String()]
		if !down || !up {
			err = fmt.Errorf("projection: the searches have too few levels of one direction")
		}
	}
	return m, err
}

// fitWork fits every distance that most searches of at least two scales have.
func (m *Model) fitWork(byScale map[int][]graph500.Search) {
	found, entries := map[int][]point{}, map[int][]point{}
	votes := map[int]int{} // for bottom-up
	var reached, edges []point
	for _, scale := range m.Scales {
		all := byScale[scale]
		reached = append(reached, point{scale, share(scale, all, func(s graph500.Search) int64 { return s.Vertices })})
		edges = append(edges, point{scale, share(scale, all, func(s graph500.Search) int64 { return s.Edges })})
		for distance := -maxDistance; distance <= maxDistance; distance++ {
			those := having(distance, all)
			if 2*len(those) <= len(all) {
				continue
			}
			found[distance] = append(found[distance], point{scale, share(scale, those, func(s graph500.Search) int64 { return at(s, distance).Found })})
			entries[distance] = append(entries[distance], point{scale, share(scale, those, func(s graph500.Search) int64 { return at(s, distance).Examined })})
			for _, s := range those {
				if directionOf(at(s, distance).Step) == level.BottomUp {
					votes[distance]++
				} else {
					votes[distance]--
				}
			}
		}
	}
	m.reached, m.edges = line(reached), line(edges)
	for distance, points := range entries {
		if len(points) < 2 {
			continue
		}
		m.found[distance], m.entries[distance] = line(found[distance]), line(points)
		if votes[distance] > 0 {
			m.ways[distance] = level.BottomUp
		}
	}
}

// share is the mean of a figure over searches, as a share of all vertices.
func share(scale int, searches []graph500.Search, figure func(graph500.Search) int64) float64 {
	var sum float64
	for _, s := range searches {
		sum += float64(figure(s))
	}
	return sum / float64(len(searches)) / math.Exp2(float64(scale))
}

// having are the searches with a level at a distance from the peak.
func having(distance int, all []graph500.Search) []graph500.Search {
	return slices.DeleteFunc(slices.Clone(all), func(s graph500.Search) bool { return at(s, distance).Step == "" })
}

// maxDistance bounds how far from the peak levels are fitted: searches of the
// benchmark's graphs are shorter.
const maxDistance = 16

// at is the level at a distance from the one that finds most.
func at(s graph500.Search, distance int) hops.Level {
	peak := 0
	for i, l := range s.Levels {
		if l.Found > s.Levels[peak].Found {
			peak = i
		}
	}
	if i := peak + distance; i >= 0 && i < len(s.Levels) {
		return s.Levels[i]
	}
	return hops.Level{}
}

func directionOf(step string) level.Direction {
	if strings.HasPrefix(step, level.BottomUp.String()) {
		return level.BottomUp
	}
	return level.TopDown
}

// Work is what a typical search of a scale handles, level by level.
func (m *Model) Work(scale int) Work {
	n := math.Exp2(float64(scale))
	w := Work{Edges: m.edges.at(scale) * n}
	open := math.Round(math.Min(m.reached.at(scale), 1) * n)
	frontier := 1.0
	scaleDown := m.excess(scale)
	for _, distance := range slices.SortedFunc(maps.Keys(m.entries), cmp.Compare) {
		l := LevelWork{Direction: m.ways[distance], Vertices: n}
		l.Found = math.Floor(math.Min(m.found[distance].at(scale)*n*scaleDown, open))
		l.Examined = math.Max(m.entries[distance].at(scale)*n, l.Found) // each found by an entry
		for _, l := range l.within(frontier, open, maxDegree(scale)) {
			open -= l.Found
			frontier = l.Found
			w.Levels = append(w.Levels, l)
		}
		if frontier < 1 {
			break // the last level finds that there is no more
		}
	}
	return w
}

// within returns a level from a frontier, or several where the frontier cannot have as
// many entries as the level is to examine: searches of larger graphs have more levels
// before their peak than those that were measured. Each finds as many vertices an entry
// as the level itself.
func (l LevelWork) within(frontier, open, degree float64) (all []LevelWork) {
	perEntry := l.Found / math.Max(l.Examined, 1)
	for l.Direction == level.TopDown && l.Examined > frontier*degree && frontier >= 1 {
		part := l
		part.Frontier, part.Unvisited = frontier, open
		part.Examined = frontier * degree
		part.Found = math.Min(math.Round(part.Examined*perEntry), open)
		if part.Found <= frontier {
			break // it would never get there
		}
		all = append(all, part)
		frontier = part.Found
		open -= frontier
		l.Found = math.Max(math.Min(l.Found, open), 0)
	}
	l.Frontier, l.Unvisited = frontier, open
	return append(all, l)
}

// maxDegree is the expected degree of the first vertex of the benchmark's graph, before
// it is shuffled, with 16 edges a vertex: at each of scale decisions it is on the side
// that has 0.76 of the edges, A + B of the specification. No other vertex is expected to
// have a larger one; the largest of a graph may be, by chance.
func maxDegree(scale int) float64 { return 32 * math.Pow(2*0.76, float64(scale)) }

// excess corrects the shares so that they add up to the vertices reached.
func (m *Model) excess(scale int) float64 {
	var sum float64
	for _, t := range m.found {
		sum += t.at(scale)
	}
	if sum == 0 {
		return 1
	}
	return math.Min(m.reached.at(scale), 1) / sum
}

// A point is a share at a scale.
type point struct {
	scale int
	share float64
}

// line fits a trend through points by least squares over logarithms. Shares of
// zero have none and count as half a vertex.
func line(points []point) trend {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := float64(p.scale), math.Log(math.Max(p.share, math.Exp2(-float64(p.scale)-1)))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	b := 0.0
	if d := n*sxx - sx*sx; d != 0 {
		b = min(max((n*sxy-sx*sy)/d, -math.Ln2), 0)
	}
	return trend{(sy - b*sx) / n, b}
}

// samples are the levels of searches as the cost model wants them.
func samples(byScale map[int][]graph500.Search) (all []learn.Sample) {
	for _, scale := range slices.Sorted(maps.Keys(byScale)) {
		for _, s := range byScale[scale] {
			open := s.Vertices
			for _, l := range s.Levels {
				d := directionOf(l.Step)
				f := level.Front{Size: 1 << scale, Vertices: l.Frontier, Unvisited: open}
				f.Work[d] = l.Examined
				if l.Time > 0 {
					all = append(all, learn.Sample{Front: f, Step: level.Step{Name: d.String(), Direction: d}, Time: l.Time})
				}
				open -= l.Found
			}
		}
	}
	return all
}
