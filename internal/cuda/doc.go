// Package cuda drives NVIDIA GPUs through the CUDA driver, opened at run time.
//
// It binds the part of the driver's interface that one stream of kernels needs:
// a device and its primary context, modules of PTX text that the driver compiles
// when they are loaded, buffers, pinned host memory, one stream, and events. No
// toolkit and no cgo are needed to build; without a driver Open returns an error
// that says what is missing.
//
// A Context may be used from any goroutine, one call at a time: the driver ties
// the current context to a thread, so every call locks its goroutine to one and
// makes the context current.
package cuda
