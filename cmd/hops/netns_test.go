package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/mpi/mpitest"
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
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "result.json")
	args := append(flags, "2", "2", hops, "graph500", "--scale", "11", "--roots", "3", "--engine", "cluster", "--format", "json", "--output", file)
	out, err := exec.Command("../../scripts/netns", args...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 77 {
		t.Skip(strings.TrimSpace(string(out)))
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"host1: ranks 0-1, ", "host2: ranks 2-3, "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	result, err := report.ReadFile(file)
	if err != nil || result.Ranks != 4 || len(result.Searches) != 3 || result.Invalid != "" {
		t.Errorf("%+v, %v", result, err)
	}
	checkCounters(t, string(out))
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
