package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohops/hops/engine/gpu"
	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts run the program as a process of its own: hops is what main does,
// hops-faulty the same with engines that misbehave.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"hops":        main,
		"hops-faulty": func() { engines = append(engines, faultyEngines...); main() },
	})
}

// shortScripts are those that the race detector, under which a program is several
// times slower, need not miss: a run from end to end, one that is interrupted, and
// questions to a graph.
var shortScripts = []string{"graph500", "interrupt", "bfs", "path"}

func TestScripts(t *testing.T) {
	params := testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error { // no test sees how the developer's machine was calibrated
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "opencl" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			_, err := gpu.DeviceName(gpu.Options{Driver: name})
			return err == nil || os.Getenv("CI") == "true", nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"interrupt": interrupt,
		},
	}
	if testing.Short() {
		for _, name := range shortScripts {
			params.Files = append(params.Files, filepath.Join(params.Dir, name+".txt"))
		}
		params.Dir = ""
	}
	testscript.Run(t, params)
}

// promptly is how soon a program ends when interrupted. A second is promised; a
// test only tells that from never, because its machine may do a lot besides.
const promptly = 2 * time.Minute

// exits [-within 1s] CODE PROGRAM ARG... runs a program that must end with the
// given code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	flags := flag.NewFlagSet("exits", flag.ContinueOnError)
	limit := flags.Duration("within", 5*time.Minute, "time that it may take")
	ts.Check(flags.Parse(args))
	want, err := strconv.Atoi(flags.Arg(0))
	if err != nil || neg || flags.NArg() < 2 {
		ts.Fatalf("usage: exits [-within DURATION] CODE PROGRAM ARG...")
	}
	start := time.Now()
	err = ts.Exec(flags.Arg(1), flags.Args()[2:]...)
	if d := time.Since(start); d > *limit {
		ts.Fatalf("took %v", d)
	}
	if got := exitCode(err); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// interrupt [-delay 500ms] [-twice] PATTERN CODE PROGRAM ARG... runs a program
// until it listens to SIGINT, its stderr matches and the delay has passed, and then
// sends SIGINT; an empty pattern matches at once. The program must end with the
// code, promptly.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	flags := flag.NewFlagSet("interrupt", flag.ContinueOnError)
	delay := flags.Duration("delay", 0, "time between the match and the signal")
	twice := flags.Bool("twice", false, "the first signal is not enough")
	ts.Check(flags.Parse(args))
	want, err := strconv.Atoi(flags.Arg(1))
	if err != nil || neg || flags.NArg() < 3 {
		ts.Fatalf("usage: interrupt [-delay DURATION] [-twice] PATTERN CODE PROGRAM ARG...")
	}
	stderr := &watched{pattern: regexp.MustCompile(flags.Arg(0)), matched: make(chan struct{})}
	cmd, ended := startListener(ts, stderr, flags.Args()[2:])
	_, _ = stderr.Write(nil) // matches an empty pattern
	select {
	case err := <-ended:
		ts.Fatalf("ended before %q was seen: %v\n%s", flags.Arg(0), err, &stderr.seen)
	case <-stderr.matched:
	}
	time.Sleep(*delay)
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	var again <-chan time.Time // a signal that comes before the first was taken is lost
	if *twice {
		again = time.Tick(300 * time.Millisecond)
	}
	late := time.After(promptly)
	for first := true; ; first = false {
		select {
		case err := <-ended:
			_, _ = ts.Stderr().Write(stderr.seen.Bytes())
			if got := exitCode(err); got != want || *twice && first {
				ts.Fatalf("exit code %d, want %d; by the first signal: %v", got, want, first)
			}
			return
		case <-again:
			_ = cmd.Process.Signal(syscall.SIGINT)
		case <-late:
			_ = cmd.Process.Kill()
			ts.Fatalf("lives %v after the signal:\n%s", promptly, &stderr.seen)
		}
	}
}

// startListener starts a program and returns when it listens to SIGINT, which it
// inherits as ignored: one that came too early would kill it otherwise.
func startListener(ts *testscript.TestScript, stderr io.Writer, command []string) (*exec.Cmd, <-chan error) {
	cmd := exec.Command("sh", append([]string{"-c", `trap "" INT; exec "$@"`, "sh"}, command...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), ts.Stdout(), stderr
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("WORK"), "XDG_CONFIG_HOME="+ts.Getenv("XDG_CONFIG_HOME"))
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !listens(cmd.Process.Pid) {
		select {
		case err := <-ended:
			ts.Fatalf("ended before it listened: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	return cmd, ended
}

// listens tells whether a process has a handler for SIGINT.
func listens(pid int) bool {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, caught, _ := strings.Cut(string(status), "SigCgt:")
	mask, _ := strconv.ParseUint(strings.TrimSpace(strings.SplitN(caught, "\n", 2)[0]), 16, 64)
	return mask&(1<<(syscall.SIGINT-1)) != 0
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -2
}

// watched is output that someone waits for.
type watched struct {
	pattern *regexp.Regexp
	matched chan struct{}
	once    sync.Once
	mu      sync.Mutex
	seen    bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.Write(p)
	if w.pattern.Match(w.seen.Bytes()) {
		w.once.Do(func() { close(w.matched) })
	}
	return len(p), nil
}
