package gpu

import (
	"testing"

	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// The machine keeps the contract of level.Machine: the steps that the host drives. Bottom-up, the edges of a frontier are estimated.
func TestMachineContract(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		for name, src := range enginetest.MachineSources(t) {
			if testing.Short() && name != "kronecker" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				s, err := Build(t.Context(), src, Options{Driver: driver, Stepped: level.Fixed{}})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				enginetest.CheckMachine(t, s.machine, src, nil, false)
			})
		}
	})
}
