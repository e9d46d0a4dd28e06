// Package cuda drives NVIDIA GPUs through the CUDA driver, opened at run time.
//
// It binds the part of the driver's interface that one stream of kernels needs: a
// device and its primary context, modules of PTX text that the driver compiles when
// they are loaded, buffers, those of peers and of other processes too, pinned memory of
// the host, and one stream. Building
// needs neither the toolkit nor cgo. Without a driver Open returns an error that says
// what is missing.
//
// A Context may be used from any goroutine, one call at a time. The driver keeps the
// current context for each thread, so every call locks its goroutine to a thread and
// makes the context current.
package cuda

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/gohops/hops/internal/device/dynlib"
)

// Entry points with the suffix _v2 replace those of the first release, whose plain names
// keep a 32-bit interface.
var entryPoints = []string{
	"cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString",
	"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent",
	"cuDeviceCanAccessPeer", "cuCtxEnablePeerAccess",
	"cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostAlloc", "cuMemFreeHost",
	"cuMemGetAddressRange_v2", "cuIpcGetMemHandle", "cuIpcOpenMemHandle_v2", "cuIpcCloseMemHandle",
	"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemcpyPeerAsync", "cuMemsetD8Async",
	"cuModuleLoadData", "cuModuleUnload", "cuModuleGetFunction",
	"cuFuncSetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuLaunchKernel", "cuLaunchCooperativeKernel",
	"cuStreamCreate", "cuStreamSynchronize", "cuStreamDestroy_v2",
}

// ErrNoDriver is wrapped by all errors on a machine without a usable driver.
var ErrNoDriver = errors.New("no CUDA driver")

// minimumDriver is the oldest driver version that loads PTX 7.8, that of CUDA 11.8.
const minimumDriver = 11080

// driver opens the library once for the process.
var driver = sync.OnceValues(func() (entries, error) {
	calls, err := dynlib.Open("libcuda.so.1", entryPoints...)
	if err != nil {
		return nil, fmt.Errorf("cuda: %w: %w", ErrNoDriver, err)
	}
	found := entries(calls)
	if code := dynlib.Call(found["cuInit"], 0); code != 0 {
		return nil, fmt.Errorf("cuda: %w: cuInit: %w", ErrNoDriver, found.describe(code))
	}
	version := new(int32)
	if err := found.call("cuDriverGetVersion", uintptr(unsafe.Pointer(version))); err != nil {
		return nil, err
	}
	if *version < minimumDriver {
		return nil, fmt.Errorf("cuda: %w: the driver supports CUDA %d.%d, at least %d.%d is needed", ErrNoDriver,
			*version/1000, *version%1000/10, minimumDriver/1000, minimumDriver%1000/10)
	}
	return found, nil
})

// entries are the functions of the driver.
type entries map[string]uintptr

//go:uintptrescapes
func (e entries) call(name string, args ...uintptr) error {
	if code := dynlib.Call(e[name], args...); code != 0 {
		return fmt.Errorf("cuda: %s: %w", name, e.describe(code))
	}
	return nil
}

func (e entries) describe(code uintptr) *Error {
	return &Error{Code: int(code), Name: e.text("cuGetErrorName", code), Text: e.text("cuGetErrorString", code)}
}

// text asks the driver for the name or the description of a result code.
func (e entries) text(name string, code uintptr) string {
	text := new(*byte)
	if r := dynlib.Call(e[name], code, uintptr(unsafe.Pointer(text))); r != 0 {
		return "unknown"
	}
	return dynlib.Text(*text)
}

// An Error is a result code of the driver.
type Error struct {
	Code int
	Name string // such as CUDA_ERROR_OUT_OF_MEMORY
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d): %s", e.Name, e.Code, e.Text) }
