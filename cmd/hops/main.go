// Command hops searches graphs breadth first and runs the Graph500 benchmark.
//
// This is the only package that reads flags, listens to signals and ends the
// process; everything it does is a call of a library package.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// What the process ends with.
const (
	exitOK      = 0
	exitFailure = 1   // the work could not be done
	exitUsage   = 2   // the command line makes no sense
	exitNone    = 3   // what was asked for does not exist
	exitSignal  = 128 // plus the number of the signal: 130 for Ctrl-C
)

func main() {
	if os.Getenv(heraldVariable) != "" {
		os.Exit(herald(os.Stderr))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program. Whatever goes wrong is one line on stderr.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	out := &mindful{Writer: stdout}
	root, parsed := newRoot(out, stderr)
	root.SetArgs(args)
	err := cmp.Or(root.ExecuteContext(ctx), out.err)
	err = cmp.Or(err, leaveWorld())
	if err == nil {
		return exitOK
	}
	if !aside() {
		fmt.Fprintf(stderr, "hops: %v\n", err)
	}
	var s signalError
	switch {
	case errors.As(err, &s):
		return exitSignal + int(s.Signal)
	case errors.As(err, new(noneError)):
		return exitNone
	case !parsed() || errors.As(err, new(usageError)):
		return exitUsage
	}
	return exitFailure
}

// mindful remembers the first error of a writer, for callers that do not look.
type mindful struct {
	io.Writer
	err error
}

func (m *mindful) Write(p []byte) (int, error) {
	n, err := m.Writer.Write(p)
	m.err = cmp.Or(m.err, err)
	return n, err
}

// A usageError is a fault of the command line that only shows after its flags
// have been read.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// A noneError is an answer: there is nothing of the kind.
type noneError struct{ error }

func (e noneError) Unwrap() error { return e.error }

// A signalError is why a context ended: the user asked for it.
type signalError struct{ syscall.Signal }

func (e signalError) Error() string {
	if e.Signal == syscall.SIGINT {
		return "interrupted"
	}
	return e.String()
}

// untilSignal returns a context that ends with the first SIGINT or SIGTERM. The
// second ends the process. It is listened to as well, because the default would be
// to ignore it where the parent does, as shells do for what they run in background.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, syscall.SIGINT, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		for first := true; ; first = false {
			select {
			case s := <-heard:
				if !first {
					os.Exit(exitSignal + int(s.(syscall.Signal)))
				}
				cancel(signalError{s.(syscall.Signal)})
			case <-over:
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(heard); close(over); cancel(nil) }
}
