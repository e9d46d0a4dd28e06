package main

import (
	"context"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/internal/ranks/launch"
)

// watchdogVerb is the verb of the process that rank 0 starts to report which rank
// died first. See launch.Watchdog.
const watchdogVerb = "watchdog"

// watchdogCommand is not for users: its argument is the number of listeners, which are
// the file descriptors from 3 on, and the parameters come over stdin.
func (a *app) watchdogCommand() *cobra.Command {
	return &cobra.Command{
		Use:    watchdogVerb + " LISTENERS",
		Short:  "Report which rank died first (started by rank 0)",
		Hidden: true,
		Args:   exactly("LISTENERS"),
		RunE: func(c *cobra.Command, args []string) error {
			count, err := strconv.Atoi(args[0])
			if err != nil {
				return usageError{err}
			}
			var listeners []*os.File
			for i := range count {
				listeners = append(listeners, os.NewFile(uintptr(3+i), "listener"))
			}
			defer context.AfterFunc(c.Context(), func() { os.Exit(exitFailure) })()
			return launch.Watchdog(listeners, c.InOrStdin(), a.stderr)
		},
	}
}
