package level

import (
	"errors"
	"time"

	"github.com/gohops/hops"
)

var (
	errBroken = errors.New("broken")

	down  = Step{Name: "top-down", Direction: TopDown}
	up    = Step{Name: "bottom-up", Direction: BottomUp}
	split = Step{Name: "split", Direction: Split}

	allSteps = []Step{down, up, split}
)

// A fake machine searches a graph that is known only by the sizes of its levels.
// Steps take the time that cost says, and are counted.
type fake struct {
	sizes []int64 // of the levels after the root
	cost  func(depth int, s Step) time.Duration
	after func(depth int) error // of each level run

	depth, seeds int
	ran          []string // since the last seed
}

func (m *fake) Steps() []Step { return allSteps }

func (m *fake) Seed(hops.Vertex) (Front, error) {
	m.depth, m.ran = 0, nil
	m.seeds++
	return m.front(1), nil
}

func (m *fake) Run(s Step) (Front, error) {
	if m.cost != nil {
		time.Sleep(m.cost(m.depth, s))
	}
	m.ran = append(m.ran, s.Name)
	var err error
	if m.after != nil {
		err = m.after(m.depth)
	}
	var found int64
	if m.depth < len(m.sizes) {
		found = m.sizes[m.depth]
	}
	m.depth++
	f := m.front(found)
	f.Examined, f.Messages, f.Bytes = 10*found, 2*found, 8*found
	return f, err
}

func (m *fake) front(vertices int64) Front {
	f := Front{Vertices: vertices, Edges: 4 * vertices, Size: 1000}
	for _, n := range m.sizes[min(m.depth, len(m.sizes)):] {
		f.Unvisited += n
	}
	f.Remaining = 4 * f.Unvisited
	f.Work = [Directions]int64{f.Edges, f.Remaining, f.Remaining}
	return f
}
