// Package dynlib opens shared libraries at run time and passes Go memory to them, for the
// packages that bind a library without cgo.
package dynlib

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Open opens a library, which the dynamic loader looks up on its path, and returns the
// addresses of functions in it.
func Open(file string, functions ...string) (map[string]uintptr, error) {
	lib, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", file, err)
	}
	calls := make(map[string]uintptr, len(functions))
	for _, name := range functions {
		if calls[name], err = purego.Dlsym(lib, name); err != nil {
			return nil, fmt.Errorf("%s lacks %s: the library is too old", file, name)
		}
	}
	return calls, nil
}

// sink makes the arguments of Address escape to the heap. A stack may move during a
// call, and the library would write to the old place.
var sink atomic.Pointer[byte]

// Address is the address of an object. The caller holds the object in a variable until
// the call has returned.
func Address[T any](p *T) uintptr {
	sink.Store((*byte)(unsafe.Pointer(p)))
	return uintptr(unsafe.Pointer(p))
}

// Text is the C string at p, or "unknown" if p is nil.
func Text(p *byte) string {
	if p == nil {
		return "unknown"
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
