package cpu

import "github.com/gohops/hops/level"

// Options of the engine. The zero value is good.
type Options struct {
	// Threads is the number of workers; 0 means one for every CPU available.
	Threads int
	// Parts is the number of parts that the graph and the workers are divided into;
	// 0 means one for every NUMA node.
	Parts int
	// Direction forces all levels one way: "top-down", "bottom-up" or "split"; ""
	// lets the policy choose.
	Direction string
	// MaxDepth ends searches after so many hops from the root; 0 means no limit.
	MaxDepth int
	// Policy chooses the step of each level, as a learned model of the machine
	// (learn.Model) does; nil is the alpha–beta rule.
	Policy level.Policy
}
