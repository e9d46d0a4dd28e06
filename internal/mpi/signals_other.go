//go:build !linux

package mpi

// keepSignals does nothing: handlers are restored on Linux only.
func keepSignals() (restore func()) { return func() {} }
