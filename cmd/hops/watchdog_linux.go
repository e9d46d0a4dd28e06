package main

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

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
