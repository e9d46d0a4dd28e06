package grid

import (
	"testing"

	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/papers/twin"
)

// Ranks on a machine that is modelled pass the suite like any others.
func TestTwin(t *testing.T) {
	e := engine(Options{Twin: twin.Setup{Machine: "romeo", Nodes: 2}}, topDown.Name, bottomUp.Name)
	e.Variant = true
	enginetest.Run(t, e)
}
