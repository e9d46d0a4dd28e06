package main

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/base/human"
)

// A workload is what the choice of an engine for a question depends on.
type workload struct {
	vertices  hops.Vertex
	edges     int64
	directed  bool
	searches  int64 // of the whole graph
	processes int   // that a launcher started together
}

// Times of searches, in nanoseconds, as measured on sixteen cores and an H200 beside them
// (docs/results/h200.md#questions). A GPU searches from 64 roots at once, and so do the
// cores where there are minShared roots. The rows of a graph that is in the host's memory
// must be copied to the GPU, so that a GPU pays for some sixty searches, never for one.
const (
	coreNanos   = 0.75  // of one core, for an edge and a search
	sharedNanos = 0.2   // of one core, for an edge and a search that shares the rows with others
	gpuNanos    = 0.001 // for an edge and a search that shares the rows with others
	copyNanos   = 1.2   // for an edge, to copy it
	startNanos  = 4e8   // to start the driver
	// sharedStart is how many searches the cores could make while they copy the rows to
	// share them.
	sharedStart = 250
)

// costs estimates the nanoseconds that the searches take on so many cores, and on a GPU.
func (w workload) costs(cores int) (cpu, gpu float64) {
	edges, searches := float64(w.edges), float64(w.searches)
	cpu = searches * coreNanos
	if w.searches >= minShared {
		cpu = sharedStart*coreNanos + searches*sharedNanos
	}
	return edges * cpu / float64(cores), startNanos + edges*(copyNanos+searches*gpuNanos)
}

// choose picks the engine that answers a question soonest, and says why. probe describes
// the GPU; it is called only where a GPU could pay, because the driver takes long to start.
func choose(w workload, cores int, probe func() (name string, free int64, err error)) (engine, why string) {
	size := fmt.Sprintf("%d × %s to search", w.searches, human.With(float64(w.edges), "edges"))
	onCPU, onGPU := w.costs(cores)
	switch {
	case w.processes > 1:
		return "cluster", fmt.Sprintf("cluster: the launcher started %d processes", w.processes)
	case onCPU < onGPU:
		return "cpu", fmt.Sprintf("cpu: %s; a GPU would take longer to get the graph", size)
	}
	name, free, err := probe()
	if err != nil {
		return "cpu", fmt.Sprintf("cpu: %s; %v", size, err)
	}
	if need := gpu.Need(w.vertices, w.edges, w.directed); need > free {
		return "cpu", fmt.Sprintf("cpu: %s; %s has %s free of %s needed", size, name, human.Bytes(free), human.Bytes(need))
	}
	return "gpu", fmt.Sprintf("gpu: %s; %s, %s free", size, name, human.Bytes(free))
}

// probeGPU looks for a GPU of CUDA. A device of OpenCL may be the processor itself, and
// is used where it is asked for.
func probeGPU() (name string, free int64, err error) { return gpu.Probe(gpu.Options{Driver: "cuda"}) }
