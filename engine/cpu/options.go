package cpu

import "github.com/gohops/hops/level"

// Options of the engine. The zero value is good.
type Options struct {
	// Threads is the number of workers; 0 is one for every CPU available.
	Threads int
	// Parts is into how many parts the graph is divided, each with its share of
	// the workers; 0 is one for every NUMA node.
	Parts int
	// Direction forces all levels one way: "top-down" or "bottom-up"; "" lets
	// the policy choose.
	Direction string
	// MaxDepth ends searches after so many hops from the root; 0 is never.
	MaxDepth int
	// Model is what the steps cost on this machine, where that is known; nil
	// leaves the choice to the alpha–beta rule.
	Model level.Model
}
