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
	launchers := mpitest.Launchers(t)
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range launchers {
		file := filepath.Join(t.TempDir(), "result.json")
		cmd := exec.Command("../../scripts/netns", "-m", l.Name, "2", "2",
			hops, "graph500", "--scale", "11", "--roots", "3", "--engine", "cluster", "--format", "json", "--output", file)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 77 {
			t.Skip(strings.TrimSpace(string(out)))
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", l.Name, err, out)
		}
		for _, want := range []string{"host1: ranks 0-1, ", "host2: ranks 2-3, "} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: no %q in\n%s", l.Name, want, out)
			}
		}
		result, err := report.ReadFile(file)
		if err != nil || result.Ranks != 4 || len(result.Searches) != 3 || result.Invalid != "" {
			t.Errorf("%s: %+v, %v", l.Name, result, err)
		}
		// Construction alone moves half of the edges, two ends of four bytes each.
		const least = 16 << 11 / 2 * 8
		counters := crossed.FindAllStringSubmatch(string(out), -1)
		if len(counters) != 2 {
			t.Errorf("%s: no counters of two hosts in\n%s", l.Name, out)
		}
		for _, c := range counters {
			sent, _ := strconv.Atoi(c[2])
			received, _ := strconv.Atoi(c[3])
			if sent < least || received < least {
				t.Errorf("%s: %s sent %d bytes and received %d, want at least %d", l.Name, c[1], sent, received, least)
			}
		}
	}
}
