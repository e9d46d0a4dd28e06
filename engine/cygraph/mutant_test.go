package cygraph

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gohops/hops/hdl"
)

// mutant is the design with one expression replaced.
func mutant(t *testing.T, file, was, is string) fs.FS {
	t.Helper()
	tree := fstest.MapFS{}
	err := fs.WalkDir(hdl.Sources, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(hdl.Sources, path)
		if path == file {
			if strings.Count(string(text), was) != 1 {
				return fmt.Errorf("%s does not contain %q once", file, was)
			}
			text = []byte(strings.Replace(string(text), was, is, 1))
		}
		tree[path] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// The comparison with the model notices the mistakes that the architecture
// invites.
func TestSeededBugsAreCaught(t *testing.T) {
	for _, m := range []struct{ name, was, is string }{
		{"lost reservation", "here && !here_start && reserved == 0 && demand != 0", "here && !here_start && demand != 0"},
		{"early done: a word waits for a reservation", "&& !cutting && next_empty && writes_used == 0", "&& !cutting && (next_empty || !rst) && writes_used == 0"},
		{"early done: a write is under way", "&& next_empty && writes_used == 0", "&& next_empty && (writes_used == 0 || !rst)"},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			sim := newSimulator(t, mutant(t, "cygraph_kernel.sv", m.was, m.is), designs[1])
			for n := range 25 {
				if err := disagreement(t, sim, draw(designs[1], n)); err != nil {
					t.Log(err)
					return
				}
			}
			t.Error("not noticed")
		})
	}
}
