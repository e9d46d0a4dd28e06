// Package gpu searches on a GPU, through CUDA or through OpenCL.
//
// Build makes the rows on the device (kernel 1). It generates the edges there if the
// source is a Graph500 graph, and uploads them otherwise; of a finished graph it takes the
// rows as they are. Search fills the tree
// (kernel 2). Both drivers run the same kernels, in kernels/: CUDA the embedded PTX,
// OpenCL the source itself. PoCL is an OpenCL that runs on a processor.
//
// The search stores parents on the device in the labels and the order of the source, so
// that no later pass translates them. The times of a Trace end when all parents are
// complete in device memory. Search then copies them to the Tree on the host, which only
// a clock around Search measures. NewTree returns a tree in pinned memory, to which the
// copy runs at the speed of the bus. SearchOnDevice leaves the copy out, and
// VerifyOnDevice checks the tree where it is.
//
// The layers, from below: package cuda and package opencl bind the drivers. device.go is
// what the engine asks of either driver. launch.go, launch_build.go and launch_search.go
// give every kernel a Go function. The other files are operations on a graph (graph.go,
// finished.go, edgeloader.go, verify.go) and on a search: fused.go runs all levels in one launch,
// stepped.go one level at a time, portable.go a search that moves
// between devices. block.go explores a block of a matrix for the ranks
// of a grid.
package gpu
