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
	text, err := os.ReadFile(filepath.Join("../..", m.file))
	if err == nil && bytes.Count(text, []byte(m.was)) != 1 {
		err = fmt.Errorf("%s has %q %d times, want once: change the line in internal/lint/mutants.txt as the code has changed",
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
	survived, sound := 0, soundness()
	for _, m := range readMutants(t) {
		if !pattern.MatchString(m.file + " " + m.was) {
			continue
		}
		start := time.Now()
		by, err := m.caughtBy(t, sound)
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

// caughtBy returns the test that fails, or "" if none does. All packages are tried with short tests
// first.
func (m mutant) caughtBy(t *testing.T, sound func(pkg string, flags []string) error) (string, error) {
	t.Helper()
	text, err := m.mutated()
	if err != nil {
		return "", err
	}
	folder := t.TempDir()
	file, err := filepath.Abs(filepath.Join("../..", m.file))
	if err != nil {
		return "", err
	}
	replacement, overlay := filepath.Join(folder, filepath.Base(m.file)), filepath.Join(folder, "overlay.json")
	files, _ := json.Marshal(map[string]map[string]string{"Replace": {file: replacement}})
	for name, content := range map[string][]byte{replacement: text, overlay: files} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			return "", err
		}
	}
	for _, flags := range [][]string{{"-short"}, nil} {
		for _, p := range m.packages {
			if by, err := runMutant(overlay, p, flags); by != "" || err != nil {
				return by, errors.Join(err, sound(p, flags))
			}
		}
	}
	return "", nil
}

// soundness returns a function that tells, by running them once, whether the tests of a package
// fail without a mutant, too.
func soundness() func(pkg string, flags []string) error {
	known := map[string]error{}
	return func(pkg string, flags []string) error {
		key := pkg + strings.Join(flags, " ")
		if _, ok := known[key]; !ok {
			by, err := runMutant("", pkg, flags)
			if known[key] = err; by != "" {
				known[key] = fmt.Errorf("%s fails without a mutant", by)
			}
		}
		return known[key]
	}
}

var (
	failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)
	// broken matches compilers: the mutant is no program.
	broken = regexp.MustCompile(`\[build failed\]|clBuildProgram|%Error|\[setup failed\]`)
)

// runMutant runs the tests of a package, with an overlay unless that is empty. The sum of the
// kernels' sources is not tested: it notices any change.
func runMutant(overlay, pkg string, flags []string) (by string, err error) {
	args := slices.Concat([]string{"test", "-overlay=" + overlay, "-vet=off", "-count=1", "-failfast", "-timeout", "10m", "-skip", "TestPTX"}, flags, []string{"./" + pkg})
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	_ = os.RemoveAll(filepath.Join("../..", pkg, "testdata", "rapid")) // what rapid found wrong with the mutant
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
	return pkg + ": " + name, nil
}
