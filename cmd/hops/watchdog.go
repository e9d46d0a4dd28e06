package main

import (
	"context"
	"io"
	"net"
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
// writes to our stderr, and inherits nothing else but the listener.
func startWatchdog(listener *os.File) (io.WriteCloser, error) {
	// The launcher takes whoever holds this descriptor for a rank.
	if fd, err := strconv.Atoi(os.Getenv("PMI_FD")); err == nil {
		syscall.CloseOnExec(fd)
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{"hops", watchdogVerb}
	cmd.ExtraFiles = []*os.File{listener}
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return pipe, cmd.Start()
}

// watchdogCommand is not for users: the listener is file descriptor 3, and the
// parameters come over stdin.
func (a *app) watchdogCommand() *cobra.Command {
	return &cobra.Command{
		Use:    watchdogVerb,
		Short:  "Report which rank died first (started by rank 0)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			listener, err := net.FileListener(os.NewFile(3, "listener"))
			if err != nil {
				return err
			}
			defer context.AfterFunc(c.Context(), func() { os.Exit(exitFailure) })()
			return launch.Watchdog(listener, c.InOrStdin(), a.stderr)
		},
	}
}
