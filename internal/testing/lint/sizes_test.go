package lint

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// maxWords is how many words all documents may have together, and documentLimits how many a
// document may have whose name begins so: what nobody can read to its end, nobody keeps true.
const maxWords = 45_000

var documentLimits = map[string]int{
	"README.md":       900,
	"CONTRIBUTING.md": 400, // a screen
	"docs/results/":   1_500,
	"docs/design/":    2_500,
}

// longDocuments may be longer, with the reason.
var longDocuments = map[string]string{
	"docs/results/verdicts-h200.md":      "has a row for each of the papers' 42 experiments",
	"docs/results/verdicts-two-cores.md": "has a row for each of the papers' 42 experiments",
}

// longer returns which documents have more words than they may, all of them together among them.
func longer(tree fs.FS) (problems []string, documents int, err error) {
	sum := 0
	err = fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "build" || d.Name() == "bin"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(file) != ".md":
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		words := len(strings.Fields(string(text)))
		documents, sum = documents+1, sum+words
		for prefix, most := range documentLimits {
			if strings.HasPrefix(file, prefix) && words > most && longDocuments[file] == "" {
				problems = append(problems, fmt.Sprintf("%s has %d words; at most %d", file, words, most))
			}
		}
		return err
	})
	if sum > maxWords {
		problems = append(problems, fmt.Sprintf("all documents have %d words; at most %d", sum, maxWords))
	}
	return problems, documents, err
}

func TestDocumentsAreShort(t *testing.T) {
	problems, documents, err := longer(os.DirFS("../../.."))
	if err != nil || documents < 30 {
		t.Fatalf("%d documents: %v", documents, err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

func TestLimitsOfDocumentsBite(t *testing.T) {
	words := func(n int) *fstest.MapFile { return &fstest.MapFile{Data: []byte(strings.Repeat("word ", n))} }
	for _, c := range []struct {
		file  string
		words int
		want  int
	}{
		{"README.md", 900, 0},
		{"README.md", 901, 1},
		{"docs/results/h200.md", 1_501, 1},
		{"docs/results/verdicts-h200.md", 1_501, 0},
		{"docs/design/cpu.md", 2_501, 1},
		{"docs/guide/gpu.md", maxWords, 0},
		{"docs/guide/gpu.md", maxWords + 1, 1},
		{"build/part.md", maxWords + 1, 0},
		{"main.go", maxWords + 1, 0},
	} {
		if problems, _, err := longer(fstest.MapFS{c.file: words(c.words)}); err != nil || len(problems) != c.want {
			t.Errorf("%s of %d words: %q, %v; want %d", c.file, c.words, problems, err, c.want)
		}
	}
}
