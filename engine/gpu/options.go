package gpu

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// Options say how to search. The zero value is good.
type Options struct {
	Driver string // "cuda", "opencl", or "" for the first of these that works
	Device int    // number of the device within the driver

	// Devices is how many devices share the graph, from Device on: a part each. 0 is
	// one, AllDevices is all that there are. Parts cuts the graph into more parts
	// than that, which share the devices; 0 is one for each.
	Devices, Parts int

	// Exchange is how the parts of a graph unite their bitmaps: "nccl", "copies", or ""
	// for NCCL where it is there and every part has a device of its own.
	Exchange string

	// Stepped lets the host drive the levels, one launch or more for each, by
	// this policy; otherwise one launch runs them all. It is for comparing the
	// steps and for machines that mix devices.
	Stepped level.Policy

	// The fused search goes top-down while Alpha times the frontier's edges are
	// at most the unvisited's, and again once Beta times the frontier is less
	// than the unvisited. Bottom-up it looks at the listed rest only, once Dense
	// times the unvisited are at most all. 0 stands for the defaults.
	Alpha, Beta, Dense int

	// Hot keeps the bits of the heaviest vertices in the memory of each
	// multiprocessor (Zhang's BGC); otherwise they are left to its cache (BG).
	Hot bool

	// Blocks and Threads are the grid of a search: 0 is all that is resident of
	// blocks of 1024.
	Blocks, Threads int

	// MaxAlloc bounds one allocation below what the device says; 0 does not.
	MaxAlloc int64

	// DeviceTree leaves the parents on the device: Search fills no tree on the
	// host. Verify and Parents read them there.
	DeviceTree bool

	defines string // for the OpenCL compiler
	blocks  bool   // only the kernels of Block are needed
}

// AllDevices stands for as many devices as there are.
const AllDevices = -1

// The defaults were chosen on an H200; docs/design/gpu.md has the measurements.
const (
	defaultAlpha = 25
	hugeAlpha    = 50 // where probes of the bitmap leave the L2, which the first bottom-up level makes few of
	hugeVertices = 1 << 27
	defaultBeta  = 24
	defaultDense = 16
)

// Policy is that of the fused search with these options, for a host that drives the levels.
func Policy(o Options) level.Policy {
	o.setDefaults(0)
	return level.AlphaBeta{Alpha: int64(o.Alpha), Beta: int64(o.Beta)}
}

// policy is that of searches which the host drives.
func (o *Options) policy() level.Policy {
	if o.Stepped != nil {
		return o.Stepped
	}
	return Policy(*o)
}

// setDefaults is for a graph of n vertices.
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
