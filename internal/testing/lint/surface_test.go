package lint

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// surface reports declarations of public packages that other modules can see and that
// mention a package that is not public: a reader of the documentation would not find it, and it may
// change at any time. Bodies of functions and unexported fields are free, and so are constants, whose
// types are built in. An alias is a declaration like any other.
//
// It removes what is not exported from the parsed files, so no rule can follow it.
func (c *checker) surface(p pkg) {
	if !public(p.dir) {
		return
	}
	aliases := hiddenAliases(p)
	for _, f := range p.files {
		if f.test() {
			continue
		}
		hidden := internalImports(f)
		ast.FileExports(f.ast)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if of, name := selected(n); hidden[of] {
				c.report(f.at(n.Pos()), "a public declaration mentions %s.%s", of, name)
			}
			if name, ok := n.(*ast.Ident); ok && aliases[name.Name] {
				c.report(f.at(n.Pos()), "a public declaration mentions %s, an alias of an internal type", name.Name)
			}
			return visible(n)
		})
	}
}

// hiddenAliases are the names that are not exported of types of internal packages.
func hiddenAliases(p pkg) map[string]bool {
	names := map[string]bool{}
	for _, f := range p.files {
		hidden := internalImports(f)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok && t.Assign.IsValid() && !t.Name.IsExported() {
				of, _ := selected(t.Type)
				names[t.Name.Name] = names[t.Name.Name] || hidden[of]
			}
			return true
		})
	}
	return names
}

// visible tells whether other modules see what is within a node of an exported
// declaration.
func visible(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return false
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.ValueSpec:
		if n.Type != nil {
			n.Values = nil // the type says it all
		}
	case *ast.FuncDecl:
		return n.Recv == nil || ast.IsExported(baseName(n.Recv.List[0].Type))
	}
	return true
}

// publicPackages are all packages that are there for other modules.
var publicPackages = strings.Fields(`
	. graph edge edge/format csr query sssp level
	engine/cpu engine/many engine/gpu engine/cluster engine/grid
	check stats graph500 report`)

func public(dir string) bool { return slices.Contains(publicPackages, dir) }

// A package is public, or in a folder of what is not.
func TestPublicPackages(t *testing.T) {
	rooms := []string{"cmd", "internal", "papers"}
	var others []string
	for name := range directions {
		first, _, _ := strings.Cut(name, "/")
		if !slices.Contains(rooms, first) {
			others = append(others, strings.Replace(name, "hops", ".", 1))
		}
	}
	if want := slices.Sorted(slices.Values(publicPackages)); !slices.Equal(slices.Sorted(slices.Values(others)), want) {
		t.Errorf("outside of %v are %v, want the public packages %v", rooms, others, want)
	}
}

// internalImports are the names by which a file knows internal packages.
func internalImports(f file) map[string]bool {
	names := map[string]bool{}
	for _, spec := range f.ast.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if !strings.HasPrefix(imported, Module+"/") || public(strings.TrimPrefix(imported, Module+"/")) {
			continue
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = true
	}
	return names
}

// baseName is the name of a receiver's type without pointer and type parameters.
func baseName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return baseName(t.X)
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	}
	return ""
}
