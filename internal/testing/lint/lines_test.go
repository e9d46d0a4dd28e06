package lint

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// Size is a feature: lines.txt has how many lines of code each package may have, and all of them
// together. A line of code is neither blank nor a comment alone, in a Go file that is no test.
// Numbers go down with the code. A commit that raises one says what the lines buy.

var writeLines = flag.Bool("lines", false, "write lines.txt: the lines of code that each package has")

var noCode = regexp.MustCompile(`^\s*(//.*)?$`)

// allPackages is the row of lines.txt for the sum.
const allPackages = "all"

// codeLines counts the lines of code of each package, those of other modules in the tree included.
func codeLines(tree fs.FS) (map[string]int, error) {
	counts := make(map[string]int)
	err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(outputs, file)):
			return fs.SkipDir
		case d.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		for line := range strings.Lines(string(text)) {
			if !noCode.MatchString(strings.TrimRight(line, "\n")) {
				counts[path.Dir(file)]++
				counts[allPackages]++
			}
		}
		return err
	})
	return counts, err
}

// readLimits reads lines of a name and a number.
func readLimits(text string) (map[string]int, error) {
	limits := make(map[string]int)
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("%q: want a package and a number", line)
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		limits[fields[0]] = n
	}
	return limits, nil
}

// overLimit returns which packages are larger than they may be, and which numbers are stale.
func overLimit(counts, limits map[string]int) (problems []string) {
	names := maps.Clone(limits)
	maps.Copy(names, counts)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		n, there := counts[name]
		limit, known := limits[name]
		switch {
		case !known:
			problems = append(problems, fmt.Sprintf("%s has %d lines of code and no row in lines.txt: add it", name, n))
		case !there:
			problems = append(problems, fmt.Sprintf("%s has no code: remove its row from lines.txt", name))
		case n > limit:
			problems = append(problems, fmt.Sprintf("%s has %d lines of code; lines.txt allows %d: delete some, or raise the number in a commit that says what the lines buy", name, n, limit))
		case limit-n > max(20, n*3/100):
			problems = append(problems, fmt.Sprintf("%s has %d lines of code; lines.txt allows %d: lower the number", name, n, limit))
		}
	}
	return problems
}

func TestLinesOfCode(t *testing.T) {
	counts, err := codeLines(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	if *writeLines {
		text := "# Lines of code that each package may have: see lines_test.go.\n"
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			text += fmt.Sprintf("%s %d\n", name, counts[name])
		}
		if err := os.WriteFile("lines.txt", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	limits, err := readLimits(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range overLimit(counts, limits) {
		t.Error(p)
	}
}

func TestCodeLinesAreCounted(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	got, err := codeLines(fstest.MapFS{
		"a.go":         file("// Package a.\npackage a\n\n\t// why\nvar x = 1 // one"),
		"b/b.go":       file("package b\n"),
		"b/b_test.go":  file("package b\n"),
		"b/go.mod":     file("module b\n"),
		"build/c.go":   file("package c\n"),
		".hidden/d.go": file("package d\n"),
		"note.md":      file("word\n"),
	})
	if want := map[string]int{".": 2, "b": 1, "all": 3}; err != nil || !maps.Equal(got, want) {
		t.Errorf("counted %v, %v; want %v", got, err, want)
	}
}

func TestLimitsOfLinesBite(t *testing.T) {
	for _, c := range []struct {
		lines, limit int
		want         string
	}{
		{100, 100, ""},
		{101, 100, "delete some"},
		{100, 120, ""},
		{100, 121, "lower the number"},
		{10_000, 10_300, ""},
		{10_000, 10_301, "lower the number"},
	} {
		problems := overLimit(map[string]int{"a": c.lines}, map[string]int{"a": c.limit})
		if got := strings.Join(problems, ""); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d lines where %d are allowed: %q, want %q", c.lines, c.limit, got, c.want)
		}
	}
	if got := overLimit(map[string]int{"new": 1}, map[string]int{"old": 1}); len(got) != 2 {
		t.Errorf("a new and an old package: %q", got)
	}
	for _, text := range []string{"a", "a b", "a 1 2"} {
		if _, err := readLimits(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
