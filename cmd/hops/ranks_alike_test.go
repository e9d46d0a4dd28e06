//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/device/mpi/mpitest"
)

// Under each MPI, ranks with other arguments, or with another graph of the same size, end at once
// with an error that says so.
func TestRanksThatDiffer(t *testing.T) {
	hops := lookHops(t)
	for _, l := range mpitest.Launchers(t) {
		for name, of := range map[string]struct {
			first, second []string
			want          string
		}{
			"engines": {
				[]string{"graph500", "--scale", "8", "--engine", "cluster"},
				[]string{"graph500", "--scale", "8", "--engine", "grid"},
				"all ranks must run the same program with the same arguments",
			},
			"options": {
				[]string{"graph500", "--scale", "8", "--engine", "cluster"},
				[]string{"graph500", "--scale", "8", "--engine", "cluster:exchange=probe"},
				`rank 1 on `,
			},
			"roots": {
				[]string{"bfs", "a.el", "--root", "0", "--engine", "cluster"},
				[]string{"bfs", "a.el", "--root", "1", "--engine", "cluster"},
				"all ranks must run the same program with the same arguments",
			},
			"graphs": {
				[]string{"bfs", "a.el", "--root", "0", "--engine", "cluster"},
				nil,
				"the ranks have different graphs",
			},
		} {
			t.Run(l.Name+"/"+name, func(t *testing.T) {
				dir := t.TempDir()
				here, there := filepath.Join(dir, "here"), filepath.Join(dir, "there")
				for at, edges := range map[string]string{here: "0 1\n1 2\n2 3\n", there: "0 2\n2 1\n1 3\n"} {
					if err := os.Mkdir(at, 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(at, "a.el"), []byte(edges), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				args := append([]string{hops}, of.first...)
				args = append(args, ":", "-n", "1")
				if of.second != nil {
					args = append(append(args, hops), of.second...)
				} else {
					args = append(append(args, "env", "-C", there, hops), of.first...)
				}
				cmd := l.Command(1, args...)
				cmd.Dir = here
				out, err := cmd.CombinedOutput()
				if err == nil || !strings.Contains(string(out), of.want) {
					t.Errorf("error %v, want %q:\n%s", err, of.want, out)
				}
			})
		}
	}
}
