package lint

import (
	"fmt"
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

func checkFile(f file) []Problem {
	var problems []Problem
	if f.lines > maxLines && !f.generated() {
		problems = append(problems, Problem{f.path, fmt.Sprintf("has %d lines; at most %d", f.lines, maxLines)})
	}
	if f.ast == nil {
		return problems
	}
	problems = append(problems, checkTags(f)...)
	problems = append(problems, checkWords(f)...)
	if slices.Contains(f.imports(), "C") {
		problems = append(problems, Problem{f.path, "uses cgo; libraries are opened at run time"})
	}
	if !f.test() && !strings.HasPrefix(f.path, "cmd/") {
		problems = append(problems, checkLibrary(f)...)
	}
	return problems
}

// checkPackage checks the package comment and the name of a package.
func checkPackage(p pkg) []Problem {
	var problems []Problem
	documented := false
	for _, f := range p.files {
		name := f.ast.Name.Name
		want := "Package " + name + " "
		if name == "main" {
			want = "Command " + path.Base(p.dir) + " "
		}
		documented = documented || !f.test() && strings.HasPrefix(f.ast.Doc.Text(), want)
		if slices.Contains(vagueNames, name) {
			problems = append(problems, Problem{f.path, "package " + name + " is not named for what it does"})
		}
	}
	if !documented {
		problems = append(problems, Problem{p.dir, `has no package comment ("Package name …", "Command name …")`})
	}
	return problems
}

// checkLibrary reports what only the command may do: end the process, and define flags.
func checkLibrary(f file) []Problem {
	var problems []Problem
	if slices.Contains(f.imports(), "flag") {
		problems = append(problems, Problem{f.path, "imports flag, which belongs to cmd"})
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && ends(x.Name, sel.Sel.Name) {
			problems = append(problems, Problem{f.at(n.Pos()), x.Name + "." + sel.Sel.Name + " outside cmd; return an error"})
		}
		return true
	})
	return problems
}

// ends reports whether a function of the standard library ends the process.
func ends(pkg, name string) bool {
	return pkg == "os" && name == "Exit" || pkg == "log" && strings.HasPrefix(name, "Fatal")
}

// checkTags reports build constraints other than on the platform. An engine behind a tag
// is not compiled by default, so nobody notices when it breaks.
func checkTags(f file) []Problem {
	var problems []Problem
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			if c.Pos() > f.ast.Package || !constraint.IsGoBuild(c.Text) && !constraint.IsPlusBuild(c.Text) {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			if err != nil {
				problems = append(problems, Problem{f.at(c.Pos()), err.Error()})
				continue
			}
			expr.Eval(func(tag string) bool {
				if !platformTag(tag) {
					problems = append(problems, Problem{f.at(c.Pos()), "build tag " + tag + " is not a platform"})
				}
				return true
			})
		}
	}
	return problems
}

// platforms are the operating systems and architectures that may be in build
// constraints, and the race detector.
var platforms = strings.Fields(`
	linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos aix android ios plan9 js wasip1 unix
	386 amd64 arm arm64 loong64 mips mipsle mips64 mips64le ppc64 ppc64le riscv64 s390x wasm
	race`)

func platformTag(tag string) bool {
	return slices.Contains(platforms, tag) || strings.HasPrefix(tag, "go1.")
}
