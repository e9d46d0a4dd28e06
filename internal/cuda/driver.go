package cuda

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Entry points with the suffix _v2 replace those of the first release, whose plain names
// keep a 32-bit interface.
var entryPoints = []string{
	"cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString",
	"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent",
	"cuDeviceCanAccessPeer", "cuCtxEnablePeerAccess",
	"cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostAlloc", "cuMemFreeHost",
	"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemcpyPeerAsync", "cuMemsetD8Async",
	"cuModuleLoadData", "cuModuleUnload", "cuModuleGetFunction",
	"cuFuncSetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuLaunchKernel", "cuLaunchCooperativeKernel",
	"cuStreamCreate", "cuStreamSynchronize", "cuStreamDestroy_v2",
	"cuEventCreate", "cuEventRecord", "cuEventElapsedTime", "cuEventDestroy_v2",
}

// ErrNoDriver is wrapped by all errors on a machine without a usable driver.
var ErrNoDriver = errors.New("no CUDA driver")

// minimumDriver is the oldest driver version that loads PTX 7.8, that of CUDA 11.8.
const minimumDriver = 11080

// driver opens the library once for the process.
var driver = sync.OnceValues(func() (map[string]uintptr, error) {
	lib, err := purego.Dlopen("libcuda.so.1", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("cuda: %w: libcuda.so.1 cannot be opened: %v", ErrNoDriver, err)
	}
	calls := make(map[string]uintptr, len(entryPoints))
	for _, name := range entryPoints {
		if calls[name], err = purego.Dlsym(lib, name); err != nil {
			return nil, fmt.Errorf("cuda: %w: libcuda.so.1 lacks %s: the driver is too old", ErrNoDriver, name)
		}
	}
	if code, _, _ := purego.SyscallN(calls["cuInit"], 0); code != 0 {
		return nil, fmt.Errorf("cuda: %w: cuInit: %w", ErrNoDriver, describe(calls, code))
	}
	return calls, checkVersion(calls)
})

func checkVersion(calls map[string]uintptr) error {
	version := new(int32)
	if code, _, _ := purego.SyscallN(calls["cuDriverGetVersion"], address(version)); code != 0 {
		return fmt.Errorf("cuda: cuDriverGetVersion: %w", describe(calls, code))
	}
	if *version < minimumDriver {
		return fmt.Errorf("cuda: %w: the driver supports CUDA %d.%d, at least %d.%d is needed", ErrNoDriver,
			*version/1000, *version%1000/10, minimumDriver/1000, minimumDriver%1000/10)
	}
	return nil
}

// An Error is a result code of the driver.
type Error struct {
	Code int
	Name string // such as CUDA_ERROR_OUT_OF_MEMORY
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d): %s", e.Name, e.Code, e.Text) }

func describe(calls map[string]uintptr, code uintptr) error {
	return &Error{
		Code: int(code),
		Name: errorText(calls["cuGetErrorName"], code),
		Text: errorText(calls["cuGetErrorString"], code),
	}
}

func errorText(call, code uintptr) string {
	text := new(*byte)
	if r, _, _ := purego.SyscallN(call, code, address(text)); r != 0 || *text == nil {
		return "unknown"
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(*text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(*text, n))
}

// sink makes the arguments of address escape to the heap. A stack may move during a
// call, and the driver would write to the old place.
var sink atomic.Pointer[byte]

// address is the address of an object. The caller holds the object in a variable until
// the call has returned.
func address[T any](p *T) uintptr {
	sink.Store((*byte)(unsafe.Pointer(p)))
	return uintptr(unsafe.Pointer(p))
}
