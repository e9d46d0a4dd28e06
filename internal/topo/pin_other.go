//go:build !linux

package topo

// Pin binds threads on Linux only; elsewhere the scheduler decides.
func Pin(CPUs) error { return nil }

// Visit leaves the goroutine where it is.
func Visit(CPUs) (leave func(), err error) { return func() {}, nil }
