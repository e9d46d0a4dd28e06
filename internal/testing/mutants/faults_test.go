package mutants

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// A fault replaces some bytes of a file.
type fault struct {
	from, to int
	is       string
}

// apply returns the text with the fault.
func (f fault) apply(text string) string { return text[:f.from] + f.is + text[f.to:] }

// line returns the number of the line of the fault, and the whole line without and with it.
func (f fault) line(text string) (number int, was, is string) {
	begin := strings.LastIndexByte(text[:f.from], '\n') + 1
	end := f.to + strings.IndexByte(text[f.to:]+"\n", '\n')
	return strings.Count(text[:begin], "\n") + 1, text[begin:end], text[begin:f.from] + f.is + text[f.to:end]
}

// beside is a comparison that takes one case more or less, or that is its opposite.
var beside = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}

// A syntax collects the faults of one file of Go.
type syntax struct {
	text   string
	fset   *token.FileSet
	faults []fault
}

// faultsOfGo finds the faults in a file of Go.
func faultsOfGo(text string) ([]fault, error) {
	s := syntax{text: text, fset: token.NewFileSet()}
	file, err := parser.ParseFile(s.fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, s.visit)
	return s.faults, nil
}

func (s *syntax) at(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *syntax) replace(from, to token.Pos, is string) {
	s.faults = append(s.faults, fault{s.at(from), s.at(to), is})
}

func (s *syntax) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.StructType:
		return false
	case *ast.BinaryExpr:
		if is, ok := beside[n.Op.String()]; ok {
			s.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), is)
		}
	case *ast.BasicLit:
		if n.Kind == token.INT {
			s.replace(n.Pos(), n.End(), "("+n.Value+" + 1)")
		}
	case *ast.IfStmt:
		s.replace(n.Cond.Pos(), n.Cond.End(), "!("+s.text[s.at(n.Cond.Pos()):s.at(n.Cond.End())]+")")
	case *ast.BlockStmt:
		s.drop(n.List)
	case *ast.CaseClause:
		s.drop(n.Body)
	case *ast.FuncDecl:
		s.leave(n)
	}
	return true
}

// drop leaves out each statement that is an assignment or a call.
func (s *syntax) drop(list []ast.Stmt) {
	for _, stmt := range list {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if stmt.Tok != token.DEFINE {
				s.replace(stmt.Pos(), stmt.End(), "{}")
			}
		case *ast.ExprStmt, *ast.IncDecStmt:
			s.replace(stmt.Pos(), stmt.End(), "{}")
		}
	}
}

// leave returns at once from a function whose results, if any, have names.
func (s *syntax) leave(f *ast.FuncDecl) {
	results := f.Type.Results
	if f.Body != nil && len(f.Body.List) > 0 && (results == nil || len(results.List[0].Names) > 0) {
		s.replace(f.Body.Lbrace+1, f.Body.Lbrace+1, " return;")
	}
}

// other matches what has a fault beside it in other languages, by the suffix of the file: comparisons,
// jumps of assembly, and numbers.
var other = map[string]*regexp.Regexp{
	".cu": regexp.MustCompile(` (<=|>=|==|!=|<|>) |\b[0-9]+u?\b`),
	".sv": regexp.MustCompile(` (>=|==|!=|<|>) |\b[0-9]+\b`), // <= assigns
	".s":  regexp.MustCompile(`\bJ(?:LT|LE|GT|GE|CS|CC|LS|HI|EQ|NE)\b|\$[0-9]+\b`),
}

var directive = regexp.MustCompile(`^(#|DATA|TEXT|GLOBL)`)

var jumps = map[string]string{
	"JLT": "JLE", "JLE": "JLT", "JGT": "JGE", "JGE": "JGT", "JCS": "JLS", "JLS": "JCS",
	"JHI": "JCC", "JCC": "JHI", "JEQ": "JNE", "JNE": "JEQ",
}

// faultsOfWords finds the faults in a file of another language, comments and directives left out.
func faultsOfWords(text, suffix string) (all []fault) {
	words, offset := other[suffix], 0
	if words == nil {
		return nil
	}
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "//")
		if directive.MatchString(code) {
			code = ""
		}
		for _, at := range words.FindAllStringIndex(code, -1) {
			was := code[at[0]:at[1]]
			is := cmp.Or(jumps[was], beside[strings.TrimSpace(was)])
			switch {
			case is != "" && was[0] == ' ':
				is = " " + is + " "
			case is == "" && suffix == ".s":
				is = "$(" + was[1:] + "+1)"
			case is == "":
				is = was + " + 1"
			}
			all = append(all, fault{offset + at[0], offset + at[1], is})
		}
		offset += len(line)
	}
	return all
}
