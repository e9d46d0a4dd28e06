// Package opencl drives OpenCL 1.2 devices through the system's loader, opened at
// run time.
//
// It is the sibling of package cuda and has the same shape: a device, programs
// compiled from source text, buffers, one queue in order. Any installed
// implementation serves: those of integrated GPUs, and PoCL, which runs kernels
// on the processor and so lets every kernel be tested where there is no GPU.
package opencl
