package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/compression"
)

// readGraphalytics reads a graph of LDBC Graphalytics: NAME.v has the name of
// every vertex, NAME.e a line "FROM TO" or "FROM TO WEIGHT" for every edge, and
// NAME.properties, which may be missing, says whether it is directed. Any of them
// can be compressed. It is opened by the name of either of the first two.
func readGraphalytics(ctx context.Context, f *file, opts *Options) (*Input, error) {
	g := &graphalytics{ctx: ctx, opts: opts}
	base, ok := strings.CutSuffix(compression.Bare(f.path), f.suffix())
	if !ok || (f.suffix() != ".v" && f.suffix() != ".e") {
		return nil, f.wrong("a Graphalytics graph is the two files NAME.v and NAME.e; open one of them")
	}
	vertices, err := g.open(base + ".v")
	if err != nil {
		return nil, err
	}
	defer vertices.close()
	edges, err := g.open(base + ".e")
	if err != nil {
		return nil, err
	}
	defer edges.close()
	edges.progress = f.progress
	return g.read(base, vertices, edges)
}

// A graphalytics reads the files of one graph.
type graphalytics struct {
	ctx  context.Context
	opts *Options
}

// open opens a file, compressed or not.
func (g *graphalytics) open(path string) (*file, error) {
	for _, suffix := range append([]string{""}, compression.Suffixes()...) {
		f, err := openFile(g.ctx, path+suffix, nil)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("format: %s: %w, compressed or not", path, fs.ErrNotExist)
}

func (g *graphalytics) read(base string, vertices, edges *file) (*Input, error) {
	known, names, n, err := g.readVertices(vertices)
	if err != nil {
		return nil, err
	}
	defer known.release()
	p := &arcs{known: known, vertices: vertices.name}
	if err := edges.readHead(p); err != nil {
		return nil, err
	}
	l, err := edges.readBody(g.ctx, p, g.opts)
	if err != nil {
		return nil, err
	}
	l.vertices = n
	in := l.input(names, p.weights != noWeight, g.opts)
	in.Format = edges.described("Graphalytics")
	in.undecided(g.opts.Directed)
	if err := in.apply(base + ".properties"); err != nil {
		_ = in.Close()
		return nil, err
	}
	return in, nil
}

// readVertices reads the names of all vertices.
func (g *graphalytics) readVertices(f *file) (index, *graph.Names, hops.Vertex, error) {
	if err := f.skipMark(); err != nil {
		return nil, nil, 0, err
	}
	l, err := f.readBody(g.ctx, nameLines{}, g.opts)
	if err != nil {
		return nil, nil, 0, err
	}
	defer l.close()
	if l.NumEdges() == 0 {
		return nil, nil, 0, f.wrongLine("the file has no vertices")
	}
	found, names, err := l.index(g.opts.team)
	if err != nil {
		return nil, nil, 0, err
	}
	if int64(l.vertices) < l.NumEdges() {
		found.release()
		return nil, nil, 0, l.repeated(f)
	}
	return found, names, l.vertices, nil
}

// repeated finds the first name that was there before.
func (l *list) repeated(f *file) error {
	before := newTable()
	for k := range l.segments {
		for i := range l.segments[k].edges() {
			x, _ := l.segments[k].at(i)
			count := before.count()
			if before.add(x); before.count() == count {
				return l.wrongRow(f, k, uint64(i), fmt.Sprintf("vertex %d is listed twice", x))
			}
		}
	}
	return f.wrong("a vertex is listed twice")
}

// nameLines parses lines of one name, which it gives out as a loop.
type nameLines struct{}

var _ parser = nameLines{}

// head implements parser.
func (nameLines) head([]byte) (verdict, *fault) { return past, nil }

// parse implements parser.
func (nameLines) parse(text []byte, out *batch) *fault {
	pos, row := 0, int32(0)
	for line := range bytes.Lines(text) {
		field := trimBlanks(bytes.TrimSuffix(line, []byte{'\n'}))
		if len(field) == 0 {
			out.skipped = append(out.skipped, row)
		} else {
			x, wrong := wholeNumber(field)
			if wrong != "" {
				return faultAt(pos, "%s", wrong)
			}
			out.edges = append(out.edges, hops.Edge{U: hops.Vertex(x), V: hops.Vertex(x)})
		}
		pos += len(line)
		row++
	}
	return nil
}

// arcs parses lines of edges between vertices that are known.
type arcs struct {
	known    index
	vertices string // the file that lists them
	weights  weightKind
}

var _ parser = (*arcs)(nil)

// head implements parser: the first line says whether there are weights.
func (p *arcs) head(line []byte) (verdict, *fault) {
	if !isNotBlank(line) {
		return more, nil
	}
	if len(words(nil, bytes.TrimSuffix(line, []byte{'\n'}))) == 3 {
		p.weights = realWeight
	}
	return past, nil
}

// parse implements parser.
func (p *arcs) parse(text []byte, out *batch) *fault {
	plain := plainLines{delimiter: ' ', weighted: p.weights != noWeight, fractions: p.weights == realWeight}
	wrong := numberLines(text, out, plain, p.weights)
	for i := range out.edges {
		e := &out.edges[i]
		for _, end := range []*hops.Vertex{&e.U, &e.V} {
			v, ok := p.known.find(uint64(*end))
			if !ok {
				return faultAt(nthLine(text, i, isNotBlank), "vertex %d is not in %s", *end, p.vertices)
			}
			*end = hops.Vertex(v)
		}
	}
	return wrong
}

// apply reads what the properties of a graph say about it: "graph.NAME.directed =
// true", and how many vertices and edges there are. A missing file says nothing.
func (in *Input) apply(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("format: %w", err)
	}
	number := int64(0)
	for line := range strings.Lines(string(text)) {
		number++
		key, value, ok := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); !ok || strings.HasPrefix(key, "#") {
			continue
		}
		if wrong := in.property(key, strings.TrimSpace(value)); wrong != "" {
			return &Error{File: path, Line: number, What: wrong}
		}
	}
	return nil
}

func (in *Input) property(key, value string) string {
	switch {
	case strings.HasSuffix(key, ".directed"):
		if value != "true" && value != "false" {
			return fmt.Sprintf("%s is %q, neither true nor false", key, value)
		}
		in.Directed, in.DirectedBy = value == "true", ByFormat
	case strings.HasSuffix(key, ".meta.vertices"):
		if found := fmt.Sprint(in.edges.NumVertices()); value != found {
			return fmt.Sprintf("%s is %q, there are %s", key, value, found)
		}
	case strings.HasSuffix(key, ".meta.edges"):
		if found := fmt.Sprint(in.edges.NumEdges()); value != found {
			return fmt.Sprintf("%s is %q, there are %s", key, value, found)
		}
	}
	return ""
}
