package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	sessions = regexp.MustCompile("(?ms)^```\n(\\$ .*?)^```")
	timings  = regexp.MustCompile(`found in [0-9.]+ [a-zµ]+`)
)

// The sessions of the README print what it says, but for times.
func TestReadmeSessions(t *testing.T) {
	text := checkSessions(t, "README.md", 4)
	if install, use := strings.Index(text, "go install "), strings.Index(text, "\nhops graph500"); install < 0 || use < install {
		t.Error("the README uses hops before it says how to get it")
	}
}

// So do those of the guide to questions.
func TestGuideSessions(t *testing.T) { checkSessions(t, "docs/guide/questions.md", 20) }

// checkSessions runs the commands of a page, of which there are at least so many, and
// returns the page.
func checkSessions(t *testing.T, page string, least int) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, session := range sessions.FindAllStringSubmatch(string(text), -1) {
		dir := t.TempDir()
		if err := os.Symlink(filepath.Join(root, "edge"), filepath.Join(dir, "edge")); err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+session[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			run := exec.Command("sh", "-c", command)
			run.Dir = dir
			got, err := run.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v: %s", command, err, got)
			}
			if lines(string(got)) != lines(want) {
				t.Errorf("%s prints\n%swhere %s has\n%s", command, got, page, want)
			}
			commands++
		}
	}
	if commands < least {
		t.Errorf("%s has %d commands", page, commands)
	}
	return string(text)
}

func lines(output string) string {
	return strings.TrimRight(timings.ReplaceAllString(output, "found in TIME"), "\n")
}
