package lint

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRepository(t *testing.T) {
	problems, err := Check(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// The walk must really have seen the tree: a lint of nothing passes always.
func TestRepositoryIsSeen(t *testing.T) {
	files, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.path] = true
	}
	for _, want := range []string{"hops.go", "internal/testing/lint/doc.go", "internal/base/topo/pin_other.go", "internal/base/topo/pin_linux.go"} {
		if !seen[want] {
			t.Errorf("%s was not looked at", want)
		}
	}
}

// Every rule is broken once, and each breach is the only problem of its tree.
func TestRulesBite(t *testing.T) {
	const doc = "// Package stats counts.\npackage stats\n"
	const library = `// Package cuda calls.
package cuda

import "unsafe"
import "github.com/gohops/hops/internal/device/dynlib"

//go:uintptrescapes
func call(x ...uintptr) { dynlib.Call(0, x...) }
func fine(p *int) { call(0, uintptr(unsafe.Pointer(p))) }
`
	tests := []struct{ name, path, source, want string }{
		{"direction", "stats/a.go", doc + `import _ "github.com/gohops/hops/graph500"`, "stats may not import graph500"},
		{"direction to the root", "stats/a.go", doc + `import _ "github.com/gohops/hops"`, "stats may not import hops"},
		{"engine to engine", "engine/cpu/a.go", "// Package cpu is.\npackage cpu\n" + `import _ "github.com/gohops/hops/engine/gpu"`, "engine/cpu may not import engine/gpu"},
		{"engine to checker", "engine/cpu/a.go", "// Package cpu is.\npackage cpu\n" + `import _ "github.com/gohops/hops/check"`, "engine/cpu may not import check"},
		{"module of others", "stats/a.go", doc + `import _ "golang.org/x/sys/unix"`, "stats may not import golang.org/x/sys/unix"},
		{"unlisted package", "fresh/a.go", "// Package fresh is new.\npackage fresh\n", "not in the table"},
		{"no package comment", "stats/a.go", "package stats\n", "no package comment"},
		{"comment of another name", "stats/a.go", "// Package other counts.\npackage stats\n", "no package comment"},
		{"comment in a test only", "stats/a_test.go", doc, "no package comment"},
		{"long file", "stats/a.go", doc + strings.Repeat("\n", 499), "has 501 lines"},
		{"long kernel", "engine/gpu/a.cu", strings.Repeat("\n", 501), "has 501 lines"},
		{"vague name", "stats/a.go", "// Package util does.\npackage util\n", "not named for what it does"},
		{"os.Exit", "stats/a.go", doc + "import \"os\"\nfunc f() { os.Exit(1) }\n", "stats/a.go:4: os.Exit outside cmd"},
		{"log.Fatalf", "stats/a.go", doc + "import \"log\"\nfunc f() { log.Fatalf(\"\") }\n", "log.Fatalf outside cmd"},
		{"flag", "stats/a.go", doc + "import \"flag\"\nvar _ = flag.Arg\n", "imports flag"},
		{"cgo", "stats/a.go", doc + "import \"C\"\n", "uses cgo"},
		{"unusable function", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import \"github.com/gohops/hops/internal/base/par\"\nfunc New(t []*par.Team) int { return 0 }\n", "csr/a.go:4: a public declaration mentions par.Team"},
		{"unusable method", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import \"github.com/gohops/hops/internal/base/par\"\nfunc (r *Rate[T]) On() (t par.Team) { return }\n", "csr/a.go:4: a public declaration mentions par.Team"},
		{"unusable field", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import p \"github.com/gohops/hops/internal/base/par\"\ntype S struct { a p.Team; B, C func(p.Team) }\n", "csr/a.go:4: a public declaration mentions p.Team"},
		{"unusable embedding", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import \"github.com/gohops/hops/internal/base/par\"\ntype S struct { *par.Team }\n", "csr/a.go:4: a public declaration mentions par.Team"},
		{"unusable interface", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import \"github.com/gohops/hops/internal/base/par\"\ntype S interface { On(par.Team) }\n", "csr/a.go:4: a public declaration mentions par.Team"},
		{"unusable variable", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import \"github.com/gohops/hops/internal/base/par\"\nvar V = par.NewTeam(0, nil)\n", "csr/a.go:4: a public declaration mentions par.NewTeam"},
		{"unusable alias", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import \"github.com/gohops/hops/internal/base/par\"\ntype Team = par.Team\n", "csr/a.go:4: a public declaration mentions par.Team"},
		{"unusable alias without a public name", "csr/a.go", "// Package csr counts.\npackage csr\n" + "import \"github.com/gohops/hops/internal/base/par\"\ntype team = par.Team\nfunc F(t *team) {}\n", "csr/a.go:5: a public declaration mentions team"},
		{"papers", "engine/cpu/a.go", "// Package cpu is.\npackage cpu\n" + `import _ "github.com/gohops/hops/papers/twin"`, "engine/cpu may not import papers/twin"},
		{"engine tag", "stats/a.go", "//go:build linux && cuda\n\n" + doc, "build tag cuda"},
		{"negated engine tag", "stats/a.go", "//go:build !mpi\n\n" + doc, "build tag mpi"},
		{"metaphor in a comment", "stats/a.go", doc + "\n// A mailroom is a riddle.\nvar x int\n", `stats/a.go:4: says "mailroom"`},
		{"metaphor in a name", "stats/a.go", doc + "\nfunc newMailroom() {}\nfunc f() { newMailroom() }\n", `stats/a.go:4: says "mailroom"`},
		{"word of some folders", "internal/ranks/rank/a.go", "// Package rank is.\npackage rank\n\ntype meeting struct{}\n", `internal/ranks/rank/a.go:4: says "meeting"`},
		{"tag static in another folder", "stats/a.go", "//go:build static\n\n" + doc, "build tag static"},
		{"address in a variable", "internal/device/cuda/a.go", library + "func f(p *int) { x := uintptr(unsafe.Pointer(p)); call(x) }\n", "internal/device/cuda/a.go:10: the object may be collected"},
		{"address for a function that keeps nothing", "internal/device/cuda/a.go", library + "func f(p *int) { g(uintptr(unsafe.Pointer(p))) }\nfunc g(x uintptr) { call(x) }\n", "internal/device/cuda/a.go:10: the object may be collected"},
		{"old form of tag", "stats/a.go", "// +build cuda\n\n" + doc, "build tag cuda"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			problems := check(t, fstest.MapFS{tt.path: {Data: []byte(tt.source)}})
			if len(problems) != 1 || !strings.Contains(problems[0].String(), tt.want) {
				t.Errorf("got %v, want only %q", problems, tt.want)
			}
		})
	}
}

func TestAllowed(t *testing.T) {
	surface := "// Package check is.\npackage check\nimport \"github.com/gohops/hops/internal/base/par\"\n" +
		"type team = par.Team\nconst N = par.N\nfunc F() { par.NewTeam(0, nil) }\ntype S struct { t par.Team; u team }\n" +
		"func (s) G(par.Team) {}\nfunc h(par.Team) {}\nvar v par.Team\ntype s interface{ M(par.Team) }\nvar W = func() { par.NewTeam(1, nil) }\n"
	tree := fstest.MapFS{
		"check/a.go":              {Data: []byte(surface)},
		"hops.go":                 {Data: []byte("// Package hops is all.\npackage hops\n")},
		"engine/cpu/a.go":         {Data: []byte("// Package cpu is.\npackage cpu\nimport (\n_ \"os\"\n_ \"github.com/gohops/hops/internal/base/par\"\n)\n")},
		"engine/cpu/a_linux.go":   {Data: []byte("//go:build linux && (amd64 || arm64)\n\npackage cpu\n")},
		"engine/cpu/a_test.go":    {Data: []byte("package cpu\nimport _ \"github.com/gohops/hops/check\"\n")},
		"internal/base/topo/a.go": {Data: []byte("// Package topo is.\npackage topo\nimport _ \"golang.org/x/sys/unix\"\n")},
		"cmd/hops/main.go":        {Data: []byte("// Command hops runs.\npackage main\nimport (\n\"os\"\n_ \"github.com/spf13/cobra\"\n)\nfunc main() { os.Exit(0) }\n")},
		"stats/a.go":              {Data: []byte("package stats\n\n// letter is banned in other folders, and seating is another word.\nvar letter, seating int\n")},
		"query/a.go":              {Data: []byte("// Package query asks for the meeting point of two searches.\npackage query\n")},
		"stats/a_test.go":         {Data: []byte("package stats\n\n// Tests may say mailroom.\n")},
		"stats/table.go":          {Data: []byte("// Code generated by hand. DO NOT EDIT.\n\n// Package stats counts.\npackage stats\n" + strings.Repeat("\n", 600))},
		"stats/testdata/x.go":     {Data: []byte("not Go")},
		"tools/go.mod":            {Data: []byte("module tools\n")},
		"tools/util/x.go":         {Data: []byte("package util\n")},
		"build/x.go":              {Data: []byte("not Go")},
		".hidden/x.go":            {Data: []byte("not Go")},
	}
	for _, p := range check(t, tree) {
		t.Error(p)
	}
}

func TestWordsOfDocuments(t *testing.T) {
	tree := fstest.MapFS{
		"stats/stats.go":    {Data: []byte("// Package stats counts.\npackage stats\n")},
		"docs/guide/gpu.md": {Data: []byte("# Title\nThe mailroom.\n")},
	}
	if problems := check(t, tree); len(problems) != 1 || problems[0].Where != "docs/guide/gpu.md:2" {
		t.Errorf("got %v, want one for docs/guide/gpu.md:2", problems)
	}
}

func TestLargeFolder(t *testing.T) {
	for folder, want := range map[string]int{"stats": 1, "papers/lab": 0} {
		tree := fstest.MapFS{}
		for i := range maxFiles + 1 {
			tree[fmt.Sprintf("%s/f%d.go", folder, i)] = &fstest.MapFile{Data: []byte("// Package " + path.Base(folder) + " is.\npackage " + path.Base(folder) + "\n")}
		}
		if problems := check(t, tree); len(problems) != want {
			t.Errorf("%s: got %v, want %d problems", folder, problems, want)
		}
	}
}

// Tests are held to the same length.
func TestLongTest(t *testing.T) {
	tree := fstest.MapFS{
		"stats/stats.go":      {Data: []byte("// Package stats counts.\npackage stats\n")},
		"stats/stats_test.go": {Data: []byte("package stats\n" + strings.Repeat("\n", 500))},
	}
	if problems := check(t, tree); len(problems) != 1 || problems[0].Where != "stats/stats_test.go" {
		t.Errorf("got %v, want one for stats_test.go", problems)
	}
}

func TestBrokenSource(t *testing.T) {
	if _, err := Check(fstest.MapFS{"a.go": {Data: []byte("not Go")}}); err == nil {
		t.Error("a file that does not parse passes")
	}
}

func check(t *testing.T, tree fstest.MapFS) []Problem {
	t.Helper()
	problems, err := Check(tree)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}
