package lint

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	// namedTest matches a package and one of its tests or fuzz targets, such as "graph TestSave" or, for
	// a script of cmd/hops, "cmd/hops TestScripts/output".
	namedTest = regexp.MustCompile(`([a-z][a-z0-9]*(?:/[a-z0-9]+)*) ((?:Test|Fuzz)[A-Z]\w*)(?:/([a-z0-9]+))?`)
	// command matches what is typed in a script, and not what a file of a graph holds.
	command = regexp.MustCompile(`(?m)^(exec|exits|interrupt|stdout|stderr|grep|cmp|! (exec|stdout|stderr|grep)) .*$`)
	section = regexp.MustCompile(`(?m)^-- .+ --$`)
)

// absent returns the tests that a text names and that are not in the tree, and how many it names.
func absent(tree fs.FS, text string) (missing []string, named int) {
	for _, m := range namedTest.FindAllStringSubmatch(text, -1) {
		named++
		if !hasTest(tree, m[1], m[2]) {
			missing = append(missing, m[0])
		} else if m[2] == "TestScripts" && m[3] != "" {
			if _, err := fs.Stat(tree, path.Join(m[1], "testdata/script", m[3]+".txt")); err != nil {
				missing = append(missing, m[0])
			}
		}
	}
	return missing, named
}

func hasTest(tree fs.FS, pkg, test string) bool {
	files, _ := fs.Glob(tree, pkg+"/*_test.go")
	for _, file := range files {
		if text, err := fs.ReadFile(tree, file); err == nil && strings.Contains(string(text), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}

// The tests that the pages on robustness name are there.
func TestNamedTestsExist(t *testing.T) {
	tree := os.DirFS("../../..")
	for _, page := range []string{"docs/results/robustness.md", "docs/results/mutants.md"} {
		text, err := fs.ReadFile(tree, page)
		if err != nil {
			t.Fatal(err)
		}
		missing, named := absent(tree, string(text))
		for _, test := range missing {
			t.Errorf("%s names %s, which does not exist", page, test)
		}
		if named < 20 {
			t.Errorf("%s names %d tests: too few", page, named)
		}
	}
	for text, want := range map[string]int{
		"graph TestSave, cmd/hops TestScripts/output and graph FuzzOpen": 0,
		"graph TestSaved":                  1,
		"cmd/hops TestScripts/absent":      1,
		"graph/absent TestSave, TestAlone": 1,
	} {
		if missing, _ := absent(tree, text); len(missing) != want {
			t.Errorf("%q: %q, want %d", text, missing, want)
		}
	}
}

// unread returns the commands of a script that nobody runs, because they are in a file of it.
func unread(script string) []string {
	if first := section.FindStringIndex(script); first != nil {
		return command.FindAllString(script[first[0]:], -1)
	}
	return nil
}

// All commands of a script stand before its files.
func TestScriptsAreRunToTheEnd(t *testing.T) {
	tree := os.DirFS("../../..")
	files, err := fs.Glob(tree, "cmd/hops/testdata/script/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range unread(string(text)) {
			t.Errorf("%s: %q is within a file and never runs", file, line)
		}
	}
	if got := unread("exec hops\n-- a.txt --\n1 2\nexec hops info\n"); len(got) != 1 {
		t.Errorf("%q of a script with a lost command", got)
	}
}
