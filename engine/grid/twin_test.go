package grid

import (
	"testing"

	"github.com/gohops/hops/internal/testing/enginetest"
)

// Ranks on a machine that is modelled pass the suite like any others.
func TestTwin(t *testing.T) {
	e := engine(Options{Twin: Twin{Machine: "romeo", Nodes: 2}}, topDown.Name, bottomUp.Name)
	e.Variant = true
	enginetest.Run(t, e)
}
