// Command hops searches graphs breadth first and runs the Graph500 benchmark.
//
// A verb parses its flags, calls a library package and prints what that returns. This
// is the only package that reads flags, listens to signals and ends the process.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
)

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1   // the work could not be done
	exitUsage   = 2   // the command line makes no sense
	exitNone    = 3   // what was asked for does not exist
	exitSignal  = 128 // plus the number of the signal: 130 for Ctrl-C
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// An app is one run of the program: what its verbs share.
type app struct {
	stdout *stickyWriter
	stderr io.Writer

	// ranks are the processes that a launcher started together with this one. nil:
	// this process runs on its own.
	ranks *launch.World
	// parsed: a verb with all its flags was understood, so that a later error is not
	// one of usage.
	parsed bool
	// notices are about earlier names in the command line, to be shown once.
	notices []string
}

// run is the whole program. Whatever goes wrong is one line on stderr.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	a := &app{stdout: &stickyWriter{Writer: stdout}, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	err := cmp.Or(root.ExecuteContext(ctx), a.stdout.err)
	err = cmp.Or(err, a.leaveRanks())
	if err == nil {
		return exitOK
	}
	err = interrupted(ctx, err)
	if !a.silent() {
		fmt.Fprintf(stderr, "hops: %s\n", plainly(err.Error()))
	}
	var s signalError
	switch {
	case errors.As(err, &s):
		return exitSignal + int(s.Signal)
	case errors.As(err, new(noneError)):
		return exitNone
	case !a.parsed || errors.As(err, new(usageError)) || errors.As(err, new(spec.Impossible)):
		return exitUsage
	}
	return exitFailure
}

// interrupted returns the error of a run whose context may have ended. Whatever fails
// after a signal may have failed because of it: LLVM, which compiles in this process for
// PoCL, deletes the files that it writes when SIGINT comes, and says that they are missing.
func interrupted(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil || errors.As(err, new(noneError)) || errors.As(err, new(usageError)) || errors.Is(err, cause):
		return err
	case errors.Is(err, ctx.Err()):
		return cause
	}
	return fmt.Errorf("%w: %w", cause, err)
}

// plainly returns a message without the names of packages in front of it. Names that
// users know, of engines and drivers, stay.
func plainly(message string) string {
	for {
		name, rest, found := strings.Cut(message, ": ")
		if !found || !slices.Contains(packages, name) {
			return message
		}
		message = rest
	}
}

// packages are those that begin their messages with their names.
var packages = strings.Fields(`format export graph edge csr graph500 check query learn projection launch spec report many topo
	arena stats lab page live atomicfile rank level bench worker explore energy gather hdl twin`)

// A stickyWriter remembers the first error of a writer, for callers that do not look.
type stickyWriter struct {
	io.Writer
	err error
}

func (w *stickyWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.err = cmp.Or(w.err, err)
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
