package projection

import (
	"context"
	"fmt"

	"github.com/gohops/hops/graph500"
)

// Measure runs the benchmark at every scale, with so many validated searches each,
// and returns them.
func Measure(ctx context.Context, engine graph500.Engine, scales []int, roots int, done func(n int)) ([]Observation, error) {
	var all []Observation
	for i, scale := range scales {
		res, err := graph500.Run(ctx, graph500.Config{Scale: scale, Roots: roots}, engine, nil)
		if err != nil {
			return nil, fmt.Errorf("projection: scale %d: %w", scale, err)
		}
		for _, s := range res.Searches {
			all = append(all, Observation{scale, s})
		}
		done(i + 1)
	}
	return all, nil
}
