//go:build !linux

package topo

// Pin binds threads on Linux only; elsewhere the scheduler decides.
func Pin(CPUs) error { return nil }
