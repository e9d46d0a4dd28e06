package main

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/human"
)

// A workload is what the choice of an engine for a question depends on.
type workload struct {
	vertices  hops.Vertex
	edges     int64
	directed  bool
	searches  int64 // of the whole graph
	processes int   // that a launcher started together
}

// gpuWork is how many edges all searches together must have for a GPU to be faster. The
// start of the driver takes 0.3 to 0.6 s, and the graph goes over the bus and is built
// again there, at some 6 ns an edge; sixteen cores search some 25 edges a nanosecond one
// search at a time, and several times as many with 64 roots at once. So one search of a
// graph that the host has in memory is never worth it, whatever its size.
const gpuWork = 1 << 36

// choose picks the engine that answers a question soonest, and says why. probe describes
// the GPU; it is called only where a GPU could pay, because the driver takes long to start.
func choose(w workload, probe func() (name string, free int64, err error)) (engine, why string) {
	size := fmt.Sprintf("%d × %s to search", w.searches, human.With(float64(w.edges), "edges"))
	switch {
	case w.processes > 1:
		return "cluster", fmt.Sprintf("cluster: the launcher started %d processes", w.processes)
	case float64(w.searches)*float64(w.edges) < gpuWork:
		return "cpu", fmt.Sprintf("cpu: %s; a GPU pays from %s on", size, human.Count(gpuWork))
	case w.directed:
		return "cpu", fmt.Sprintf("cpu: %s, directed", size)
	}
	name, free, err := probe()
	if err != nil {
		return "cpu", fmt.Sprintf("cpu: %s; %v", size, err)
	}
	if need := gpu.Need(w.vertices, w.edges); need > free {
		return "cpu", fmt.Sprintf("cpu: %s; %s has %s free of %s needed", size, name, human.Bytes(free), human.Bytes(need))
	}
	return "gpu", fmt.Sprintf("gpu: %s; %s, %s free", size, name, human.Bytes(free))
}

// probeGPU looks for a GPU of CUDA. A device of OpenCL may be the processor itself, and
// is used where it is asked for.
func probeGPU() (name string, free int64, err error) { return gpu.Probe(gpu.Options{Driver: "cuda"}) }
