package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/internal/launch"
)

// watchdogVerb is the verb of the process that rank 0 starts to report which rank
// died first. See launch.Watchdog.
const watchdogVerb = "watchdog"

// startWatchdog runs this program again as the watchdog, in a session of its own. It
// writes to our stderr, and inherits nothing else but the listeners.
func startWatchdog(listeners []*os.File) (io.WriteCloser, error) {
	// The launcher takes whoever holds this descriptor for a rank.
	if fd, err := strconv.Atoi(os.Getenv("PMI_FD")); err == nil {
		syscall.CloseOnExec(fd)
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{"hops", watchdogVerb, strconv.Itoa(len(listeners))}
	cmd.ExtraFiles = listeners
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return pipe, cmd.Start()
}

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
