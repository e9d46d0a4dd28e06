package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var pinned = regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// Actions of others are named by the hash of a commit, which nobody can move as one can
// move a tag, and workflows may do no more than they say.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var workflow struct{ Permissions map[string]string }
		if err := yaml.Unmarshal(text, &workflow); err != nil || len(workflow.Permissions) != 1 {
			t.Errorf("%s: permissions %v: %v", file, workflow.Permissions, err)
		}
		for line := range strings.Lines(string(text)) {
			if _, action, ok := strings.Cut(line, "uses: "); ok && !pinned.MatchString(strings.TrimSpace(action)) {
				t.Errorf("%s: %s is not pinned by a commit", file, action)
			}
		}
	}
}

// Dependabot is told of every module.
func TestDependabotKnowsAllModules(t *testing.T) {
	text, err := os.ReadFile("../.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Updates []struct{ Directories []string }
	}
	if err := yaml.Unmarshal(text, &config); err != nil || len(config.Updates) == 0 {
		t.Fatal("no updates: ", err)
	}
	var modules []string
	for _, pattern := range []string{"../go.mod", "../*/go.mod", "../*/*/go.mod"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			modules = append(modules, filepath.Dir(strings.TrimPrefix(file, "..")))
		}
	}
	slices.Sort(modules)
	if known := slices.Sorted(slices.Values(config.Updates[0].Directories)); !slices.Equal(known, modules) {
		t.Errorf("dependabot looks at %q; the modules are in %q", known, modules)
	}
}
