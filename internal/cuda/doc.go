// Package cuda drives NVIDIA GPUs through the CUDA driver, opened at run time.
//
// It binds the part of the driver's interface that one stream of kernels needs: a
// device and its primary context, modules of PTX text that the driver compiles when
// they are loaded, buffers, pinned memory of the host, and one stream. Building needs
// neither the toolkit nor cgo. Without a driver Open returns an error that says
// what is missing.
//
// A Context may be used from any goroutine, one call at a time. The driver keeps the
// current context for each thread, so every call locks its goroutine to a thread and
// makes the context current.
package cuda
