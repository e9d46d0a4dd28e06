package main

import (
	"errors"
	"fmt"

	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// A policyName is what an engine string says about the policy. The empty one
// stands for a calibration if there is one that fits, alpha–beta otherwise.
type policyName string

const (
	alphaBeta  policyName = "alpha-beta"
	calibrated policyName = "calibrated"
	zhang      policyName = "zhang" // one speed per step: see learn.Speeds
)

// calibratedEngine is the engine that is calibrated.
const calibratedEngine = "cpu"

// resolve gives the engine the calibrated model if that is what the name means and there is
// one, and makes the name say what the engine will do: a result tells by it how it was made.
// The words are for the user. It is an error if the name asks for a calibration and there is
// none that fits.
func (p *policyName) resolve(o *cpu.Options) (words string, err error) {
	if o.Direction != "" || *p == alphaBeta {
		return "", nil
	}
	if *p == zhang {
		speeds, err := loadSpeeds(calibratedEngine, o.Threads, "", cpu.Steps())
		if err != nil {
			return "", fmt.Errorf("policy=%s: %w; hops calibrate learns this machine", zhang, err)
		}
		o.Policy = speeds
		return "", nil
	}
	c, err := loadCalibration(o.Threads)
	switch {
	case err == nil:
		*p, o.Policy = calibrated, c.Steps
		return "calibrated on " + c.Learned.Format("2 January 2006"), nil
	case *p == calibrated:
		return "", fmt.Errorf("policy=calibrated: %w (hops calibrate learns this machine)", err)
	case errors.Is(err, learn.ErrNone):
		return "alpha–beta (hops calibrate learns this machine)", nil
	}
	return fmt.Sprintf("alpha–beta (%v)", err), nil
}

func loadCalibration(threads int) (*learn.Calibration, error) {
	dir, err := learn.Dir()
	if err != nil {
		return nil, err
	}
	return learn.Load(dir, calibratedEngine, learn.Here(threads), cpu.Steps())
}

// loadSpeeds returns the speeds of the steps of an engine, with the device of that name
// if it has one.
func loadSpeeds(engine string, threads int, device string, steps []level.Step) (*learn.Speeds, error) {
	dir, err := learn.Dir()
	if err != nil {
		return nil, err
	}
	here := learn.Here(threads)
	here.Device = device
	return learn.LoadSpeeds(dir, engine, here, steps)
}
