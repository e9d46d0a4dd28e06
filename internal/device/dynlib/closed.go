//go:build static || !(linux || darwin)

package dynlib

// Load refuses: this build of hops has no dynamic loader.
func Load(string) (lib uintptr, err error) { return 0, ErrStatic }

func symbol(uintptr, string) (uintptr, error) { return 0, ErrStatic }

// Call is never reached, because no function has an address without Load.
func Call(uintptr, ...uintptr) uintptr { panic("dynlib: a call without a library") }
