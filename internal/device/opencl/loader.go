// Package opencl drives OpenCL 1.2 devices through the system's loader, opened at
// run time.
//
// It offers what package cuda offers: a device, programs compiled from source text,
// buffers, and one queue that keeps the order. Any installed implementation serves, that
// of an integrated GPU or PoCL, which runs kernels on the processor and so lets every
// kernel be tested on machines without a GPU.
package opencl

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gohops/hops/internal/device/dynlib"
)

var entryPoints = []string{
	"clGetPlatformIDs", "clGetDeviceIDs", "clGetDeviceInfo",
	"clCreateContext", "clReleaseContext", "clRetainContext", "clCreateCommandQueue", "clReleaseCommandQueue",
	"clCreateProgramWithSource", "clBuildProgram", "clGetProgramBuildInfo", "clReleaseProgram",
	"clCreateKernel", "clSetKernelArg", "clReleaseKernel", "clEnqueueNDRangeKernel",
	"clCreateBuffer", "clReleaseMemObject", "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueCopyBuffer", "clEnqueueFillBuffer",
	"clEnqueueMapBuffer", "clEnqueueUnmapMemObject",
	"clFinish",
}

// ErrNoLoader is wrapped by all errors on a machine without OpenCL.
var ErrNoLoader = errors.New("no OpenCL")

// loader opens the library once for the process.
var loader = sync.OnceValues(func() (map[string]uintptr, error) {
	calls, err := dynlib.Open("libOpenCL.so.1", entryPoints...)
	if err != nil {
		return nil, fmt.Errorf("opencl: %w: %w", ErrNoLoader, err)
	}
	return calls, nil
})

// An Error is a result code of OpenCL.
type Error struct{ Code int }

func (e *Error) Error() string {
	if name := errorNames[e.Code]; name != "" {
		return fmt.Sprintf("%s (%d)", name, e.Code)
	}
	return fmt.Sprintf("error %d", e.Code)
}

// errorNames names the errors that a user can do something about.
var errorNames = map[int]string{
	-1:    "no device found",
	-2:    "device not available",
	-4:    "allocation of a buffer failed",
	-5:    "out of resources",
	-6:    "out of host memory",
	-11:   "the program does not compile",
	-46:   "no such kernel",
	-52:   "arguments of the kernel missing",
	-54:   "work-group size not possible",
	-61:   "buffer size beyond the device's limit",
	-1001: "no implementation installed",
}

// result is the error of a status, whose code is 32 bits wide.
func result(name string, status uintptr) error {
	if code := int(int32(status)); code != 0 {
		return fmt.Errorf("opencl: %s: %w", name, &Error{Code: code})
	}
	return nil
}
