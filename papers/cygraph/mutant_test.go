package cygraph

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gohops/hops/papers/hdl"
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
	for _, m := range []struct{ name, file, was, is string }{
		{"lost reservation", "cygraph_kernel.sv", "here && !here_start && reserved == 0 && demand != 0", "here && !here_start && demand != 0"},
		{
			"early done: a word waits for a reservation", "cygraph_kernel.sv",
			"!cutting && pushed == set_aside;\n    assign done      = p4_done && word_empty && ids_empty && rows_empty && next_empty;",
			"!cutting && (pushed == set_aside || !rst);\n    assign done      = p4_done && word_empty && ids_empty && rows_empty && (next_empty || !rst);",
		},
		{"early answer to a flush: a write is under way", "cygraph_axi.sv", "flushing && under_way == 0", "flushing && (under_way == 0 || !rst)"},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			sim := newSimulator(t, mutant(t, m.file, m.was, m.is), designs[1])
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
