package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// shy goes bottom-up only while the frontier is large.
type shy struct{}

func (shy) Next(f level.Front, steps []level.Step) level.Step {
	if f.Vertices > 100 {
		return level.First(steps, level.BottomUp)
	}
	return level.First(steps, level.TopDown)
}

// sized is a machine whose graph is known by the sizes of its levels alone.
type sized struct {
	sizes []int64
	depth int
}

func (m *sized) Steps() []level.Step {
	return []level.Step{{Name: "top-down", Direction: level.TopDown}, {Name: "bottom-up", Direction: level.BottomUp}}
}

func (m *sized) Seed(hops.Vertex) (level.Front, error) { return level.Front{Vertices: 1}, nil }

func (m *sized) Run(level.Step) (f level.Front, done level.Outcome, err error) {
	if m.depth < len(m.sizes) {
		f.Vertices = m.sizes[m.depth]
	}
	m.depth++
	return f, done, nil
}

// A policy of another module drives a search on a machine of another module.
func Example_level() {
	var trace hops.Trace
	if err := level.Search(context.Background(), &sized{sizes: []int64{10, 1000, 3}}, shy{}, 0, &trace); err != nil {
		fmt.Println(err)
	}
	for _, l := range trace.Levels {
		fmt.Println(l.Frontier, l.Step)
	}
	// Output:
	// 1 top-down
	// 10 top-down
	// 1000 bottom-up
	// 3 top-down
}
