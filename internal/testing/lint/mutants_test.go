package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A mutant is the source with one fault: one comparison or one bound of a step is
// changed. The tests must notice each of them; a mutant that survives is a missing test.
// mutants.txt lists them.
var (
	runMutants  = flag.Bool("mutants", false, "run the tests on every mutant")
	onlyMutants = flag.String("mutants.only", "", "a pattern of file names or of text, to run only some mutants")
	mutantsOut  = flag.String("mutants.out", "", "file for the table of results, in Markdown")
)

type mutant struct {
	packages []string // that must notice it, in the order in which they are tried
	file     string
	was, is  string
}

// readMutants reads the table. A line in brackets names packages, an indented line with a sign is
// the text before or after the fault, and any other line is a file.
func readMutants(t *testing.T) (all []mutant) {
	t.Helper()
	text, err := os.ReadFile("mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	var m mutant
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			m.packages = strings.Fields(strings.Trim(line, "[]"))
		case strings.HasPrefix(line, "  - "):
			m.was = line[4:]
		case strings.HasPrefix(line, "  + "):
			m.is = line[4:]
			all = append(all, m)
		default:
			m.file = line
		}
	}
	return all
}

// mutated returns the text of the file with the fault.
func (m mutant) mutated() ([]byte, error) {
	text, err := os.ReadFile(filepath.Join("../../..", m.file))
	if err == nil && bytes.Count(text, []byte(m.was)) != 1 {
		err = fmt.Errorf("%s has %q %d times, want once: change the line in internal/testing/lint/mutants.txt as the code has changed",
			m.file, m.was, bytes.Count(text, []byte(m.was)))
	}
	return bytes.Replace(text, []byte(m.was), []byte(m.is), 1), err
}

// Every mutant is still one change of one place.
func TestMutantsAreCurrent(t *testing.T) {
	all := readMutants(t)
	if len(all) < 60 {
		t.Errorf("%d mutants; want at least 60", len(all))
	}
	for _, m := range all {
		if _, err := m.mutated(); err != nil {
			t.Error(err)
		}
		if m.was == m.is || len(m.packages) == 0 {
			t.Errorf("%s: %q is no mutant, or nobody tests it", m.file, m.is)
		}
	}
}

// All mutants are noticed by tests.
func TestMutants(t *testing.T) {
	if !*runMutants {
		t.Skip("make mutants runs them")
	}
	pattern, err := regexp.Compile(*onlyMutants)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	survived, runner := 0, mutantRunner{known: map[string]error{}, caught: map[string][]string{}}
	for _, m := range readMutants(t) {
		if !pattern.MatchString(m.file + " " + m.was) {
			continue
		}
		start := time.Now()
		by, err := runner.caughtBy(t, m)
		switch {
		case err != nil:
			t.Errorf("%s: %q → %q: %v", m.file, m.was, m.is, err)
			by = "**broken**"
		case by == "":
			t.Errorf("%s: %q → %q survives the tests of %v", m.file, m.was, m.is, m.packages)
			by = "**nobody**"
			survived++
		}
		row := fmt.Sprintf("| %s | `%s` | `%s` | %s |", m.file, cell(m.was), cell(m.is), by)
		rows = append(rows, row)
		fmt.Printf("%s %ds\n", row, int(time.Since(start).Seconds()))
	}
	fmt.Printf("%d mutants, %d survived\n", len(rows), survived)
	if *mutantsOut != "" {
		table := "| file | text | mutant | caught by |\n|---|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
		if err := os.WriteFile(*mutantsOut, []byte(table), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// cell is a text that does not end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "|", `\|`) }

// A mutantRunner remembers what it has learnt from the mutants before.
type mutantRunner struct {
	known  map[string]error    // whether tests fail without a mutant, too
	caught map[string][]string // the tests of a package that caught mutants, the last one first
}

// caughtBy returns the test that fails, or "" if none does. Tests that caught mutants before are tried
// first, then the short tests of all packages, then all tests.
func (r *mutantRunner) caughtBy(t *testing.T, m mutant) (string, error) {
	t.Helper()
	overlay, err := m.overlay(t.TempDir())
	if err != nil {
		return "", err
	}
	for _, p := range m.packages {
		if tests := r.caught[p]; len(tests) > 0 {
			if by, err := r.try(overlay, p, "-run", "^("+strings.Join(tests[:min(3, len(tests))], "|")+")$"); by != "" || err != nil {
				return by, err
			}
		}
	}
	for _, flags := range [][]string{{"-short"}, nil} {
		for _, p := range m.packages {
			if by, err := r.try(overlay, p, flags...); by != "" || err != nil {
				return by, err
			}
		}
	}
	return "", nil
}

// overlay writes the mutant into a folder, and beside it the file that names it to the go command.
func (m mutant) overlay(folder string) (string, error) {
	text, err := m.mutated()
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(filepath.Join("../../..", m.file))
	replacement, overlay := filepath.Join(folder, filepath.Base(m.file)), filepath.Join(folder, "overlay.json")
	files, _ := json.Marshal(map[string]map[string]string{"Replace": {file: replacement}})
	return overlay, errors.Join(err, os.WriteFile(replacement, text, 0o666), os.WriteFile(overlay, files, 0o666))
}

// try runs tests on a mutant. Those that fail must pass without it.
func (r *mutantRunner) try(overlay, pkg string, flags ...string) (string, error) {
	test, err := runMutant(overlay, pkg, flags)
	if test == "" || err != nil {
		return "", err
	}
	if strings.HasPrefix(test, "Test") {
		flags = []string{"-run", "^" + test + "$"}
		r.caught[pkg] = slices.Insert(slices.DeleteFunc(r.caught[pkg], func(s string) bool { return s == test }), 0, test)
	}
	key := pkg + " " + strings.Join(flags, " ")
	if _, ok := r.known[key]; !ok {
		again, err := runMutant("", pkg, flags)
		if r.known[key] = err; again != "" {
			r.known[key] = fmt.Errorf("%s: %s fails without a mutant", pkg, again)
		}
	}
	return pkg + ": " + test, r.known[key]
}

var (
	failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)
	// broken matches compilers: the mutant is no program.
	broken = regexp.MustCompile(`\[build failed\]|clBuildProgram|%Error: Exiting due to|\[setup failed\]`)
)

// runMutant runs the tests of a package, with an overlay unless that is empty, and returns the first
// that fails, or how they ended without one. The sum of the
// kernels' sources is not tested: it notices any change.
func runMutant(overlay, pkg string, flags []string) (test string, err error) {
	args := slices.Concat([]string{"test", "-overlay=" + overlay, "-vet=off", "-count=1", "-failfast", "-timeout", "10m", "-skip", "TestPTX"}, flags, []string{"./" + pkg})
	cmd := exec.Command("go", args...)
	cmd.Dir = "../../.."
	out, err := cmd.CombinedOutput()
	_ = os.RemoveAll(filepath.Join("../../..", pkg, "testdata", "rapid")) // what rapid found wrong with the mutant
	if err == nil {
		return "", nil
	}
	if broken.Match(out) {
		return "", fmt.Errorf("does not compile:\n%s", out)
	}
	name := "a crash"
	if f := failed.FindSubmatch(out); f != nil {
		name = string(f[1])
	} else if bytes.Contains(out, []byte("panic: test timed out")) {
		name = "a test that never ends"
	} else if bytes.Contains(out, []byte("unexpected fault address")) {
		name = "a fault at a guard page"
	}
	return name, nil
}
