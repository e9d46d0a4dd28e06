//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gohops/hops/internal/oracle"
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
		if verb := pick(r, verbs...); verb.fits(x.file) && !(verb.slow && !chance(r, 8)) {
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
		if impossibleIsUsage && code != exitUsage {
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
var impossible = regexp.MustCompile(`\d+ ranks on \d+ hosts: impossible|want one of direct, nccl, mpi, host, of ranks with devices|a grid of \w+ is not one of \d+ ranks|plan: no step "\w+"|does not search for shortest paths|the engine has no kernel 3|apart=on gives each its own`)

// impossibleIsUsage says that such options must end with exit status 2, and not with any that is not 0.
const impossibleIsUsage = false

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

// A view is the graph that a question is about: that of the file, or the part that its flags leave.
type view struct {
	g     *oracle.Graph
	names []string
	place map[string]int
	args  []string // file and flags
}

// view draws what the next question is about.
func (x *soakCase) view() view {
	f := x.file
	v := view{g: f.g, names: f.names, args: append([]string{f.path}, f.flags...)}
	if n := f.g.Vertices(); n > 1 && chance(x.r, 6) {
		kept := 1 + x.r.IntN(n)
		list := x.r.Perm(n)
		keep := make([]bool, n)
		for _, u := range list[:kept] {
			keep[u] = true
		}
		flag := "--avoid"
		if list = list[kept:]; chance(x.r, 2) || slices.ContainsFunc(list, func(u int) bool { return f.names[u] == "" }) {
			flag, list = "--only", nil
			for u := range n {
				if keep[u] {
					list = append(list, u)
				}
			}
		}
		path := filepath.Join(x.folder, "vertices.txt")
		must(os.WriteFile(path, []byte(strings.Join(named(f.names, list), "\n")), 0o666))
		part, places := f.g.Part(func(u int) bool { return keep[u] })
		v.g, v.names, v.args = part, named(f.names, places), append(v.args, flag+"="+path)
	}
	if chance(x.r, 4) {
		v.args = append(v.args, fmt.Sprintf("--threads=%d", 1+x.r.IntN(5)))
	}
	v.place = make(map[string]int, len(v.names))
	for u, name := range v.names {
		v.place[name] = u
	}
	return v
}

// named are the names of vertices.
func named(names []string, vertices []int) []string {
	all := make([]string, len(vertices))
	for i, v := range vertices {
		all[i] = names[v]
	}
	return all
}

// some draws so many vertices of a view, each once.
func (v view) some(r *rand.Rand, count int) []int {
	return r.Perm(v.g.Vertices())[:min(count, v.g.Vertices())]
}

// errorf reports a failure together with the command.
func (x *soakCase) errorf(format string, args ...any) {
	x.t.Helper()
	message := fmt.Sprintf(format, args...)
	lines := strings.Split(strings.TrimSpace(message), "\n")
	x.c["FAILED "+x.last[0]+": "+withoutNumbers(lines[len(lines)-1])]++
	message = fmt.Sprintf("%s\nhops %s\n%s", x.about, shellWords(x.last), message)
	if *soakTime > 0 {
		fmt.Printf("soak: %s\n%s\n", x.t.Name(), message) // now, not when all is over
	}
	x.t.Error(message)
}

// withoutNumbers is the beginning of a message without its digits, so that messages can be counted.
func withoutNumbers(message string) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, message)
	return text[:min(len(text), 70)]
}

// shellWords is a command that can be pasted into a shell.
func shellWords(args []string) string {
	var all []string
	for _, a := range args {
		all = append(all, "'"+strings.ReplaceAll(a, "'", `'\''`)+"'")
	}
	return strings.Join(all, " ")
}

// same compares an answer with that of the oracle.
func (x *soakCase) same(what string, got, want any) bool {
	x.t.Helper()
	x.c["comparisons"]++
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		x.errorf("%s: %.300s, want %.300s", what, g, w)
		return false
	}
	return true
}

// near compares figures that may differ by rounding.
func (x *soakCase) near(what string, got, want, within float64) bool {
	x.t.Helper()
	x.c["comparisons"]++
	if got != want && !(math.Abs(got-want) <= within*max(1e-300, math.Abs(want))) {
		x.errorf("%s: %v, want %v", what, got, want)
		return false
	}
	return true
}

// object reads an answer in JSON. Numbers stay as they are written.
func (x *soakCase) object(out string, into any) bool {
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		x.errorf("%v in %.200s", err, out)
		return false
	}
	return true
}

// named is the vertex that an answer names.
func (x *soakCase) vertex(v view, name any) (int, bool) {
	place, ok := v.place[fmt.Sprint(name)]
	if !ok {
		x.errorf("there is no vertex %v", name)
	}
	return place, ok
}
