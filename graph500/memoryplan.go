package graph500

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/human"
)

// keepBelow is the share of the available memory that a run may take with the edge
// list in memory. The rest is for Go, for the page cache and for other processes.
// Regenerating edges costs time, but swapping would cost the run.
const keepBelow = 0.9

const (
	// program is the memory in bytes of a process without a graph: 24 MiB were measured.
	program = 32 << 20
	// library is what an MPI library adds to it, in bytes: its code and tables, and the
	// buffers of messages under way. MPI_Init adds 9 MiB to the resident memory of a rank
	// under Open MPI 4.1.4 and 15 MiB under MPICH 4.0.2, whether there are one, three or
	// eight ranks on the host (measured on two cores); the rest is for the buffers, whose
	// size depends on the network and was not measured.
	library = 48 << 20
)

// A MemoryPlan is the memory that a run will use, in bytes, computed before anything
// is allocated.
type MemoryPlan struct {
	Program    int64 `json:"program,omitempty"`   // the program and its libraries
	Tree       int64 `json:"tree"`                // the parents
	Check      int64 `json:"check"`               // validation and root sampling
	Graph      int64 `json:"graph"`               // the engine, at its peak
	Needed     int64 `json:"needed"`              // the sum of these, or less where the graph shrinks before there is a tree
	Tuples     int64 `json:"tuples"`              // the packed edge list
	KeepTuples bool  `json:"keep_tuples"`         // it stays in memory; else edges are generated whenever they are read
	Lean       bool  `json:"lean,omitempty"`      // the engine runs in its lean form, because it would not fit otherwise
	Available  int64 `json:"available,omitempty"` // within the cgroup; 0: unknown
}

// PlanMemory returns the memory plan of a run in one process. It fails if the run needs
// more than is available, in bytes; 0 is unknown.
func PlanMemory(cfg Config, e Engine, available int64) (MemoryPlan, error) {
	return planMemory(cfg.withDefaults(), e, available, 1, 1)
}

// planMemory returns the memory plan of one of several ranks, of which so many
// neighbours, this rank included, share the memory of a host. It fails if the run
// does not fit, not even with the lean form of the engine.
func planMemory(cfg Config, e Engine, available int64, ranks, neighbours int) (MemoryPlan, error) {
	p, err := planForm(cfg, e, available, ranks, neighbours)
	if err == nil || e.Lean == nil {
		return p, err
	}
	lean, err := planForm(cfg, *e.Lean, available, ranks, neighbours)
	lean.Lean = true
	return lean, err
}

// planForm is planMemory for one form of an engine.
func planForm(cfg Config, e Engine, available int64, ranks, neighbours int) (MemoryPlan, error) {
	n, m := cfg.Vertices(), cfg.Edges()
	p := MemoryPlan{
		Program:   program,
		Tree:      treeSize(n) / int64(ranks),
		Check:     check.Need(n),
		Tuples:    edge.PackedMemory(n, m) / int64(ranks),
		Available: available / int64(neighbours),
	}
	if e.Ranks != nil {
		p.Program += library
	}
	if ranks > 1 {
		p.Check = check.NeedPart(n/hops.Vertex(ranks)+1, ranks)
	}
	need := e.Need
	if cfg.Runs(KernelSSSP) {
		p.Tree += int64(n) * 4 / int64(ranks) // distances
		p.Tuples += m * edge.PackedWeightSize / int64(ranks)
		need = e.Weighted.Need
	}
	if need != nil {
		p.Graph = need(n, m) / int64(ranks)
	}
	finished := p.Graph
	if e.NeedFinished != nil && !cfg.Runs(KernelSSSP) {
		finished = e.NeedFinished(n, m) / int64(ranks)
	}
	if e.TreeOnDevice {
		p.Tree *= 2 // those that the host validates too
	}
	p.Needed = p.Program + max(p.Graph, finished+p.Tree+p.Check)
	reread := !e.TreeOnDevice || cfg.HostValidation // for every tree
	p.KeepTuples = reread && (available == 0 || float64(p.Needed+p.Tuples) <= keepBelow*float64(p.Available))
	if available > 0 && p.Needed > p.Available {
		return p, fmt.Errorf("graph500: scale %d needs %s of memory, but only %s is available",
			cfg.Scale, human.Bytes(p.Needed*int64(neighbours)), human.Bytes(available))
	}
	return p, nil
}

// plan returns the memory plan of all ranks together. They keep the edge list if all
// of them can, and it is an error if one of them cannot run.
func (b *bench) plan(available int64) (MemoryPlan, error) {
	p, err := planMemory(b.cfg, b.engine, available, b.comm.Size(), b.neighbours())
	if err != nil && b.comm.Size() > 1 {
		err = fmt.Errorf("rank %d and those on its host: %w", b.comm.Rank(), err)
	}
	if p.Lean {
		b.engine = *b.engine.Lean
	}
	if err == nil && b.engine.Ready != nil {
		err = b.engine.Ready(b.cfg.Vertices(), b.cfg.Edges(), false)
	}
	if err != nil {
		return p, err
	}
	cannot := []uint64{0}
	if !p.KeepTuples {
		cannot[0] = 1
	}
	if err := b.comm.Max(cannot); err != nil {
		return p, err
	}
	p.KeepTuples = cannot[0] == 0
	return p, b.total(&p.Program, &p.Tree, &p.Check, &p.Graph, &p.Needed, &p.Tuples, &p.Available)
}

// String says how much memory the run takes, and whether it keeps the edge list.
func (p MemoryPlan) String() string {
	has := "of unknown memory"
	if p.Available > 0 {
		has = "of " + human.Bytes(p.Available) + " available"
	}
	if p.Lean {
		has += ", with rows alone: searches are slower"
	}
	if p.KeepTuples {
		return fmt.Sprintf("%s %s; edge list kept packed in memory (%s of it)",
			human.Bytes(p.Needed+p.Tuples), has, human.Bytes(p.Tuples))
	}
	return fmt.Sprintf("%s %s; edges generated anew whenever they are read (a list would take another %s)",
		human.Bytes(p.Needed), has, human.Bytes(p.Tuples))
}

func treeSize(n hops.Vertex) int64 {
	if n <= hops.NarrowLimit {
		return int64(n) * 4
	}
	return int64(n) * int64(len(hops.WideParent{}))
}
