package examples

import (
	"fmt"
	"time"

	"github.com/gohops/hops/internal/base/learn"
)

// The regret of a search is what better steps would have saved.
func Example_learn() {
	levels := []learn.Exploration{
		{Chosen: 0, Times: []time.Duration{2, 5}},
		{Chosen: 0, Times: []time.Duration{6, 2}},
	}
	fmt.Println(learn.Regret(levels))
	// Output: 1
}
