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
	if len(packages) < 15 {
		t.Fatalf("only %v were found", packages)
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

// shows tells why a file is no example of a package, or "". A package that is for
// tests is shown by a test.
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
		if !ok || strings.HasSuffix(imported, "test") != strings.HasPrefix(fn.Name.Name, "Test") {
			continue
		}
		if strings.HasPrefix(fn.Name.Name, "Test") || strings.HasPrefix(fn.Name.Name, "Example") {
			return ""
		}
	}
	return "has no example"
}
