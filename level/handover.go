package level

import "github.com/gohops/hops"

// A State is a search between two levels on its way to another machine that holds the same graph in
// a memory of its own, in the memory of the host. A machine hands over what the receiver does not
// know yet, in the smaller of two forms:
//
//   - a list of the vertices that were found since the receiver last had the
//     search, in the order of their levels, each with its parent. The frontier is
//     the end of the list. This form is for the small levels at the start of a
//     search and along a path;
//   - the bitmap of all visited vertices, and the frontier as far as the next step
//     has a use for it: top-down wants a list, and bottom-up nothing more where a
//     machine looks for visited neighbours.
//
// Parents found in large numbers stay where they were found.
type State struct {
	Root  hops.Vertex
	Front Front

	// Fresh says that no level has been run yet: the receiver seeds itself.
	Fresh bool
	// Found and Parents are the list form, where they are not nil.
	Found, Parents []uint32
	// Visited is the bitmap form, isolated vertices included. It is there if there is
	// no list, and if both machines work on the same bitmap.
	Visited []uint64
	// Queue is the frontier of the bitmap form, or nil if Before is the bitmap as it
	// was before the last level. Both are nil if the next step needs neither.
	Queue  []uint32
	Before []uint64

	Bytes int64 // that crossed a bus
}

// SharedMemory is memory of a device in which the host may search too. Each tree that a device is
// bound to may change it.
type SharedMemory struct {
	Visited []uint64
	Parents bool // the tree that was bound is the device's own array of parents
}
