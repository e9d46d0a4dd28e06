package gpu

import (
	"errors"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/level"
)

// Options say how to search. The zero value is good. Options that have no effect beside
// others are refused.
type Options struct {
	Driver string // "cuda", "opencl", or "" for the first of these that works
	Device int    // number of the device within the driver

	// Stepped is the policy of a host that drives the levels, with one launch or more
	// for each. nil: one launch runs all levels.
	Stepped level.Policy

	// A search goes top-down while Alpha times the edges of the frontier are at most
	// those of the unvisited vertices, and again once Beta times the frontier is less
	// than the unvisited vertices. Once Dense times the unvisited vertices are at most
	// all vertices, bottom-up goes over their list. 0 stands for the defaults.
	Alpha, Beta, Dense int

	// Hot keeps the bits of the hubs in the local memory of each multiprocessor (Zhang's
	// BGC); otherwise they are left to its cache (BG).
	Hot bool

	// Map says how the bottom-up passes of a host that drives the levels note what they
	// find, with a thread for each vertex: Words, Bits or Bytes. "" is the faster pass in
	// which a warp looks for many vertices.
	Map string

	// Blocks and Threads are the grid of a search: 0 is as many blocks of 1024 threads
	// as are resident at once.
	Blocks, Threads int

	// MaxAlloc bounds one allocation, in bytes, below the device's own bound; 0 does not.
	// It is for OpenCL: the kernels of CUDA read rows from one buffer.
	MaxAlloc int64

	defines string // for the OpenCL compiler
	weights bool   // only the kernels of Paths are needed
}

// The defaults are the fastest of those that were tried on an H200.
const (
	defaultAlpha = 25
	// From hugeVertices on the bitmap is larger than the L2 and each lookup costs more.
	// hugeAlpha starts bottom-up earlier, in a level that makes fewer lookups.
	hugeAlpha    = 50
	hugeVertices = 1 << 27
	defaultBeta  = 24
	defaultDense = 16
)

// Policy is the rule of the fused search with these options, for a host that drives the
// levels.
func Policy(o Options) level.Policy {
	o.setDefaults(0)
	return level.AlphaBeta{Alpha: int64(o.Alpha), Beta: int64(o.Beta)}
}

// setDefaults fills in the defaults for a graph of n vertices.
func (o *Options) setDefaults(n hops.Vertex) {
	if o.Alpha == 0 && n >= hugeVertices {
		o.Alpha = hugeAlpha
	}
	if o.Alpha == 0 {
		o.Alpha = defaultAlpha
	}
	if o.Beta == 0 {
		o.Beta = defaultBeta
	}
	if o.Dense == 0 {
		o.Dense = defaultDense
	}
	if o.Threads == 0 {
		o.Threads = 1024
	}
}

// An exclusion is a combination of options in which some have no effect.
type exclusion struct {
	holds bool
	text  string
}

func firstOf(all ...exclusion) error {
	for _, e := range all {
		if e.holds {
			return spec.Refuse(errors.New("gpu: " + e.text))
		}
	}
	return nil
}

// check refuses options that have no effect beside others.
func (o *Options) check() error {
	rule, stepped := o.Alpha != 0 || o.Beta != 0, o.Stepped != nil
	if err := checkMap(o.Map); err != nil {
		return err
	}
	return firstOf(
		exclusion{o.Hot && stepped, "hot excludes stepped: the policy of a stepped search picks bottom-up-hot by name"},
		exclusion{rule && stepped, "alpha and beta exclude stepped: the policy of a stepped search decides"},
		exclusion{o.Dense != 0 && stepped, "dense excludes stepped: the policy of a stepped search picks bottom-up-leftover by name"},
		exclusion{o.Map != "" && !stepped, "map needs stepped: one launch for all levels has no passes by vertex"},
		exclusion{o.MaxAlloc != 0 && o.Driver != "opencl", "a bound on allocations needs driver opencl: the kernels of CUDA read rows from one buffer"},
	)
}

// checkPortable also refuses what a search that moves between devices cannot have.
func (o *Options) checkPortable() error {
	if o.Stepped != nil {
		return errors.New("gpu: a search that moves between devices excludes stepped")
	}
	alone := *o
	alone.Map = "" // a search that moves is one that the host drives
	return errors.Join(alone.check(), checkMap(o.Map))
}
