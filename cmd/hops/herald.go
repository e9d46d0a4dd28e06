package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/gohops/hops/internal/launch"
)

// heraldVariable makes this program a herald: it holds the number of ranks and the
// token that they know, with a space between.
const heraldVariable = "HOPS_HERALD"

// heraldEnd ends the herald's waiting for ranks when this process ends.
var heraldEnd io.Closer

// startHerald runs this program again as the herald, in a session of its own. It
// speaks on our stderr, and inherits nothing else.
func startHerald(listener *os.File, ranks int, token string) (err error) {
	// The launcher would take the herald for us as long as it holds this.
	if fd, err := strconv.Atoi(os.Getenv("PMI_FD")); err == nil {
		syscall.CloseOnExec(fd)
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{"hops", "herald"}
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", heraldVariable, ranks, token))
	cmd.ExtraFiles = []*os.File{listener}
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if heraldEnd, err = cmd.StdinPipe(); err != nil {
		return err
	}
	return cmd.Start()
}

// herald is what the program does as one. Its failures are of no interest: the run
// does without it.
func herald(stderr io.Writer) int {
	var ranks int
	var token string
	if _, err := fmt.Sscan(os.Getenv(heraldVariable), &ranks, &token); err != nil {
		return exitUsage
	}
	listener, err := net.FileListener(os.NewFile(3, "listener"))
	if err != nil {
		return exitFailure
	}
	if launch.Herald(listener, ranks, token, os.Stdin, stderr) != nil {
		return exitFailure
	}
	return exitOK
}
