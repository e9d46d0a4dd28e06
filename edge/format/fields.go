package format

import "bytes"

// isBlank tells whether c separates columns where any white space does, or may
// surround a column where something else does. The end of a line may be CR LF.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

func trimBlanks(text []byte) []byte {
	for len(text) > 0 && isBlank(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && isBlank(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// words appends the columns of a line that white space separates.
func words(fields [][]byte, line []byte) [][]byte {
	for i := 0; i < len(line); {
		for i < len(line) && isBlank(line[i]) {
			i++
		}
		start := i
		for i < len(line) && !isBlank(line[i]) {
			i++
		}
		if i > start {
			fields = append(fields, line[start:i])
		}
	}
	return fields
}

// columns appends the columns of a line that a character separates. A column may
// be in quotes, within which a quote is written twice; it cannot contain the end
// of a line. Blanks around a column do not count.
func columns(fields [][]byte, line []byte, delimiter byte) ([][]byte, string) {
	for {
		for len(line) > 0 && isBlank(line[0]) && line[0] != delimiter {
			line = line[1:]
		}
		if len(line) > 0 && line[0] == '"' {
			field, rest, wrong := unquote(line, delimiter)
			if wrong != "" {
				return fields, wrong
			}
			fields, line = append(fields, field), rest
		} else {
			end := bytes.IndexByte(line, delimiter)
			if end < 0 {
				return append(fields, trimBlanks(line)), ""
			}
			fields, line = append(fields, trimBlanks(line[:end])), line[end:]
		}
		if len(line) == 0 {
			return fields, ""
		}
		line = line[1:] // the delimiter
	}
}

// unquote returns the column in quotes at the front of a line, and what follows:
// nothing, or the delimiter and the other columns.
func unquote(line []byte, delimiter byte) (field, rest []byte, wrong string) {
	rest = line[1:]
	for {
		end := bytes.IndexByte(rest, '"')
		if end < 0 {
			return nil, nil, "a quote is not closed on its line"
		}
		if field == nil {
			field = rest[:end:end] // a copy is made only if there is a quote inside
		} else {
			field = append(field, rest[:end]...)
		}
		rest = rest[end+1:]
		if len(rest) == 0 || rest[0] != '"' {
			break
		}
		field = append(field, '"')
		rest = rest[1:]
	}
	for len(rest) > 0 && isBlank(rest[0]) && rest[0] != delimiter {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] != delimiter {
		return nil, nil, "text after a closing quote: " + quoted(rest)
	}
	return field, rest, ""
}
