package gpu

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/level"
)

// Distances do not depend on the directions of buckets.
func TestPaths(t *testing.T) {
	policies := map[string]level.Policy{
		"least work": leastWork{}, "top-down": level.Fixed{Direction: level.TopDown}, "bottom-up": level.Fixed{Direction: level.BottomUp},
	}
	eachDriver(t, func(t *testing.T, driver string) {
		for name, policy := range policies {
			t.Run(name, func(t *testing.T) {
				enginetest.RunPaths(t, enginetest.PathEngine{
					Build: func(ctx context.Context, src hops.WeightedSource, wide bool) (enginetest.PathSearcher, error) {
						s, err := NewPaths(ctx, src, Options{Driver: driver}, wide)
						if err == nil {
							s.policy = policy
						}
						return s, err
					},
				})
			})
		}
	})
}
