package examples

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// An engine of another module passes the suite that those of hops pass.
func TestOwnEngine(t *testing.T) {
	enginetest.Run(t, enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			return buildSerial(ctx, src)
		},
		Steps:    []string{"top-down"},
		Directed: true,
		MaxScale: 10,
		MaxPath:  1000,
	})
}
