//go:build !linux

package mpi

import "errors"

// Resign is supported on Linux only.
func Resign() error { return errors.New("mpi: cannot resign on this system") }

func pmiSocket() uint64 { return 0 }
