//go:build !linux

package rank

import "time"

// Nap sleeps for some 50 µs.
func Nap() { time.Sleep(50 * time.Microsecond) }
