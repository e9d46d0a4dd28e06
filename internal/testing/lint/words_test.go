package lint

import (
	"fmt"
	"go/ast"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A usage is a word that must not be used in some folders, because readers there had to
// guess its meaning.
type usage struct {
	word    string   // lower case; matches comments and parts of identifiers
	folders []string // a folder after a minus sign is exempt
	instead string
}

// everywhere is the folder prefix of all files.
const everywhere = ""

// usages holds for comments and identifiers of Go files other than tests, and, if the
// folders include it, for documents. This package is exempt, since it names the words.
var usages = []usage{
	{"aside", []string{everywhere}, "left out, beside or except"},
	{"alliance", []string{everywhere}, "parts"},
	{"bend", []string{everywhere}, "inner vertex of a chain"},
	{"crew", []string{everywhere}, "blocks of a part"},
	{"desk", []string{everywhere, "-engine/gpu"}, "buffer, inbox or queue"},
	{"heavy", []string{everywhere, "-engine/cluster", "-cmd/hops", "-docs", "-sssp", "-papers"}, "hub, extreme row on a GPU, or heavy vertex in the engine of Checconi's paper"},
	{"herald", []string{everywhere}, "watchdog"},
	{"hire", []string{everywhere}, "add a worker"},
	{"letter", []string{"internal/ranks/launch", "internal/ranks/rank"}, "packet or message"},
	{"mailroom", []string{everywhere}, "transport, inbox or outbox"},
	{"meeting", []string{everywhere, "-query"}, "rendezvous, barrier or collective"},
	{"mindful", []string{everywhere}, "say what it takes into account"},
	{"nap", []string{everywhere}, "sleep"},
	{"patience", []string{everywhere}, "timeout, or the number of polls"},
	{"patient", []string{everywhere}, "say what it waits for"},
	{"seat", []string{everywhere}, "the CPUs that a worker is bound to"},
	{"settle", settledElsewhere, "the verb for what happens: finish, decide, pad"},
	{"settled", settledElsewhere, "finished or decided"},
	{"sieve", []string{everywhere}, "summary"},
	{"waker", []string{everywhere}, "candidate"},
	{"weave", []string{everywhere}, "slot graph"},
}

// settledElsewhere are the folders in which nothing is settled. Shortest paths settle
// vertices: that is the field's word.
var settledElsewhere = []string{everywhere, "-check", "-cmd/hops", "-docs", "-edge/format", "-engine", "-graph500", "-sssp"}

// words reports banned words in the comments and identifiers of a file.
func (c *checker) words(f file) {
	if f.test() || path.Dir(f.path) == "internal/testing/lint" {
		return
	}
	for _, group := range f.ast.Comments {
		for _, line := range group.List {
			c.banned(f.path, f.at(line.Pos()), wordsOf(line.Text))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && declares(id) {
			c.banned(f.path, f.at(id.Pos()), parts(id.Name))
		}
		return true
	})
}

// declares tells whether an identifier is not a use of another one in the same file, so
// that a word is reported once.
func declares(id *ast.Ident) bool { return id.Obj == nil || id.Obj.Pos() == id.Pos() }

// documents reports banned words in the guides and in the pages on design.
func (c *checker) documents(root fs.FS) error {
	guides, _ := fs.Glob(root, "docs/guide/*.md") // only a malformed pattern is an error
	design, _ := fs.Glob(root, "docs/design/*.md")
	for _, name := range append(guides, design...) {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			c.banned(name, fmt.Sprintf("%s:%d", name, number), wordsOf(line))
		}
	}
	return nil
}

// banned reports the words that must not be used in a file.
func (c *checker) banned(name, where string, words []string) {
	for _, u := range usages {
		if slices.Contains(words, u.word) && u.covers(name) {
			c.report(where, "says %q; say: %s", u.word, u.instead)
		}
	}
}

func (u usage) covers(name string) bool {
	within := func(folder string) bool { return folder == everywhere || strings.HasPrefix(name, folder+"/") }
	exempt := func(folder string) bool { return folder != everywhere && folder[0] == '-' && within(folder[1:]) }
	return slices.ContainsFunc(u.folders, within) && !slices.ContainsFunc(u.folders, exempt)
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

// parts returns the words of an identifier in lower case: "newMailRoom" has three.
func parts(identifier string) []string {
	var words []string
	start := 0
	runes := []rune(identifier)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || runes[i] == '_' || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) {
			words = append(words, strings.ToLower(strings.Trim(string(runes[start:i]), "_")))
			start = i
		}
	}
	return words
}

// maxFiles is the number of Go files of a folder, tests aside, beyond which it should
// have been two.
const maxFiles = 25

// largeFolders are the folders that may have more files, with the reason.
var largeFolders = map[string]string{
	"edge/format": "each format is a file, and all share readers of blocks, names and errors",
	"engine/gpu":  "every file works on the state of one device: building, searching, verifying, parts, blocks, handovers",
	"cmd/hops":    "one file for each verb",
	"papers/lab":  "one file for each experiment",
	"sssp":        "searches by buckets, by queues and on ranks share places, entries and distances",
}

// size reports a folder with too many files, unless it has a reason.
func (c *checker) size(p pkg) {
	n := 0
	for _, f := range p.files {
		if !f.test() && !f.generated() {
			n++
		}
	}
	if n > maxFiles && largeFolders[p.dir] == "" {
		c.report(p.dir, "has %d files; at most %d without a reason in internal/testing/lint/words_test.go", n, maxFiles)
	}
}
