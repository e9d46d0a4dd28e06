package worker

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/query"
	"github.com/gohops/hops/sssp"
)

// An entry is an open graph with what answers need beside it, made when it is first asked
// for.
type entry struct {
	graph    *graph.Graph
	rows     *rows
	searcher *cpu.Searcher
	tree     *hops.Tree
	levels   []int32
	paths    *sssp.Searcher
	lightest *query.LightestPaths
}

func (e *entry) close() (err error) {
	if e.searcher != nil {
		err = e.searcher.Close()
	}
	if e.paths != nil {
		err = cmp.Or(err, e.paths.Close())
	}
	return cmp.Or(err, e.graph.Close())
}

// A description says what an open graph is.
type description struct {
	Graph    int64       `json:"graph"`
	Vertices hops.Vertex `json:"vertices"`
	Edges    int64       `json:"edges"`
	Directed bool        `json:"directed"`
	Weighted bool        `json:"weighted"`
	Names    string      `json:"names"` // text, numbers, or none where vertices have no others
}

// keep describes a graph, which is open from now on.
func (j *job) keep(e *entry) (any, error) {
	j.opened++
	j.graphs[j.opened] = e
	g, names := e.graph, "none"
	switch {
	case g.Names.IsText():
		names = "text"
	case g.Names != nil:
		names = "numbers"
	}
	return description{j.opened, g.NumVertices(), g.NumEdges(), g.Directed, g.Weighted(), names}, nil
}

// open reads a file.
func (j *job) open() (any, error) {
	ids, known := map[string]format.IDKind{"": format.AutoIDs, "auto": format.AutoIDs, "int": format.IntIDs, "string": format.TextIDs}[j.IDs]
	path := cmp.Or(j.Path, string(j.PathRaw))
	if !known || path == "" || path == "-" {
		return nil, requestError{fmt.Errorf("open takes the path of a file, and ids auto, int or string; got %q and %q", path, j.IDs)}
	}
	if slices.ContainsFunc(j.Pipes, func(f *os.File) bool { return isFile(path, f) }) {
		return nil, requestError{fmt.Errorf("%s is a pipe between this worker and the program that it answers", path)}
	}
	g, err := format.Load(j, path, format.Options{
		Format: j.Format, IDs: ids, Columns: j.Columns, Directed: j.Directed, Threads: j.Threads,
		DropWeights: !j.Weighted, NoNegativeWeights: j.Weighted,
	})
	if err != nil {
		return nil, err
	}
	if j.Weighted && !g.Weighted() {
		return nil, cmp.Or(g.Close(), error(requestError{fmt.Errorf("%s: the edges have no weights", path)}))
	}
	return j.keep(&entry{graph: g})
}

func isFile(path string, f *os.File) bool {
	named, err := os.Stat(path)
	if err != nil {
		return false // format.Load says why
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(named, open)
}

// edges makes a graph of a .npy file in the worker's folder: the sources of all edges,
// then their targets, as <u4, and after these their weights, as the bits of <f4.
func (j *job) edges() (any, error) {
	if j.Path != filepath.Base(j.Path) || !filepath.IsLocal(j.Path) {
		return nil, requestError{fmt.Errorf("%q is not the name of a file in the folder of the worker", j.Path)}
	}
	file, err := os.ReadFile(filepath.Join(j.folder, j.Path))
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	parts := 2
	if j.Weighted {
		parts = 3
	}
	const prefix = 10 // bytes before the text of a header, of which the last two are its length
	if len(file) < prefix || len(file)-prefix < int(binary.LittleEndian.Uint16(file[prefix-2:])) {
		return nil, requestError{fmt.Errorf("%s is not a .npy file", j.Path)}
	}
	header := prefix + int(binary.LittleEndian.Uint16(file[prefix-2:]))
	if header%4 != 0 || (len(file)-header)%(4*parts) != 0 {
		return nil, requestError{fmt.Errorf("%s: %d bytes after its header of %d are not %d numbers an edge", j.Path, len(file)-header, header, parts)}
	}
	numbers := arena.View[uint32](file[header:])
	m := len(numbers) / parts
	list, e := pairs{numbers[:m], numbers[m : 2*m], j.Count}, new(entry)
	var src hops.Source = list
	if j.Weighted {
		src = edge.WithWeights(list, arena.View[float32](arena.Bytes(numbers[2*m:])))
	}
	if j.Directed {
		src = hops.Directed(src)
	}
	if w, ok := src.(hops.WeightedSource); ok {
		e.graph, err = csr.BuildWeighted(j, w, j.Threads)
	} else {
		e.graph, err = csr.Build(j, src, j.Threads)
	}
	if err != nil {
		return nil, err
	}
	if j.Rows {
		if e.rows, err = newRows(list); err != nil {
			return nil, cmp.Or(err, e.close())
		}
	}
	return j.keep(e)
}

// pairs is a hops.Source of two arrays.
type pairs struct {
	from, to []uint32
	count    hops.Vertex
}

// NumVertices implements hops.Source.
func (p pairs) NumVertices() hops.Vertex { return p.count }

// NumEdges implements hops.Source.
func (p pairs) NumEdges() int64 { return int64(len(p.to)) }

// EdgesAt implements hops.Source.
func (p pairs) EdgesAt(dst []hops.Edge, off int64) (n int, err error) {
	if left := p.NumEdges() - off; int64(len(dst)) > left {
		dst, err = dst[:max(left, 0)], io.EOF
	}
	for i := range dst {
		dst[i] = hops.Edge{U: hops.Vertex(p.from[off+int64(i)]), V: hops.Vertex(p.to[off+int64(i)])}
	}
	return len(dst), err
}
