package lint

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fences   = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	links    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	quotes   = regexp.MustCompile("`([^`\n]+)`")
	headings = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	verbs    = regexp.MustCompile(`^(?:go run \./cmd/)?hops ([a-z][a-z0-9]*)`)
	uses     = regexp.MustCompile(`\bUse:\s+"([a-z0-9]+)`)
	named    = regexp.MustCompile(`docs/[a-z0-9/-]+\.md`)
	dropped  = regexp.MustCompile(`[^\p{L}\p{N} _-]`) // from the anchor of a heading
)

// A library is what the documents may speak of.
type library struct {
	tree  fs.FS
	verbs []string
	top   []string // folders of the root
}

func newLibrary(tree fs.FS) (*library, error) {
	l := &library{tree: tree, verbs: []string{"help", "completion"}}
	entries, err := fs.ReadDir(tree, ".")
	for _, e := range entries {
		if e.IsDir() {
			l.top = append(l.top, e.Name())
		}
	}
	sources, _ := fs.Glob(tree, "cmd/hops/*.go")
	for _, file := range sources {
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return nil, err
		}
		for _, m := range uses.FindAllSubmatch(text, -1) {
			l.verbs = append(l.verbs, string(m[1]))
		}
	}
	return l, err
}

// check returns what a document says of files, packages and verbs that are not there.
func (l *library) check(file, text string) []string {
	var problems []string
	prose := fences.ReplaceAllString(text, "")
	for _, m := range links.FindAllStringSubmatch(prose, -1) {
		if !strings.Contains(m[1], "://") && !l.resolves(file, text, m[1]) {
			problems = append(problems, "broken link "+m[1])
		}
	}
	for _, m := range quotes.FindAllStringSubmatch(prose, -1) {
		problems = append(problems, l.quoted(m[1])...)
	}
	for _, block := range fences.FindAllString(text, -1) {
		for line := range strings.Lines(block) {
			problems = append(problems, l.verb(strings.TrimPrefix(strings.TrimSpace(line), "$ "))...)
		}
	}
	return problems
}

// resolves tells whether a link leads to a file and, after a #, to a heading of it.
func (l *library) resolves(from, text, link string) bool {
	name, anchor, _ := strings.Cut(link, "#")
	if name != "" {
		target := path.Join(path.Dir(from), name)
		if _, err := fs.Stat(l.tree, target); err != nil {
			return false
		}
		data, _ := fs.ReadFile(l.tree, target) // empty for a folder
		text = string(data)
	}
	return anchor == "" || slices.ContainsFunc(headings.FindAllStringSubmatch(text, -1), func(m []string) bool {
		return strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor
	})
}

// quoted checks a command or a path in backticks. A path begins with a folder of the
// root; one with a placeholder, or made by a build, is not looked for.
func (l *library) quoted(code string) []string {
	first, _, _ := strings.Cut(strings.TrimPrefix(code, "./"), "/")
	if slices.Contains(l.top, first) && first != "build" && !strings.ContainsAny(code, " *…:,=<>") && code == strings.ToLower(code) {
		if _, err := fs.Stat(l.tree, path.Clean(code)); err != nil {
			return []string{"no file or package " + code}
		}
	}
	return l.verb(code)
}

func (l *library) verb(command string) []string {
	if m := verbs.FindStringSubmatch(command); m != nil && !slices.Contains(l.verbs, m[1]) {
		return []string{"no verb hops " + m[1]}
	}
	return nil
}

// Documents speak of files, packages and verbs that are there, and so do comments that
// send readers to documents.
func TestDocuments(t *testing.T) {
	tree := os.DirFS("../../..")
	l, err := newLibrary(tree)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	err = fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && file != "." && (strings.HasPrefix(name, ".") || name == "build" || name == "bin") {
			return fs.SkipDir
		}
		extension := path.Ext(file)
		if d.IsDir() || extension != ".md" && extension != ".go" || file == "internal/testing/lint/docs_test.go" {
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		if extension == ".md" {
			pages++
			for _, p := range l.check(file, string(text)) {
				t.Errorf("%s: %s", file, p)
			}
		}
		for _, page := range named.FindAllString(string(text), -1) {
			if _, err := fs.Stat(tree, page); err != nil {
				t.Errorf("%s: no document %s", file, page)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 10 || len(l.verbs) < 10 {
		t.Errorf("%d pages and %d verbs were found: too few to be all", pages, len(l.verbs))
	}
}

func TestDocumentRulesBite(t *testing.T) {
	tree := os.DirFS("../../..")
	l, err := newLibrary(tree)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"[a](docs/glossary.md) and [b](docs/glossary.md#glossary), https://x.org": 0,
		"[a](docs/nothing.md)":         1,
		"[a](docs/glossary.md#absent)": 1,
		"[a](#here)\n\n## Here":        0,
		"`engine/cpu`, `hops bfs`":     0,
		"`engine/absent`":              1,
		"`hops absent --flag`":         1,
		"```sh\n$ hops absent\n```":    1,
		"`hops graph500`, `go test .`": 0,
	} {
		if got := l.check("README.md", text); len(got) != want {
			t.Errorf("%q: got %q, want %d problems", text, got, want)
		}
	}
}
