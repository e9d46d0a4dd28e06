package opencl

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

var entryPoints = []string{
	"clGetPlatformIDs", "clGetDeviceIDs", "clGetDeviceInfo",
	"clCreateContext", "clReleaseContext", "clCreateCommandQueue", "clReleaseCommandQueue",
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
	lib, err := purego.Dlopen("libOpenCL.so.1", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("opencl: %w: libOpenCL.so.1 cannot be opened: %v", ErrNoLoader, err)
	}
	calls := make(map[string]uintptr, len(entryPoints))
	for _, name := range entryPoints {
		if calls[name], err = purego.Dlsym(lib, name); err != nil {
			return nil, fmt.Errorf("opencl: %w: libOpenCL.so.1 lacks %s", ErrNoLoader, name)
		}
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

// sink makes the arguments of address escape to the heap. A stack may move during a
// call, and the library would write to the old place.
var sink atomic.Pointer[byte]

// address is the address of an object. The caller holds the object in a variable until
// the call has returned.
func address[T any](p *T) uintptr {
	sink.Store((*byte)(unsafe.Pointer(p)))
	return uintptr(unsafe.Pointer(p))
}
