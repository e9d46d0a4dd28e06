package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the import path of the root.
const Module = "github.com/gohops/hops"

// A Problem is one breach of a rule.
type Problem struct {
	Where string // file:line, file or package
	What  string
}

func (p Problem) String() string { return p.Where + ": " + p.What }

// A file is one source file below the root, in Go or not.
type file struct {
	path  string
	lines int
	ast   *ast.File // nil unless it is Go
	fset  *token.FileSet
}

func (f file) test() bool      { return strings.HasSuffix(f.path, "_test.go") }
func (f file) generated() bool { return f.ast != nil && ast.IsGenerated(f.ast) }

func (f file) at(pos token.Pos) string {
	return f.path + ":" + strconv.Itoa(f.fset.Position(pos).Line)
}

func (f file) imports() []string {
	var paths []string
	for _, spec := range f.ast.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, p)
	}
	return paths
}

// A pkg is the Go files of one folder, its name relative to the root.
type pkg struct {
	dir   string
	files []file
}

// sourceSuffixes are the suffixes of the files that are checked.
var sourceSuffixes = []string{".go", ".s", ".cu", ".cl", ".sv"}

// Check applies all rules to the tree of the module at root.
func Check(root fs.FS) ([]Problem, error) {
	files, err := load(root)
	if err != nil {
		return nil, err
	}
	var c checker
	for _, f := range files {
		c.file(f)
	}
	for _, p := range group(files) {
		c.comment(p)
		c.imports(p)
		c.size(p)
		c.surface(p)
		c.addresses(p)
	}
	err = c.documents(root)
	return c.problems, err
}

// A checker collects the breaches of rules. Each rule is a method.
type checker struct{ problems []Problem }

func (c *checker) report(where, format string, args ...any) {
	c.problems = append(c.problems, Problem{where, fmt.Sprintf(format, args...)})
}

// outputs are the folders that builds write into; git ignores them.
var outputs = []string{"bin", "build"}

// load parses the module's files. Fixtures, outputs, hidden folders and other
// modules in the tree are left out.
func load(root fs.FS) ([]file, error) {
	var files []file
	fset := token.NewFileSet()
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(root, name)
		}
		if !slices.Contains(sourceSuffixes, path.Ext(name)) {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f := file{path: name, lines: bytes.Count(src, []byte("\n")), fset: fset}
		if path.Ext(name) == ".go" {
			if f.ast, err = parser.ParseFile(fset, name, src, parser.ParseComments); err != nil {
				return fmt.Errorf("lint: %w", err)
			}
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

// enter returns fs.SkipDir unless a folder belongs to the module.
func enter(root fs.FS, name string) error {
	if name == "." {
		return nil
	}
	base := path.Base(name)
	if slices.Contains(outputs, name) || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(root, name+"/go.mod"); err == nil {
		return fs.SkipDir
	}
	return nil
}

func group(files []file) []pkg {
	var packages []pkg
	for _, f := range files {
		if f.ast == nil {
			continue
		}
		dir := path.Dir(f.path)
		i := slices.IndexFunc(packages, func(p pkg) bool { return p.dir == dir })
		if i < 0 {
			i = len(packages)
			packages = append(packages, pkg{dir: dir})
		}
		packages[i].files = append(packages[i].files, f)
	}
	return packages
}
