//go:build !static && (linux || darwin)

package dynlib

import "github.com/ebitengine/purego"

// Load opens a library, which the dynamic loader looks up on its path.
func Load(file string) (lib uintptr, err error) {
	return purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

func symbol(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }

// Call calls the function at an address and returns its result. The objects whose
// addresses are taken in the list of arguments stay where they are until it returns.
//
//go:uintptrescapes
func Call(function uintptr, args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, args...)
	return result
}
