package examples

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/leveltest"
	"github.com/gohops/hops/level"
)

func TestFakeMachine(t *testing.T) {
	m := &leveltest.Fake{Sizes: []int64{2}}
	var trace hops.Trace
	if err := level.Search(t.Context(), m, level.Fixed{Direction: level.BottomUp}, 0, &trace); err != nil || trace.Found() != 2 {
		t.Errorf("found %d: %v", trace.Found(), err)
	}
}
