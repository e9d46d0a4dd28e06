package cpu

// Options of the engine. The zero value is good.
type Options struct {
	// Threads is the number of workers; 0 is one for every CPU available.
	Threads int
	// Direction forces all levels one way: "top-down" or "bottom-up"; "" lets
	// the policy choose.
	Direction string
}
