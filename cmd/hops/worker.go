package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/worker"
)

// sharedMemory is the folder of files in memory on Linux.
const sharedMemory = "/dev/shm"

func (a *app) workerCommand() *cobra.Command {
	opts := worker.Options{
		Directory: os.TempDir(), Version: graph500.Version(), Message: func(err error) string { return plainly(err.Error()) },
		Pipes: []*os.File{os.Stdin, os.Stdout},
	}
	if info, err := os.Stat(sharedMemory); err == nil && info.IsDir() {
		opts.Directory = sharedMemory
	}
	c := &cobra.Command{
		Use:   "worker",
		Short: "Answer the questions of another program",
		Long: `worker is for programs: it reads requests from standard input, one JSON object a line,
and answers each on standard output. Arrays are .npy files in a folder in shared memory,
which the other program maps and worker removes when it ends. It ends when its standard
input does, or with the process that started it. The Python package gohops asks it.`,
		Example: `  echo '{"id": 1, "op": "open", "path": "web.hops"}' | hops worker`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			// A pipe that nobody reads any more is an error of a write, not the end before
			// the folder is removed.
			signal.Ignore(syscall.SIGPIPE)
			return worker.Serve(untilOrphaned(c.Context()), c.InOrStdin(), a.stdout, opts)
		},
	}
	c.Flags().Var(within(&opts.Threads, 0, 0, 4096), "threads", "workers of a search; 0 is one for every CPU")
	c.Flags().StringVar(&opts.Directory, "directory", opts.Directory, "where the folder of arrays is made")
	return c
}

// untilOrphaned returns a context that ends with the process that started this one. A
// child of that process may keep our standard input open.
func untilOrphaned(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for parent := os.Getppid(); os.Getppid() == parent; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
		}
		cancel(errors.New("the process that started this worker has ended"))
	}()
	return ctx
}
