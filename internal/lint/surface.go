package lint

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// checkSurface reports exported identifiers of public packages whose declaration
// mentions an internal package: another module can see such an identifier and
// cannot use it. Bodies of functions and unexported fields are free, and so are
// constants, whose types are built in, and aliases: they give a type of an internal
// package a public name.
func checkSurface(p pkg) []Problem {
	if !public(p.dir) {
		return nil
	}
	var problems []Problem
	for _, f := range p.files {
		if f.test() {
			continue
		}
		hidden := internalImports(f)
		for _, decl := range f.ast.Decls {
			for _, e := range exported(decl) {
				if name := mentions(e.node, hidden); name != "" {
					problems = append(problems, Problem{f.at(e.node.Pos()), e.name + " is public and mentions " + name})
				}
			}
		}
	}
	return problems
}

// public tells whether other modules may import a package.
func public(dir string) bool {
	first, _, _ := strings.Cut(dir, "/")
	return first != "cmd" && !strings.Contains("/"+dir+"/", "/internal/")
}

// internalImports are the names by which a file knows internal packages.
func internalImports(f file) map[string]bool {
	names := map[string]bool{}
	for _, spec := range f.ast.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if !strings.HasPrefix(imported, Module) || public(strings.TrimPrefix(imported, Module+"/")) {
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

// An element is a piece of a declaration that other modules see.
type element struct {
	name string
	node ast.Node
}

// exported returns what other modules see of a declaration.
func exported(decl ast.Decl) []element {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(baseName(d.Recv.List[0].Type))) {
			return []element{{d.Name.Name, d.Type}}
		}
	case *ast.GenDecl:
		var all []element
		for _, spec := range d.Specs {
			if d.Tok != token.CONST {
				all = append(all, exportedSpec(spec)...)
			}
		}
		return all
	}
	return nil
}

func exportedSpec(spec ast.Spec) []element {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if !s.Name.IsExported() || s.Assign.IsValid() {
			return nil
		}
		fields, ok := s.Type.(*ast.StructType)
		if !ok {
			return []element{{s.Name.Name, s.Type}}
		}
		return exportedFields(s.Name.Name, fields)
	case *ast.ValueSpec:
		if !s.Names[0].IsExported() {
			return nil
		}
		if s.Type != nil {
			return []element{{s.Names[0].Name, s.Type}}
		}
		var all []element
		for _, value := range s.Values {
			all = append(all, element{s.Names[0].Name, value})
		}
		return all
	}
	return nil
}

func exportedFields(of string, s *ast.StructType) []element {
	var all []element
	for _, field := range s.Fields.List {
		name := baseName(field.Type)
		if len(field.Names) > 0 {
			name = field.Names[0].Name
		}
		if ast.IsExported(name) {
			all = append(all, element{of + "." + name, field.Type})
		}
	}
	return all
}

// baseName is the name of a type without package, pointer and type parameters.
func baseName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.StarExpr:
		return baseName(t.X)
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	}
	return ""
}

// mentions returns the first name of an internal package within a node, or "".
func mentions(n ast.Node, hidden map[string]bool) (found string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && found == "" {
			if x, ok := sel.X.(*ast.Ident); ok && hidden[x.Name] {
				found = x.Name + "." + sel.Sel.Name
			}
		}
		_, body := n.(*ast.BlockStmt)
		return !body
	})
	return found
}
