package lint

import (
	"go/ast"
	"go/build/constraint"
	"path"
	"slices"
	"strings"
)

// maxLines is the most lines of a file, tests included. Generated files are exempt.
const maxLines = 500

// vagueNames say nothing about what a package is for.
var vagueNames = []string{"util", "utils", "common", "core", "helper", "helpers", "misc"}

// file applies the rules that concern one file.
func (c *checker) file(f file) {
	if f.lines > maxLines && !f.generated() {
		c.report(f.path, "has %d lines; at most %d", f.lines, maxLines)
	}
	if f.ast == nil {
		return
	}
	c.tags(f)
	c.words(f)
	c.sentences(f)
	if slices.Contains(f.imports(), "C") {
		c.report(f.path, "uses cgo; libraries are opened at run time")
	}
	if !f.test() && !strings.HasPrefix(f.path, "cmd/") {
		c.library(f)
	}
}

// comment checks the package comment and the name of a package.
func (c *checker) comment(p pkg) {
	documented := false
	for _, f := range p.files {
		name := f.ast.Name.Name
		want := "Package " + name + " "
		if name == "main" {
			want = "Command " + path.Base(p.dir) + " "
		}
		documented = documented || !f.test() && strings.HasPrefix(f.ast.Doc.Text(), want)
		if slices.Contains(vagueNames, name) {
			c.report(f.path, "package %s is not named for what it does", name)
		}
	}
	if !documented {
		c.report(p.dir, `has no package comment ("Package name …", "Command name …")`)
	}
}

// library reports what only the command may do: end the process, and define flags.
func (c *checker) library(f file) {
	if slices.Contains(f.imports(), "flag") {
		c.report(f.path, "imports flag, which belongs to cmd")
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if of, name := selected(n); of == "os" && name == "Exit" || of == "log" && strings.HasPrefix(name, "Fatal") {
			c.report(f.at(n.Pos()), "%s.%s outside cmd; return an error", of, name)
		}
		return true
	})
}

// selected returns the names of a node "of.name", or two empty ones.
func selected(n ast.Node) (of, name string) {
	if sel, ok := n.(*ast.SelectorExpr); ok {
		if x, ok := sel.X.(*ast.Ident); ok {
			return x.Name, sel.Sel.Name
		}
	}
	return "", ""
}

// staticDir is the one folder that may have the build tag static. The tests of packaging
// compile with it.
const staticDir = "internal/device/dynlib"

// tags reports build constraints other than on the platform. An engine behind a tag is
// not compiled by default, so nobody notices when it breaks.
func (c *checker) tags(f file) {
	for _, group := range f.ast.Comments {
		for _, line := range group.List {
			if line.Pos() > f.ast.Package || !constraint.IsGoBuild(line.Text) && !constraint.IsPlusBuild(line.Text) {
				continue
			}
			expr, err := constraint.Parse(line.Text)
			if err != nil {
				c.report(f.at(line.Pos()), "%v", err)
				continue
			}
			expr.Eval(func(tag string) bool {
				known := slices.Contains(platforms, tag) || strings.HasPrefix(tag, "go1.") || tag == "static" && path.Dir(f.path) == staticDir
				if !known {
					c.report(f.at(line.Pos()), "build tag %s is not a platform", tag)
				}
				return true
			})
		}
	}
}

// platforms are the operating systems and architectures that may be in build
// constraints, and the race detector.
var platforms = strings.Fields(`
	linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos aix android ios plan9 js wasip1 unix
	386 amd64 arm arm64 loong64 mips mipsle mips64 mips64le ppc64 ppc64le riscv64 s390x wasm
	race`)
