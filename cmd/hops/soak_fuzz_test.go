//go:build unix

package main

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fuzzTime is how long a target runs in one case. Shorter turns visit all targets in a
// short soak; the corpus that a turn found is kept by the go command for the next.
const fuzzTime = "20s"

// A fuzzTarget is a function of a package.
type fuzzTarget struct{ folder, name string }

var (
	targetLine = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	executions = regexp.MustCompile(`execs: (\d+) `)
)

// fuzzTargets finds the targets of the repository.
func fuzzTargets(t *testing.T) (targets []fuzzTarget) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || e.Name() == "build" || strings.HasPrefix(e.Name(), ".") && path != "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(filepath.Join("../..", path))
		for _, m := range targetLine.FindAllSubmatch(text, -1) {
			targets = append(targets, fuzzTarget{filepath.Dir(path), string(m[1])})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return targets
}

// soakFuzz runs one fuzz target for a while, and counts the executions.
func soakFuzz(t *testing.T, r *rand.Rand, c counts) {
	x := pick(r, fuzzTargets(t)...)
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+x.name+"$", "-fuzztime", fuzzTime, "-fuzzminimizetime", "20x", "-parallel", "2", "./"+x.folder)
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	// On a busy machine the go command may say that its own time was up, which is no input.
	if err != nil && !(bytes.Contains(out, []byte("context deadline exceeded")) && !bytes.Contains(out, []byte("Failing input"))) {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	all := executions.FindAllSubmatch(out, -1)
	if len(all) == 0 {
		t.Fatalf("%s: no executions\n%s", cmd, out)
	}
	n, _ := strconv.ParseInt(string(all[len(all)-1][1]), 10, 64)
	c["executions"] += n
	c["executions of "+x.folder] += n
}

// Every kind of reader and decoder has a target that the soak finds.
func TestSoakFindsFuzzTargets(t *testing.T) {
	found := map[string]bool{}
	for _, x := range fuzzTargets(t) {
		found[x.folder] = true
	}
	for _, folder := range []string{"graph", "edge", "edge/format", "report", "internal/base/learn", "internal/ranks/packet", "internal/ranks/gather", "internal/base/spec", "internal/page/explore"} {
		if !found[folder] {
			t.Errorf("no target in %s", folder)
		}
	}
}
