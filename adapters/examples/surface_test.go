package examples

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gohops/hops"

// Every public package has an example here, which imports it.
func TestEveryPublicPackageHasAnExample(t *testing.T) {
	packages := publicPackages(t, os.DirFS("../.."))
	if len(packages) != 17 {
		t.Errorf("%d packages are public, want 17: %v", len(packages), packages)
	}
	for _, dir := range packages {
		imported := path.Join(module, dir)
		name := strings.ReplaceAll(dir, "/", "_")
		if dir == "." {
			name = path.Base(module)
		}
		if why := shows(name+"_test.go", imported); why != "" {
			t.Errorf("package %s: %s_test.go %s", imported, name, why)
		}
	}
}

// Examples import nothing of the module that is not public, although they could.
func TestExamplesArePublic(t *testing.T) {
	packages := publicPackages(t, os.DirFS("../.."))
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Imports {
			imported := strings.Trim(s.Path.Value, `"`)
			dir, ours := strings.CutPrefix(imported, module+"/")
			if ours && !slices.Contains(packages, dir) {
				t.Errorf("%s imports %s, which is not public", file, imported)
			}
		}
	}
}

// publicPackages lists the folders with packages that other modules may import.
func publicPackages(t *testing.T, root fs.FS) []string {
	var dirs []string
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() && name != "." {
			_, other := fs.Stat(root, name+"/go.mod")
			if other == nil || strings.HasPrefix(base, ".") || slices.Contains([]string{"internal", "cmd", "papers", "testdata", "bin", "build"}, base) {
				return fs.SkipDir
			}
		}
		if dir := path.Dir(name); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// shows tells why a file is no example of a package, or "".
func shows(file, imported string) string {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, parser.ParseComments)
	if err != nil {
		return "cannot be read: " + err.Error()
	}
	if !slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"`+imported+`"` }) {
		return "does not import it"
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && strings.HasPrefix(fn.Name.Name, "Example") {
			return ""
		}
	}
	return "has no example"
}
