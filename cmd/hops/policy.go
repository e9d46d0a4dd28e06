package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/calibration"
	"github.com/gohops/hops/internal/topo"
)

// A policyName is what an engine string says about the policy. The empty one
// stands for a calibration if there is one that fits, alpha–beta otherwise.
type policyName string

const (
	alphaBeta  policyName = "alpha-beta"
	calibrated policyName = "calibrated"
)

// calibratedEngine is the engine that is calibrated.
const calibratedEngine = "cpu"

// settle gives the engine the calibrated model if that is what the name means
// and there is one, and makes the name say what the engine will do: a result
// tells by it how it was made. The words are for the user.
func (p *policyName) settle(o *cpu.Options) (words string) {
	if o.Direction != "" || *p == alphaBeta {
		return ""
	}
	c, err := loadCalibration(o.Threads)
	switch {
	case err == nil:
		*p, o.Model = calibrated, c.Steps
		return "calibrated on " + c.Learned.Format("2 January 2006")
	case errors.Is(err, calibration.ErrNone):
		*p = ""
		return "alpha–beta (hops calibrate learns this machine)"
	}
	*p = ""
	return fmt.Sprintf("alpha–beta (%v)", err)
}

func loadCalibration(threads int) (*calibration.Calibration, error) {
	dir, err := calibration.Dir()
	if err != nil {
		return nil, err
	}
	return calibration.Load(dir, calibratedEngine, thisMachine(threads), cpu.Steps())
}

// thisMachine is the host with as many threads as the engine takes.
func thisMachine(threads int) calibration.Machine {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return calibration.On(topo.Here(), threads)
}
