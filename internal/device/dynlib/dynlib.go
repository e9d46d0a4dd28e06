// Package dynlib opens shared libraries at run time, calls their functions and passes Go
// memory to them, for the packages that bind a library without cgo.
//
// To a library an object of Go is a number, and a number keeps no object alive. So
// uintptr(unsafe.Pointer(p)) is written in the list of arguments of Call, or of a function
// that is marked go:uintptrescapes as Call is: the compiler then puts the object on the
// heap, where it does not move, and keeps it until the function returns. What an object of
// the list points to in its turn is a pointer in it, not a number.
//
// A program that can open libraries depends on the C library of the system. The build tag
// static leaves the opening out, and so does every system but Linux and macOS: Load and
// Open then return ErrStatic.
package dynlib

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrStatic is the error of Load and Open in a build that cannot open libraries.
var ErrStatic = errors.New("this build of hops is static and has no MPI, CUDA and OpenCL: take the one that is linked dynamically (for Linux and macOS)")

// Open opens a library, which the dynamic loader looks up on its path, and returns the
// addresses of functions in it.
func Open(file string, functions ...string) (map[string]uintptr, error) {
	lib, err := Load(file)
	if errors.Is(err, ErrStatic) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", file, err)
	}
	calls, err := Find(lib, functions...)
	if err != nil {
		return nil, fmt.Errorf("%s %w: the library is too old", file, err)
	}
	return calls, nil
}

// Find returns the addresses of symbols in a library that is open.
func Find(lib uintptr, symbols ...string) (map[string]uintptr, error) {
	found := make(map[string]uintptr, len(symbols))
	for _, name := range symbols {
		address, err := symbol(lib, name)
		if err != nil {
			return nil, fmt.Errorf("lacks %s", name)
		}
		found[name] = address
	}
	return found, nil
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
