//go:build !linux

package rank

import "time"

// ShortSleep sleeps for about 50 µs.
func ShortSleep() { time.Sleep(50 * time.Microsecond) }
