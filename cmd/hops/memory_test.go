//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops/internal/device/mpi/mpitest"
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
			// What a rank takes without a graph to speak of, in address space; it
			// varies by the stacks of some threads. The share of the edges at scale 22,
			// which comes first, takes 256 MiB more.
			small := startJob(t, l, "cluster", 4096)
			small.awaitSearch()
			peak := addressSpace(small.ranks())
			_ = small.cmd.Process.Kill()
			<-small.ended
			small.awaitProcesses()
			limit := fmt.Sprintf(`case "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" in 1) ulimit -v %d;; esac; exec "$@"`, peak+96<<10)
			start := time.Now()
			out, err := l.Command(3, "bash", "-c", limit, "rank", hops,
				"graph500", "--scale", "22", "--roots", "1", "--engine", "cluster", "--quiet").CombinedOutput()
			if took := time.Since(start); err == nil || took > endsWithin {
				t.Errorf("ended with %v after %v", err, took)
			}
			if !strings.Contains(string(out), "rank 1 failed: ") {
				t.Errorf("nobody names rank 1:\n%s", out)
			}
		})
	}
}

// addressSpace is the most that one of some processes has mapped, in KiB.
func addressSpace(pids []int) (most int64) {
	for _, pid := range pids {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		for line := range strings.Lines(string(status)) {
			var kib int64
			if _, err := fmt.Sscanf(line, "VmPeak: %d kB", &kib); err == nil {
				most = max(most, kib)
			}
		}
	}
	return most
}
