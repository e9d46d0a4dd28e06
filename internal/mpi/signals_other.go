//go:build !linux

package mpi

// keepSignals guards handlers on Linux only.
func keepSignals() (restore func()) { return func() {} }
