package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops/internal/mpi/mpitest"
)

// A rank that runs out of memory ends all, by name.
func TestRankOutOfMemory(t *testing.T) {
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	// MPICH maps more for a moment at its start than the graph takes later, so that
	// such a limit would be none.
	for _, l := range mpitest.Launchers(t)[:1] {
		t.Run(l.Name, func(t *testing.T) {
			run := func(limited string, scale string) *exec.Cmd {
				return l.Command(3, "bash", "-c", limited+` exec "$@"`, "rank", hops,
					"graph500", "--scale", scale, "--roots", "1", "--engine", "cluster", "--quiet")
			}
			// What a rank takes without a graph to speak of, in address space; it
			// varies by the stacks of some threads, and what is seen of it by when we
			// look. The share of the edges at scale 22, which comes first, takes
			// 256 MiB more.
			small := run("", "8")
			peak := int64(0)
			small.Stdout = nil
			if err := small.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- small.Wait() }()
			for over := false; !over; {
				select {
				case err := <-done:
					if err != nil {
						t.Fatal(err)
					}
					over = true
				case <-time.After(5 * time.Millisecond):
					peak = max(peak, addressSpace(hops))
				}
			}
			limit := fmt.Sprintf(`case "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" in 1) ulimit -v %d;; esac;`, peak+96<<10)
			start := time.Now()
			out, err := run(limit, "22").CombinedOutput()
			if took := time.Since(start); err == nil || took > endsWithin {
				t.Errorf("ended with %v after %v", err, took)
			}
			if !strings.Contains(string(out), "rank 1 failed: ") {
				t.Errorf("nobody names rank 1:\n%s", out)
			}
		})
	}
}

// addressSpace is the most that a process of a program has mapped, in KiB.
func addressSpace(program string) (most int64) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		cmdline, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if !strings.HasPrefix(string(cmdline), program+"\x00") {
			continue
		}
		status, _ := os.ReadFile("/proc/" + e.Name() + "/status")
		for line := range strings.Lines(string(status)) {
			var kib int64
			if _, err := fmt.Sscanf(line, "VmPeak: %d kB", &kib); err == nil {
				most = max(most, kib)
			}
		}
	}
	return most
}
