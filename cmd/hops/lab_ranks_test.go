//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/gohops/hops/internal/device/mpi/mpitest"
)

// Under each MPI, experiments about ranks have verdicts of ranks in one process, of
// processes, and of the twin, and one process prints them.
func TestLabUnderMPI(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) {
			tables := t.TempDir()
			out, err := l.Command(2, lookHops(t), "lab", "run", "cui/fig11", "checconi/fig4", "cui/fig6", "checconi/fig5",
				"--quick", "--scale", "7", "--roots", "1", "--rounds", "1", "--csv", tables).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, id := range []string{"cui-fig11", "checconi-fig4", "cui-fig6"} {
				claims, err := os.ReadFile(filepath.Join(tables, id+"-claims.csv"))
				if err != nil {
					t.Fatal(err)
				}
				for _, place := range []string{",here,", `,"here, over MPI",`, ",twin of "} {
					if !strings.Contains(string(claims), place) {
						t.Errorf("no claim is%s\n%s", place, claims)
					}
				}
				if strings.Contains(string(claims), "not run here") {
					t.Errorf("%s", claims)
				}
			}
			for _, once := range []string{", 2 ranks\n", "CHECCONI/FIG5 ", "mpirun -n 2 hops lab run"} {
				if strings.Count(string(out), once) != 1 {
					t.Errorf("%q is not there once:\n%s", once, out)
				}
			}
		})
	}
}

// Under each MPI, a projection compares the twin of a host with processes, too.
func TestProjectUnderMPI(t *testing.T) {
	if testing.Short() {
		t.Skip("learning a projection takes a while")
	}
	for _, l := range mpitest.Launchers(t)[:1] { // TestLabUnderMPI has the others
		t.Run(l.Name, func(t *testing.T) {
			out, err := l.Command(2, lookHops(t), "predict", "--quick", "--quiet").CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, once := range []string{"exchange=allgather, by the twin of a host; processes over MPI: 1 ", "exchange=probe, by the twin of a host; processes over MPI: 2 ", "CHECKED AGAINST THE PAPERS"} {
				if strings.Count(string(out), once) != 1 {
					t.Errorf("%q is not there once:\n%s", once, out)
				}
			}
		})
	}
}

// A process that is killed during an experiment ends all of them, and is named.
func TestLabProcessIsKilled(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) {
			cmd := l.Command(3, lookHops(t), "lab", "run", "checconi/fig6", "--quick", "--scale", "10", "--rounds", "64", "--roots", "64")
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var said []string
			var victim int
			for lines := bufio.NewScanner(stderr); lines.Scan(); {
				said = append(said, lines.Text())
				if _, pids, ok := strings.Cut(lines.Text(), ", process "); ok {
					victim, err = strconv.Atoi(strings.Fields(pids)[2])
				} else if strings.Contains(lines.Text(), "on 2 engines") {
					err = syscall.Kill(victim, syscall.SIGKILL)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := cmd.Wait(); err == nil || !strings.Contains(strings.Join(said, "\n"), "rank 2 failed: process "+strconv.Itoa(victim)) {
				t.Errorf("%v\n%s", err, strings.Join(said, "\n"))
			}
		})
	}
}

func lookHops(t *testing.T) string {
	t.Helper()
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	return hops
}
