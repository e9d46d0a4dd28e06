//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops/internal/testing/oracle"
)

// A soakCase is a graph in a file, of which all verbs are asked.
type soakCase struct {
	t      *testing.T
	r      *rand.Rand
	c      counts
	folder string
	about  string
	file   soakFile
	last   []string // the command that was run last
}

// soakGraphs asks questions of a random graph by the command line, and compares the answers with
// those of the oracle.
func soakGraphs(t *testing.T, r *rand.Rand, c counts) {
	x := &soakCase{t: t, r: r, c: c, folder: caseFolder(t)}
	x.file, x.about = drawFile(r, x.folder, c)
	t.Log(x.about)
	c["graphs"]++
	c["vertices"] += int64(x.file.g.Vertices())
	if chance(r, 2) {
		x.finish()
	}
	for range 3 + r.IntN(7) {
		if verb := pick(r, verbs...); verb.fits(x.file) && !(verb.slow && !chance(r, 20)) {
			c["verb: "+verb.name]++
			verb.ask(x)
		}
	}
}

// caseFolder is a folder for the files of a case. Those of a case that failed stay, if -soak.keep says where.
func caseFolder(t *testing.T) string {
	if *soakKeep == "" {
		return t.TempDir()
	}
	folder, err := filepath.Abs(filepath.Join(*soakKeep, strings.ReplaceAll(t.Name(), "/", "-")))
	must(err)
	must(os.MkdirAll(folder, 0o777))
	t.Cleanup(func() {
		if !t.Failed() {
			must(os.RemoveAll(folder))
		}
	})
	return folder
}

// finish has the graph converted to a graph file, of which questions are asked from now on.
func (x *soakCase) finish() {
	path := filepath.Join(x.folder, "graph.hops")
	args := append([]string{"convert", x.file.path, path}, x.file.flags...)
	if x.file.weighted {
		args = append(args, "--weights")
	}
	if _, ok := x.answer(exitOK, args...); ok {
		x.file.path, x.file.flags, x.file.form = path, nil, graphFile
	}
}

// ask runs the program in this process.
func (x *soakCase) ask(args ...string) (out string, code int) {
	x.last = args
	soakCommand.Store(&args)
	var stdout, stderr bytes.Buffer
	start := time.Now()
	code = run(args, &stdout, &stderr)
	x.c["commands"]++
	x.c["µs in "+args[0]] += time.Since(start).Microseconds()
	if code != exitOK {
		return stderr.String(), code
	}
	return stdout.String(), code
}

// answer asks, and wants that exit status. ok tells that there is an answer to be compared.
func (x *soakCase) answer(want int, args ...string) (out string, ok bool) {
	x.t.Helper()
	out, code := x.ask(args...)
	if code != want {
		x.errorf("exit status %d, want %d: %s", code, want, out)
	}
	return out, code == want && want == exitOK
}

// search asks a question that takes an engine. It may be refused: with exit status 2 if its options do
// not go together, or if there are no such searches.
func (x *soakCase) search(d drawnEngine, args ...string) (out string, ok bool) {
	x.t.Helper()
	start := time.Now()
	out, code := x.ask(append(args, d.flags()...)...)
	x.c["µs on "+d.name] += time.Since(start).Microseconds()
	switch {
	case d.refused != nil:
		if code != exitUsage {
			x.errorf("exit status %d, though there is no such engine: %v", code, d.refused)
		}
	case code != exitOK && impossible.MatchString(out):
		x.c["impossible: "+impossible.FindString(out)]++
		if code != exitUsage && !missing.MatchString(out) {
			x.errorf("exit status %d, want %d: %s", code, exitUsage, out)
		}
	case code != exitOK:
		x.errorf("exit status %d: %s", code, out)
	default:
		return out, true
	}
	return "", false
}

// impossible is what engines say of options that each are good, and together, or for this verb, are not.
var impossible = regexp.MustCompile(`\d+ ranks on \d+ hosts: impossible|want one of direct, nccl, mpi, host, of ranks with devices|a grid of \w+ is not one of \d+ ranks|plan: no step "\w+"|does not search for shortest paths|the engine has no kernel 3|apart=on gives each its own|memory of this driver has no address`)

// missing is what they say where it depends on the machine.
var missing = regexp.MustCompile(`memory of this driver has no address`)

// flags name the engine. That of the verb's own choice has none.
func (d drawnEngine) flags() []string {
	if d.text == "" {
		return nil
	}
	return []string{"--engine=" + d.text}
}

// engine draws an engine for a search of a graph, or leaves the choice to the verb.
func (x *soakCase) engine(g *oracle.Graph, match func(e engine) bool) drawnEngine {
	if chance(x.r, 8) {
		return drawnEngine{}
	}
	return drawEngine(x.r, x.c, func(e engine) bool {
		switch {
		case (e.name == "gpu" || e.name == adaptiveEngine) && !slices.Contains(workingDrivers(), "cuda") && !chance(x.r, 60):
			return false // they take seconds without a GPU
		case e.name == "cygraph" && (g.Directed || g.Vertices()+len(g.Edges()) > 4000): // it counts cycles
			return false
		}
		return match(e)
	})
}

func anyEngine(engine) bool { return true }
