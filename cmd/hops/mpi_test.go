package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/device/mpi/mpitest"
	"github.com/gohops/hops/report"
)

// Under each MPI, on any number of ranks and by every exchange, the benchmark
// finds the facts of its graph: edges of the giant component, and the levels from
// the first two roots.
func TestBenchmarkUnderMPI(t *testing.T) {
	launchers := mpitest.Launchers(t)
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	engines := map[int]string{
		1: "cluster", 2: "cluster:exchange=messages", 3: "cluster:exchange=probe", 4: "grid", 7: "cluster:exchange=allgather",
	}
	for _, l := range launchers {
		for ranks, engine := range engines {
			t.Run(fmt.Sprintf("%s/%d", l.Name, ranks), func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "result.json")
				out, err := l.Command(ranks, hops, "graph500", "--scale", "10", "--roots", "2", "--skip-warm-up", "--engine", engine,
					"--to", "json", "--output", file).CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				r, err := report.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if r.Ranks != ranks || len(r.Searches) != 2 || r.Invalid != "" {
					t.Errorf("%d ranks, %d searches, %s", r.Ranks, len(r.Searches), r.Invalid)
				}
				for i, depths := range [][]int64{{1, 8, 500, 380, 8}, {1, 1, 463, 427, 5}} {
					if s := r.Searches[i]; s.Edges != 16_239 || !cmp.Equal(s.Depths, depths) {
						t.Errorf("search %d: %d edges, levels %v, want %v", i, s.Edges, s.Depths, depths)
					}
				}
				if !strings.Contains(string(out), fmt.Sprintf(", %d ranks\n", ranks)) || strings.Count(string(out), "Score: ") != 1 {
					t.Errorf("one rank speaks for all:\n%s", out)
				}
			})
		}
	}
}

// Under each MPI, ranks run both kernels on one graph, and each rank validates its part of
// the distances.
func TestBothKernelsUnderMPI(t *testing.T) {
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "result.json")
			out, err := l.Command(3, hops, "graph500", "--scale", "10", "--roots", "2", "--skip-warm-up", "--kernels", "bfs,sssp",
				"--engine", "cluster", "--to", "json", "--output", file).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			r, err := report.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if r.Ranks != 3 || len(r.Searches) != 2 || r.SSSP == nil || len(r.SSSP.Searches) != 2 || r.Invalid != "" {
				t.Fatalf("%d ranks, %d searches, %s", r.Ranks, len(r.Searches), r.Invalid)
			}
			for i, s := range r.SSSP.Searches {
				if s.Edges != 16_239 || s.Vertices != 897 {
					t.Errorf("search %d: %d edges and %d vertices", i, s.Edges, s.Vertices)
				}
			}
		})
	}
}
