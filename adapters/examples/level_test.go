package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/leveltest"
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

// A policy of another module drives a search.
func Example_level() {
	var trace hops.Trace
	m := &leveltest.Fake{Sizes: []int64{10, 1000, 3}}
	if err := level.Search(context.Background(), m, shy{}, 0, &trace); err != nil {
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
