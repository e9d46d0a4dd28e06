package examples

import (
	"fmt"

	"github.com/gohops/hops/stats"
)

func Example_stats() {
	s := stats.Summarize([]float64{4, 1, 3, 2})
	fmt.Println(s.Min, s.Median, s.Max, s.Mean)
	// Output: 1 2.5 4 2.5
}
