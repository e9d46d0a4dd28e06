// Package leveltest has a machine for tests of what drives machines: the loop,
// policies and explorations.
package leveltest

import (
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// The steps of a Fake.
var (
	Down  = level.Step{Name: "top-down", Direction: level.TopDown}
	Up    = level.Step{Name: "bottom-up", Direction: level.BottomUp}
	Split = level.Step{Name: "split", Direction: level.Split}

	Steps = []level.Step{Down, Up, Split}
)

// A Fake machine searches a graph that is known only by the sizes of its levels.
// Steps take the time that Cost says, and are counted.
type Fake struct {
	Sizes []int64 // of the levels after the root
	Cost  func(depth int, s level.Step) time.Duration
	After func(depth int) error // is asked for the error of each level run

	Depth, Seeds int
	Ran          []string // since the last seed
}

// Steps implements level.Machine.
func (m *Fake) Steps() []level.Step { return Steps }

// Seed implements level.Machine.
func (m *Fake) Seed(hops.Vertex) (level.Front, error) {
	m.Depth, m.Ran = 0, nil
	m.Seeds++
	return m.front(1), nil
}

// Run implements level.Machine.
func (m *Fake) Run(s level.Step) (level.Front, level.Outcome, error) {
	if m.Cost != nil {
		time.Sleep(m.Cost(m.Depth, s))
	}
	m.Ran = append(m.Ran, s.Name)
	var err error
	if m.After != nil {
		err = m.After(m.Depth)
	}
	var found int64
	if m.Depth < len(m.Sizes) {
		found = m.Sizes[m.Depth]
	}
	m.Depth++
	return m.front(found), level.Outcome{Examined: 10 * found, Messages: 2 * found, Bytes: 8 * found}, err
}

func (m *Fake) front(vertices int64) level.Front {
	f := level.Front{Vertices: vertices, Edges: 4 * vertices, Size: 1000}
	for _, n := range m.Sizes[min(m.Depth, len(m.Sizes)):] {
		f.Unvisited += n
	}
	f.Remaining = 4 * f.Unvisited
	f.Work = [level.Directions]int64{f.Edges, f.Remaining, f.Remaining}
	return f
}
