package level_test

import (
	"testing"

	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/level"
	"github.com/gohops/hops/level/leveltest"
)

func TestPoliciesKeepNoState(t *testing.T) {
	for _, p := range []level.Policy{
		level.RuleOfThumb, level.Fixed{Direction: level.BottomUp}, level.Plan{"top-down", "split", "bottom-up"}, level.Plan{},
	} {
		enginetest.CheckPolicy(t, p, leveltest.Steps)
	}
}
