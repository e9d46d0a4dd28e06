package format

import (
	"bytes"
	"context"
	"strings"

	"github.com/gohops/hops"
)

// readMatrix reads the coordinate format of Matrix Market: a banner, comments, a
// line with the numbers of rows, columns and entries, and a line for each entry.
func readMatrix(ctx context.Context, f *file, opts *Options) (*Input, error) {
	p := &matrix{}
	l, err := p.read(ctx, f, p, opts, "entries")
	if err != nil {
		return nil, err
	}
	in := l.input(p.names(), p.weights != noWeight, opts)
	in.Format = f.described("Matrix Market, " + p.field + ", " + p.symmetry)
	in.Directed, in.DirectedBy = p.symmetry == general, ByFormat
	return in, nil
}

const (
	general   = "general"
	symmetric = "symmetric"
)

// A matrix parses Matrix Market files.
type matrix struct {
	ranged
	field, symmetry string
	weights         weightKind
	plain           plainLines
}

var _ parser = (*matrix)(nil)

// head implements parser.
func (p *matrix) head(line []byte) (verdict, *fault) {
	p.line++
	switch text := trimBlanks(bytes.TrimSuffix(line, []byte{'\n'})); {
	case p.line == 1:
		if wrong := p.banner(string(text)); wrong != "" {
			return past, faultAt(0, "%s", wrong)
		}
		return more, nil
	case len(text) == 0 || text[0] == '%':
		return more, nil
	default:
		if wrong := p.size(words(nil, text)); wrong != "" {
			return past, faultAt(0, "%s", wrong)
		}
		return last, nil
	}
}

// banner reads the first line.
func (p *matrix) banner(line string) string {
	words := strings.Fields(strings.ToLower(line))
	if len(words) != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
		return `the first line is not "%%MatrixMarket matrix coordinate FIELD SYMMETRY"`
	}
	p.field, p.symmetry = words[3], words[4]
	if words[2] != "coordinate" {
		return "only the coordinate format is a graph, not " + quoted([]byte(words[2]))
	}
	switch p.field {
	case "pattern":
		p.weights = noWeight
	case "integer":
		p.weights = wholeWeight
	case "real", "double":
		p.weights = realWeight
	default:
		return "entries are " + quoted([]byte(p.field)) + "; hops reads pattern, integer and real"
	}
	if p.symmetry != general && p.symmetry != symmetric {
		return "the matrix is " + quoted([]byte(p.symmetry)) + "; hops reads general and symmetric"
	}
	p.plain = plainLines{delimiter: ' ', weighted: p.weights != noWeight, fractions: p.weights == realWeight}
	return ""
}

// size reads the numbers of rows, columns and entries.
func (p *matrix) size(fields [][]byte) string {
	if len(fields) != 3 {
		return "the size is not three numbers: rows, columns and entries"
	}
	if wrong := p.declare(fields[0], fields[2]); wrong != "" {
		return wrong
	}
	if columns, wrong := wholeNumber(fields[1]); wrong != "" || columns != p.vertices {
		return "a matrix of " + string(fields[0]) + " rows and " + string(fields[1]) + " columns is not that of a graph"
	}
	return ""
}

// parse implements parser.
func (p *matrix) parse(text []byte, out *batch) *fault {
	wrong := numberLines(text, out, p.plain, p.weights)
	var refuse func(hops.Edge) string
	if p.symmetry == symmetric {
		refuse = aboveDiagonal
	}
	if i, what := p.shift(out, refuse); what != "" {
		return faultAt(nthLine(text, i, isNotBlank), "%s", what) // before what else is wrong
	}
	return wrong
}

func aboveDiagonal(e hops.Edge) string {
	if e.U < e.V {
		return "an entry above the diagonal of a symmetric matrix"
	}
	return ""
}

func isNotBlank(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 }
