package lint

import (
	"go/ast"
	"slices"
	"strings"
)

// heldElsewhere are the functions that make a number of an address of memory that is
// outside the heap, or that somebody else holds, as their comments say.
var heldElsewhere = []string{"outAt", "address", "bytesAt"}

// addresses sees that an object lives as long as a library uses it. In a package that calls
// libraries the address of an object becomes a number only in the arguments of a function
// which keeps the object: dynlib.Call, and those marked go:uintptrescapes.
func (c *checker) addresses(p pkg) {
	keep := []string{"Call"}
	for _, f := range p.files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && keepsArguments(fn) {
				keep = append(keep, fn.Name.Name)
			}
		}
	}
	for _, f := range p.files {
		if !slices.Contains(f.imports(), Module+"/internal/device/dynlib") && p.dir != "internal/device/dynlib" {
			continue
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); !ok || !slices.Contains(heldElsewhere, fn.Name.Name) {
				c.numbers(f, d, keep)
			}
		}
	}
}

func keepsArguments(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(line *ast.Comment) bool {
		return line.Text == "//go:uintptrescapes"
	})
}

// numbers reports each address that becomes a number elsewhere.
func (c *checker) numbers(f file, d ast.Decl, keep []string) {
	kept := map[ast.Node]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if slices.Contains(keep, lastName(call.Fun)) {
			for _, arg := range call.Args {
				kept[arg] = true
			}
		}
		if lastName(call.Fun) == "uintptr" && !kept[call] && isPointer(call.Args[0]) {
			c.report(f.at(call.Pos()), "the object may be collected before the library reads it; take its address in the arguments of the call")
		}
		return true
	})
}

func isPointer(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	of, name := selected(call.Fun)
	return of == "unsafe" && strings.HasPrefix(name, "Pointer")
}

// lastName is the name of a function without its package or receiver.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
