//go:build !linux

package mpi

import "errors"

// Resign is supported on Linux only.
func Resign() error { return errors.New("mpi: cannot resign on this system") }

// AbortJob does nothing: it is supported on Linux only.
func AbortJob() {}

func pmiSocket() uint64 { return 0 }

// keepSignals does nothing: handlers are restored on Linux only.
func keepSignals() (restore func()) { return func() {} }
