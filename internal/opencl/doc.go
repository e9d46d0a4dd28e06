// Package opencl drives OpenCL 1.2 devices through the system's loader, opened at
// run time.
//
// It offers what package cuda offers: a device, programs compiled from source text,
// buffers, and one queue that keeps the order. Any installed implementation serves, that
// of an integrated GPU or PoCL, which runs kernels on the processor and so lets every
// kernel be tested on machines without a GPU.
package opencl
