package graph

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
)

// Open opens a graph file, as hops convert and WriteTo write it. It maps the file
// into memory, which takes no time at any size, and processes that have it open
// share the memory. The file must not be changed while it is open; replacing it
// by another, as hops convert does, is fine.
func Open(path string) (*Graph, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	mapped := false
	defer func() {
		if !mapped {
			_ = f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	if !info.Mode().IsRegular() {
		return ReadGraph(f, path)
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("graph: %s: the file is empty", path)
	}
	m, err := mapFile(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("graph: %s: %w", path, err)
	}
	mapped = m.size != nil
	return open(m, path)
}

// CountVertices reads the number of vertices from the header of a graph file, so that a
// program can plan its memory before it opens the graph. ok is false for other files.
func CountVertices(path string) (n hops.Vertex, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false // to open a pipe would take from it
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	page := make([]byte, pageSize)
	length, _ := io.ReadFull(f, page)
	var h fileHeader
	if h.decode(page[:length], uint64(info.Size())) != nil {
		return 0, false
	}
	return hops.Vertex(h.Vertices), true
}

// ReadGraph reads a graph file from a stream into memory. The name is for error
// messages.
func ReadGraph(r io.Reader, name string) (*Graph, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("graph: %s: %w", name, err)
	}
	return open(inMemory(b), name)
}

// A mapping is the bytes of a file. It is the Memory of its graph.
type mapping struct {
	bytes   []byte
	release func([]byte) error
	size    func() (int64, error) // of the file; nil if the bytes were read
}

func (m *mapping) Live() int64 { return int64(len(m.bytes)) }
func (m *mapping) Peak() int64 { return int64(len(m.bytes)) }

func (m *mapping) Close() error {
	b := m.bytes
	m.bytes = nil
	if b == nil || m.release == nil {
		return nil
	}
	return m.release(b)
}

// inMemory is the mapping of bytes that were read. They move to where arrays of
// 64 bits may lie.
func inMemory(b []byte) *mapping {
	words := make([]uint64, (len(b)+7)/8)
	aligned := arena.Bytes(words)[:len(b)]
	copy(aligned, b)
	return &mapping{bytes: aligned}
}

func open(m *mapping, name string) (*Graph, error) {
	g, err := graphIn(m)
	if err != nil {
		_ = m.Close()
		return nil, fmt.Errorf("graph: %s: %w", name, err)
	}
	g.guard.name, g.guard.size = name, m.size
	return g, nil
}

func graphIn(m *mapping) (*Graph, error) {
	var h fileHeader
	if err := h.decode(m.bytes, uint64(len(m.bytes))); err != nil {
		return nil, err
	}
	if !littleEndian() {
		return nil, errors.New("graph files need a machine whose numbers are little-endian")
	}
	guard, err := newGuard(m.bytes, h.Sums, hops.Vertex(h.Vertices))
	if err != nil {
		return nil, err
	}
	g := NewGraph(m)
	g.guard = guard
	g.Directed = h.Flags&flagDirected != 0
	g.Tuples, g.Loops, g.Duplicates = h.Tuples, h.Loops, h.Duplicates
	if err := g.viewRows(&h, m.bytes); err != nil {
		return nil, err
	}
	if h.Flags&flagNames != 0 {
		if err := g.viewNames(&h, m.bytes); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *Graph) viewRows(h *fileHeader, file []byte) error {
	n := h.Vertices
	err := cmp.Or(
		view(h, file, outOffsets, &g.Out.Offsets),
		view(h, file, outNeighbors, &g.Out.Neighbors),
		view(h, file, headSection, &g.Parents.Head),
		view(h, file, isolatedSection, &g.Isolated),
		view(h, file, moreSection, &g.Parents.More),
		view(h, file, hubSection, &g.Parents.Hub),
		view(h, file, hubPrefixSection, &g.Parents.HubPrefix),
	)
	g.In = g.Out
	if g.Directed {
		g.In = Rows{}
		err = cmp.Or(err,
			view(h, file, inOffsets, &g.In.Offsets),
			view(h, file, inNeighbors, &g.In.Neighbors))
	}
	if h.Flags&flagWeights != 0 {
		err = cmp.Or(err, g.viewWeights(h, file))
	}
	if err != nil {
		return err
	}
	words := (n + 63) / 64
	for _, c := range []struct {
		number    int
		got, want uint64
	}{
		{outOffsets, uint64(len(g.Out.Offsets)), n + 1},
		{inOffsets, uint64(len(g.In.Offsets)), n + 1},
		{inNeighbors, uint64(len(g.In.Neighbors)), uint64(len(g.Out.Neighbors))},
		{headSection, uint64(len(g.Parents.Head)), n},
		{isolatedSection, uint64(len(g.Isolated)), words},
		{moreSection, uint64(len(g.Parents.More)), words},
		{hubSection, uint64(len(g.Parents.Hub)), words},
		{hubPrefixSection, uint64(len(g.Parents.HubPrefix)), n},
	} {
		if c.got != c.want {
			return fmt.Errorf("%s: %d entries, want %d", sectionNames[c.number], c.got, c.want)
		}
	}
	return nil
}

// viewWeights views the weights of rows that are views already.
func (g *Graph) viewWeights(h *fileHeader, file []byte) error {
	one := func(number int, rows *Rows) error {
		rows.Weights = []float32{} // not nil, if there are no edges
		if err := view(h, file, number, &rows.Weights); err != nil {
			return err
		}
		if len(rows.Weights) != len(rows.Neighbors) {
			return fmt.Errorf("%s: %d entries, want %d", sectionNames[number], len(rows.Weights), len(rows.Neighbors))
		}
		return nil
	}
	err := one(outWeights, &g.Out)
	if g.Directed {
		return cmp.Or(err, one(inWeights, &g.In))
	}
	g.In = g.Out
	return err
}

func (g *Graph) viewNames(h *fileHeader, file []byte) error {
	s := NameSections{Count: h.NameCount, First: h.NameFirst}
	err := cmp.Or(
		view(h, file, nameNarrow, &s.Narrow),
		view(h, file, nameWide, &s.Wide),
		view(h, file, nameText, &s.Text),
		view(h, file, nameEnds, &s.Ends),
		view(h, file, nameTable, &s.Table),
	)
	if err != nil {
		return err
	}
	if s.Count != h.Vertices {
		return fmt.Errorf("%d names for %d vertices", s.Count, h.Vertices)
	}
	g.Names, err = NamesFrom(s)
	return err
}

func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }
