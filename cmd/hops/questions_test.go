package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/device/mpi/mpitest"
)

// enginesToAsk are engines that can answer on this machine.
func enginesToAsk(t *testing.T) []string {
	names := []string{"cpu:direction=bottom-up", "cluster:ranks=2", "cluster:ranks=3,exchange=probe", "grid:ranks=4,hosts=2", "cygraph"}
	if _, err := gpu.DeviceName(gpu.Options{Driver: "opencl"}); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		return names
	}
	return append(names, "gpu:driver=opencl", "adaptive:driver=opencl")
}

// findsPaths tells whether an engine searches by weight.
func findsPaths(engine string) bool {
	kind, options, _ := strings.Cut(engine, ":")
	return kind == "cpu" || kind == "cluster" || kind == "gpu" && !strings.Contains(options, "parts")
}

// kroneckerFile writes a graph file, with these flags of convert.
func kroneckerFile(t *testing.T, scale string, flags ...string) string {
	t.Helper()
	list, own := filepath.Join(t.TempDir(), "list.el"), filepath.Join(t.TempDir(), "graph.hops")
	ask(t, exitOK, "generate", "--scale", scale, "--to", "el", "--output", list)
	ask(t, exitOK, append([]string{"convert", list, own}, flags...)...)
	return own
}

// Every engine answers every question as the cpu engine does.
func TestEnginesAnswerAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("the engines have short tests of their own")
	}
	file := kroneckerFile(t, "10")
	pairs := filepath.Join(t.TempDir(), "pairs.txt")
	if err := os.WriteFile(pairs, []byte("3 6\n3 9\n17 3\n6 6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	questions := [][]string{
		{"bfs", file, "--root", "3", "--levels", "-"},
		{"bfs", file, "--root", "3", "--levels", "-", "--within", "2"},
		{"closeness", file, "3", "6", "9", "17"},
		{"closeness", file, "3", "6", "9", "17", "--within", "2"},
		{"info", file},
	}
	for _, engine := range enginesToAsk(t) {
		t.Run(engine, func(t *testing.T) {
			for _, q := range questions {
				if got, want := ask(t, exitOK, append(q, "--engine", engine)...), ask(t, exitOK, q...); !bytes.Equal(got, want) {
					t.Errorf("%v:\n%s\nwant\n%s", q, got, want)
				}
			}
			found := asJSON[pairsAnswer](t, exitOK, "path", file, "--pairs", pairs, "--engine", engine)
			want := asJSON[pairsAnswer](t, exitOK, "path", file, "--pairs", pairs)
			for i, p := range found.Paths { // there may be several shortest paths
				if p.Hops != want.Paths[i].Hops || len(p.Path) != p.Hops+1 || p.Path[0] != p.From || p.Path[p.Hops] != p.To {
					t.Errorf("%+v, want %+v", p, want.Paths[i])
				}
			}
			limited := asJSON[bfsAnswer](t, exitOK, "bfs", file, "--root", "3", "--within", "2", "--engine", engine)
			if want := asJSON[bfsAnswer](t, exitOK, "bfs", file, "--root", "3", "--within", "2"); limited.Reached != want.Reached || limited.Depth != 2 {
				t.Errorf("%+v, want %+v", limited, want)
			}
		})
	}
}

// weightedFile writes an edge list with weights, of which some are whole numbers whose sums
// need more than 24 bits.
func weightedFile(t *testing.T) string {
	t.Helper()
	r, text := rand.New(rand.NewPCG(8, 9)), []byte("from,to,weight\n")
	for range 900 {
		weight := strconv.FormatFloat(float64(r.Float32()), 'g', -1, 32)
		if r.IntN(3) == 0 {
			weight = strconv.Itoa(1 + r.IntN(1<<24))
		}
		text = fmt.Appendf(text, "%d,%d,%s\n", r.IntN(1+r.IntN(250)), r.IntN(250), weight)
	}
	file := filepath.Join(t.TempDir(), "weights.csv")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Every engine that searches by weight finds the same distances, in every digit.
func TestEnginesFindTheSameDistances(t *testing.T) {
	if testing.Short() {
		t.Skip("the engines have short tests of their own")
	}
	file := weightedFile(t)
	for _, flags := range [][]string{nil, {"--directed"}} {
		q := append([]string{"sssp", file, "--root", "0", "--distances", "-", "-q"}, flags...)
		want := ask(t, exitOK, q...)
		if bytes.Count(want, []byte("\n")) < 100 {
			t.Fatalf("%v reaches few vertices:\n%s", q, want)
		}
		for _, engine := range enginesToAsk(t) {
			if !findsPaths(engine) {
				ask(t, exitUsage, append(q, "--engine", engine)...)
			} else if got := ask(t, exitOK, append(q, "--engine", engine)...); !bytes.Equal(got, want) {
				t.Errorf("%v, %s:\n%s\nwant\n%s", q, engine, got, want)
			}
		}
	}
}

// Every engine finds the distances that NetworkX finds. Only cygraph may say that it takes
// no directed graph.
func TestEnginesOnRealGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("the engines have short tests of their own")
	}
	for _, g := range networkxAnswers(t) {
		file := filepath.Join("../../edge/format/testdata/real", g.File)
		if _, err := os.Stat(file); err != nil {
			continue
		}
		for _, engine := range enginesToAsk(t) {
			t.Run(filepath.Join(append([]string{engine, g.File}, g.Flags...)...), func(t *testing.T) {
				s, with := g.Searches[0], g
				with.Flags = append(g.Flags[:len(g.Flags):len(g.Flags)], "--engine", engine)
				if g.Directed && engine == "cygraph" && !takesDirected(t, file, s.Root, with.Flags) {
					return
				}
				if got := with.distances(t, file, s.Root); !maps.Equal(got, s.Distances) {
					t.Errorf("from %s: distances %v, want %v", s.Root, got, s.Distances)
				}
			})
		}
	}
}

// takesDirected tells whether a search ends without the message that the graph is
// directed.
func takesDirected(t *testing.T, file, root string, flags []string) bool {
	t.Helper()
	var out, stderr bytes.Buffer
	code := run(append([]string{"bfs", file, "--root", root, "-q"}, flags...), &out, &stderr)
	refused := strings.Contains(stderr.String(), ": the graph is directed")
	if refused != (code == exitFailure) {
		t.Errorf("ends with %d: %s", code, &stderr)
	}
	return !refused
}

// Under a launcher every rank opens the file, and one answers for all.
func TestQuestionsUnderMPI(t *testing.T) {
	launchers := mpitest.Launchers(t)
	hops, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	file, directed, weighted := kroneckerFile(t, "10"), kroneckerFile(t, "10", "--directed"), weightedFile(t)
	for _, l := range launchers {
		for ranks, engine := range map[int]string{1: "cluster", 3: "", 4: "grid"} {
			t.Run(fmt.Sprintf("%s/%d", l.Name, ranks), func(t *testing.T) {
				for _, q := range [][]string{
					{"bfs", file, "--root", "3", "--levels", "-", "-q"},
					{"closeness", file, "3", "6", "-q"},
					{"info", file, "-q"},
					{"bfs", directed, "--root", "3", "--levels", "-", "-q"},
					{"closeness", directed, "3", "6", "-q"},
					{"info", directed, "-q"},
					{"sssp", weighted, "--root", "0", "--distances", "-", "-q"},
				} {
					if q[0] == "sssp" && engine == "grid" {
						continue // it does not search by weight
					}
					want := ask(t, exitOK, q...)
					got, err := l.Command(ranks, append([]string{hops}, withEngine(q, engine)...)...).Output()
					if err != nil || !bytes.Equal(got, want) {
						t.Errorf("%v: %v\n%s\nwant\n%s", q, stderrOf(err), got, want)
					}
				}
			})
		}
		_, err := l.Command(2, hops, "bfs", file+"-none", "--root", "3").Output()
		if text := stderrOf(err); !strings.Contains(text, "hops: open "+file+"-none") {
			t.Errorf("%s: no file: %s", l.Name, text)
		}
	}
}

func withEngine(question []string, engine string) []string {
	if engine == "" {
		return question
	}
	return append(question, "--engine", engine)
}

func stderrOf(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Sprintf("%v: %s", err, exit.Stderr)
	}
	return fmt.Sprint(err)
}
