package gpu

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
)

func TestPaths(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		enginetest.RunPaths(t, enginetest.PathEngine{
			Build: func(ctx context.Context, src hops.WeightedSource, wide bool) (enginetest.PathSearcher, error) {
				return NewPaths(ctx, src, Options{Driver: driver}, wide)
			},
		})
	})
}
