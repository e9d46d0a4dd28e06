//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/device/mpi/mpitest"
	"github.com/gohops/hops/internal/testing/tooltest"
	"github.com/gohops/hops/report"
)

var crossed = regexp.MustCompile(`netns: (host\d) sent (\d+) bytes and received (\d+)`)

// Two hosts of two ranks each: what they tell each other crosses their network.
func TestSeveralHosts(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) { searchOnHosts(t, "-m", l.Name) })
		t.Run(l.Name+" by srun", func(t *testing.T) { searchOnHosts(t, "-s", "-m", l.Name) })
	}
}

func searchOnHosts(t *testing.T, flags ...string) {
	result, out := onHosts(t, flags, "--scale", "11", "--roots", "3", "--engine", "cluster")
	for _, want := range []string{"host1: ranks 0-1, ", "host2: ranks 2-3, "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if result.Ranks != 4 || len(result.Searches) != 3 || result.Invalid != "" {
		t.Errorf("%+v", result)
	}
	checkCounters(t, out)
}

// onHosts runs the benchmark on two hosts of two ranks each.
func onHosts(t *testing.T, flags []string, benchmark ...string) (*graph500.Result, string) {
	t.Helper()
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "result.json")
	args := append(slices.Concat(flags, []string{"2", "2", hops, "graph500", "--to", "json", "--output", file}), benchmark...)
	out, err := exec.Command("../../scripts/netns", args...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 77 {
		notHere(t, string(out))
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	result, err := report.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return result, string(out)
}

// A frontier that is gathered over MPI takes the bytes of the formulas of Cui et al., in all
// and between the hosts, beside the sums that end a level.
func TestGatheringBetweenHosts(t *testing.T) {
	const bitmap, sums = 1 << 15 / 8, 2 << 10
	l := mpitest.Launchers(t)[0] // another has the same counters, and may spin
	for gather, want := range map[string]struct{ all, between int64 }{"per-rank": {3, 2}, "shared": {1, 1}} {
		t.Run(gather, func(t *testing.T) {
			result, _ := onHosts(t, []string{"-m", l.Name}, "--scale", "15", "--roots", "2",
				"--engine", "cluster:exchange=allgather,bitmaps=dense,light=on,gather="+gather)
			gathered := 0
			for _, s := range result.Searches {
				for _, l := range s.Levels {
					if l.Step != "bottom-up-allgather" {
						continue
					}
					gathered++
					all, between := l.Bytes-want.all*bitmap, l.Exchange.HostBytes-want.between*bitmap
					if all < 0 || all > sums || between < 0 || between > sums {
						t.Errorf("%d bytes, %d between hosts, want %d and %d bitmaps of %d", l.Bytes, l.Exchange.HostBytes, want.all, want.between, bitmap)
					}
				}
			}
			if gathered == 0 || result.Invalid != "" {
				t.Errorf("%d levels were gathered; %s", gathered, result.Invalid)
			}
		})
	}
}

// notHere ends a test that the script cannot run. A tool can be installed, permission to
// make networks cannot.
func notHere(t *testing.T, why string) {
	t.Helper()
	if strings.Contains(why, "install") {
		tooltest.Missing(t, strings.TrimSpace(why))
	}
	t.Skip(strings.TrimSpace(why))
}

// checkCounters tells if less crossed the network than construction alone moves:
// half of the edges, two ends of four bytes each.
func checkCounters(t *testing.T, out string) {
	const least = 16 << 11 / 2 * 8
	counters := crossed.FindAllStringSubmatch(out, -1)
	if len(counters) != 2 {
		t.Errorf("no counters of two hosts in\n%s", out)
	}
	for _, c := range counters {
		sent, _ := strconv.Atoi(c[2])
		received, _ := strconv.Atoi(c[3])
		if sent < least || received < least {
			t.Errorf("%s sent %d bytes and received %d, want at least %d", c[1], sent, received, least)
		}
	}
}

// A cable that is pulled between two hosts closes no connection. The ranks on both
// sides miss those of the other and end; what was finished can be continued from.
func TestCableIsPulled(t *testing.T) {
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) {
			j := &job{t: t, launcher: l, hops: hops, file: filepath.Join(t.TempDir(), "result.json"), ended: make(chan error, 1)}
			if j.exe, err = filepath.EvalSymlinks(hops); err != nil {
				t.Fatal(err)
			}
			j.cmd = exec.Command("../../scripts/netns", "-m", l.Name, "2", "1", hops, "graph500", "--scale", "13", "--roots", "4096",
				"--engine", "cluster", "--resume", j.file)
			j.cmd.Stdout, j.cmd.Stderr = &j.out, &j.out
			j.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := j.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go func() { j.ended <- j.cmd.Wait() }()
			for joined := false; !joined; time.Sleep(time.Millisecond) {
				select {
				case err := <-j.ended:
					if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 77 {
						notHere(t, j.out.String())
					}
					t.Fatalf("%v\n%s", err, &j.out)
				default:
					_, err := os.Stat(j.file)
					joined = err == nil
				}
			}
			cable := func(state string) {
				out, err := exec.Command("ip", "-n", "hops"+strconv.Itoa(j.cmd.Process.Pid)+"-switch", "link", "set", "port2", state).CombinedOutput()
				if err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			}
			cable("down")
			pulled := time.Now()
			for len(j.ranks()) > 0 && time.Since(pulled) < endsWithin {
				time.Sleep(5 * time.Millisecond)
			}
			t.Logf("ranks %v live %v after the cable was pulled", j.ranks(), time.Since(pulled))
			cable("up") // launchers wait longer than ranks for those that they cannot reach
			select {
			case <-j.ended:
			case <-time.After(endsWithin):
				_ = syscall.Kill(-j.cmd.Process.Pid, syscall.SIGKILL)
				t.Fatalf("the launcher lives on:\n%s", &j.out)
			}
			if !strings.Contains(j.out.String(), "hops: rank 1 failed: process ") || !strings.Contains(j.out.String(), "has not answered for ") {
				t.Errorf("rank 0 does not miss rank 1:\n%s", &j.out)
			}
			if len(j.ranks()) > 0 {
				t.Errorf("ranks %v live on", j.ranks())
			}
			j.mustContinue(false)
		})
	}
}
