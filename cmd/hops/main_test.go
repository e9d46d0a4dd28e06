package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// What fails after a signal is an interruption, whatever fails, and says what it was.
func TestInterrupted(t *testing.T) {
	compiler := errors.New("clBuildProgram: error -11")
	for _, x := range []struct {
		signal bool
		err    error
		want   string
		code   bool // that of the signal
	}{
		{true, compiler, "interrupted: clBuildProgram: error -11", true},
		{true, fmt.Errorf("cpu: %w", context.Canceled), "interrupted", true},
		{true, fmt.Errorf("graph500: %w", signalError{syscall.SIGINT}), "graph500: interrupted", true},
		{true, noneError{errors.New("no path")}, "no path", false},
		{true, usageError{errors.New("no such flag")}, "no such flag", false},
		{false, compiler, "clBuildProgram: error -11", false},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		if x.signal {
			cancel(signalError{syscall.SIGINT})
		}
		err := interrupted(ctx, x.err)
		cancel(nil)
		if err.Error() != x.want || errors.As(err, new(signalError)) != x.code || !x.signal && !errors.Is(err, x.err) {
			t.Errorf("%v (signal %v) becomes %v, want %q", x.err, x.signal, err, x.want)
		}
	}
}
