// Package gpu searches on a GPU, through CUDA or through OpenCL.
//
// Build makes the rows on the device (kernel 1), from edges that it generates
// there where the source is a Graph500 graph and uploads otherwise. Search fills
// the tree (kernel 2). Both drivers run the same kernel bodies, in kernels/: the
// embedded PTX on NVIDIA's driver, the source itself on OpenCL, which PoCL also
// runs on a processor.
//
// Parents are stored on the device in the labels and the order of the source,
// while the search runs: no pass translates them. The times of a Trace are those
// of the device up to this point; the copy to the Tree on the host comes after
// and is seen by whoever holds a wall clock around Search. NewTree returns a tree
// in pinned memory, to which that copy runs at the speed of the bus.
//
// The layers: package cuda and package opencl bind the drivers; device.go is what
// the engine asks of either; launch.go gives every kernel a Go signature; the
// other files are operations on a graph and on a search.
package gpu
