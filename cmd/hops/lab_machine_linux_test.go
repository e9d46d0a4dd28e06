package main

import (
	"syscall"
	"testing"
	"time"
)

// The processor time is that which the system's own call tells, but for rounding.
func TestProcessorTime(t *testing.T) {
	told := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	const rounding = 40 * time.Millisecond
	before := told()
	got, err := processorTime()
	if after := told(); err != nil || got < before-rounding || got > after+rounding {
		t.Errorf("%v, %v: want between %v and %v", got, err, before, after)
	}
}
