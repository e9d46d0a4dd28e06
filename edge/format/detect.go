package format

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/osm"
	"github.com/gohops/hops/internal/base/parquet"
)

// detect returns the name of the format of a file. What the content says without
// doubt comes first, then the name, then what the content looks like.
func detect(f *file) (string, error) {
	front, err := f.content.Peek(4 << 10)
	if len(front) == 0 && err != nil {
		front = nil // whichever reader gets it reports it
	}
	switch {
	case graph.IsGraphFile(front):
		return "hops", nil
	case isMatrixMarket(front):
		return "mtx", nil
	case bytes.HasPrefix(front, []byte(npyMagic)):
		return "npy", nil
	case parquet.IsFile(front):
		return "parquet", nil
	case osm.IsFile(front):
		return "osm", nil
	}
	start := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(front, []byte("\xEF\xBB\xBF")), " \t\r\n"))
	switch {
	case bytes.HasPrefix(start, []byte("<")) && bytes.Contains(start, []byte("<graphml")):
		return "graphml", nil
	case bytes.HasPrefix(start, []byte("*vertices")):
		return "pajek", nil
	}
	switch isGraph := f.suffix() == ".graph"; {
	case isGraph && isWebGraph(f):
		return "bv", nil
	case isGraph && bytes.ContainsFunc(front, func(r rune) bool { return r < '\t' || r == utf8.RuneError }):
		return "", f.wrong("binary data: a graph of WebGraph needs %s beside it", filepath.Base(propertiesOf(f)))
	}
	for _, known := range formats {
		if !slices.Contains(known.suffixes, f.suffix()) {
			continue
		}
		if name := foreign(front); name != "" && !known.binary {
			break
		}
		return known.name, nil
	}
	if name := foreign(front); name != "" {
		instead := ""
		if name == "Turtle" {
			instead = "; it reads N-Triples"
		}
		return "", f.wrong("this is %s, which hops does not read%s", name, instead)
	}
	for _, c := range documentStarts {
		if c.start.Match(start) {
			return c.name, nil
		}
	}
	switch {
	case isDimacs(front):
		return "gr", nil
	case isSerialized(front, f):
		return "sg", nil
	case bytes.IndexByte(front, 0) >= 0:
		return "", f.wrong("binary data in a format that neither content nor name tells; say which it is with --format")
	}
	return "edges", nil
}

// documentStarts are how documents begin, in small letters, whose names do not tell.
var documentStarts = []struct {
	name  string
	start *regexp.Regexp
}{
	{"dot", regexp.MustCompile(`^(?s:/\*.*?\*/\s*)*(strict\s+)?(di)?graph\b[^\[\n]*\{`)},
	{"gml", regexp.MustCompile(`^((creator|version|comment)\b.*\s+)*graph\s*\[`)},
	{"json", regexp.MustCompile(`^\{\s*"`)},
	{"ntriples", regexp.MustCompile(`^(<[^>\s]+>|_:\S+)\s+<[^>\s]+>\s+(<[^>\s]+>|_:\S+|".*).*\.\s*(\n|$)`)},
}

// foreigners are formats that people have graphs in and hops does not read, by how
// their files begin.
var foreigners = []struct{ start, name string }{
	{"\x89HDF", "HDF5"},
	{"ARROW1", "an Arrow file"},
	{"FEA1", "a Feather file"},
	{"Obj\x01", "Avro"},
	{"SQLite format 3", "an SQLite database"},
	{"7z\xBC\xAF", "a 7-Zip archive"},
	{"\x80\x04", "a Python pickle"},
	{"%PDF", "PDF"},
	{"{\\rtf", "a text processor's document"},
	{"@prefix", "Turtle"},
	{">>graph6<<", "graph6"},
	{">>sparse6<<", "sparse6"},
	{"dl n=", "UCINET DL"},
	{"DL N=", "UCINET DL"},
}

// foreign names a format that is recognised but not read.
func foreign(front []byte) string {
	front = bytes.TrimPrefix(front, []byte("\xEF\xBB\xBF"))
	for _, f := range foreigners {
		if bytes.HasPrefix(front, []byte(f.start)) {
			return f.name
		}
	}
	if text := bytes.TrimLeft(front, " \t\r\n"); bytes.HasPrefix(text, []byte("<")) {
		for _, x := range []struct{ tag, name string }{{"<gexf", "GEXF"}, {"<rdf:RDF", "RDF/XML"}, {"<html", "a web page"}, {"<HTML", "a web page"}} {
			if bytes.Contains(text, []byte(x.tag)) {
				return x.name
			}
		}
	}
	return ""
}

func isMatrixMarket(front []byte) bool {
	const banner = "%%MatrixMarket"
	front = bytes.TrimPrefix(front, []byte("\xEF\xBB\xBF"))
	return len(front) >= len(banner) && bytes.EqualFold(front[:len(banner)], []byte(banner))
}

// isDimacs tells whether the first line that is not a comment is a header of the
// challenge.
func isDimacs(front []byte) bool {
	for line := range bytes.Lines(front) {
		fields := words(nil, bytes.TrimSuffix(line, []byte{'\n'}))
		if len(fields) > 0 && !isDimacsComment(fields) {
			return len(fields) == 4 && string(fields[0]) == "p" && (string(fields[1]) == "sp" || isEdgeProblem(fields[1]))
		}
	}
	return false
}

// isSerialized tells whether a file has the size that the header of a serialized
// graph would give it.
func isSerialized(front []byte, f *file) bool {
	if f.plain == nil || len(front) < serializedHeader || front[0] > 1 {
		return false
	}
	h := serialized{
		directed: front[0] == 1, entrySize: 4,
		entries:  int64(binary.LittleEndian.Uint64(front[1:])),
		vertices: int64(binary.LittleEndian.Uint64(front[9:])),
	}
	return h.possible() && h.size() == f.size
}
