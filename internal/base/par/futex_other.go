//go:build !linux

package par

import "sync/atomic"

const hasFutex = false

func futexWait(*atomic.Uint32, uint32) {}

func futexWake(*atomic.Uint32) {}
