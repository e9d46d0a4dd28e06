package format

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
)

// readSerialized reads the serialized graphs of the GAP benchmark suite: a byte
// that is 1 if the graph is directed, the numbers of entries and of vertices in 8
// bytes each, and then rows: where each one starts, 8 bytes each, and the end;
// and all entries, 4 bytes each, or 8 with a weight in a file called .wsg. The
// rows of a directed graph are followed by those of the edges turned round.
//
// All numbers are little-endian. An undirected edge is in the rows of both ends.
func readSerialized(ctx context.Context, f *file, opts *Options) (*Input, error) {
	r := &serialized{ctx: ctx, f: f, opts: opts.withWeights(), entrySize: 4}
	if f.suffix() == ".wsg" {
		r.entrySize = 8
	}
	defer r.memory.Close()
	l, err := r.read()
	if err != nil {
		return nil, err
	}
	in := l.input(nil, r.entrySize == 8, opts)
	in.Format = f.described("GAPBS serialized")
	in.Directed, in.DirectedBy = r.directed, ByFormat
	return in, nil
}

// A serialized reads such files.
type serialized struct {
	ctx  context.Context
	f    *file
	opts *Options

	directed          bool
	vertices, entries int64
	entrySize         int
	starts            []int64 // of the rows, and the end of the last
	memory            arena.Arena
	mirror            *mirror
}

const serializedHeader = 1 + 8 + 8

func (r *serialized) read() (*list, error) {
	if err := r.header(); err != nil {
		return nil, err
	}
	var err error
	if r.starts, err = arena.Make[int64](&r.memory, int(r.vertices)+1); err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	r.mirror = newMirror(r.opts.team.Size())
	l, err := r.rows(r.outRows)
	if err != nil {
		return nil, err
	}
	l.vertices = hops.Vertex(r.vertices)
	if r.directed {
		err = r.turned()
	} else {
		err = r.folded(l)
	}
	if err == nil {
		err = r.ended()
	}
	if err != nil {
		_ = l.close()
		return nil, err
	}
	return l, nil
}

func (r *serialized) header() error {
	var b [serializedHeader]byte
	n, err := io.ReadFull(r.f.content, b[:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return r.f.wrongByte(int64(n), "the file ends within its header")
	}
	if err != nil {
		return &Error{File: r.f.name, Offset: int64(n), What: r.f.breakage(err), Err: err}
	}
	r.f.taken = serializedHeader
	r.directed = b[0] == 1
	r.entries = int64(binary.LittleEndian.Uint64(b[1:]))
	r.vertices = int64(binary.LittleEndian.Uint64(b[9:]))
	switch {
	case b[0] > 1:
		return r.f.wrongByte(0, "the first byte is %d, where it says 0 for undirected or 1 for directed", b[0])
	case !r.possible():
		return r.f.wrongByte(1, "impossible size: %d vertices, %d entries", r.vertices, r.entries)
	}
	if want := r.size(); r.f.plain != nil && r.f.size != want {
		return r.f.wrongByte(1, "%d vertices and %d entries make %d bytes, but the file has %d", r.vertices, r.entries, want, r.f.size)
	}
	return nil
}

// possible tells whether there can be a file of that size.
func (r *serialized) possible() bool {
	return r.vertices >= 0 && r.vertices <= math.MaxInt32 && r.entries >= 0 && r.entries <= math.MaxInt64/32
}

// size is that of the file.
func (r *serialized) size() int64 {
	rows := 8*(r.vertices+1) + int64(r.entrySize)*r.entries
	if r.directed {
		rows *= 2
	}
	return serializedHeader + rows
}

// rows reads where rows start and then their entries, which are given to use
// block by block.
func (r *serialized) rows(use func(out *batch)) (*list, error) {
	at := r.f.taken
	none, err := r.f.readRecords(r.ctx, 8*(r.vertices+1), 8, r.opts, r.takeStarts)
	if err != nil {
		return nil, err
	}
	_ = none.close()
	for v := range r.vertices {
		if r.starts[v] > r.starts[v+1] {
			return nil, r.f.wrongByte(at+8*(v+1), "row %d ends before it starts", v)
		}
	}
	if r.starts[0] != 0 || r.starts[r.vertices] != r.entries {
		return nil, r.f.wrongByte(at, "rows take entries %d to %d, not 0 to %d", r.starts[0], r.starts[r.vertices], r.entries)
	}
	return r.f.readRecords(r.ctx, int64(r.entrySize)*r.entries, r.entrySize, r.opts, func(text []byte, out *batch) *fault {
		wrong := r.takeEntries(text, out)
		use(out)
		return wrong
	})
}

func (r *serialized) takeStarts(text []byte, out *batch) *fault {
	first := out.offset / 8
	for i := range len(text) / 8 {
		r.starts[first+int64(i)] = int64(binary.LittleEndian.Uint64(text[8*i:]))
	}
	return nil
}

// takeEntries makes an edge of every entry.
func (r *serialized) takeEntries(text []byte, out *batch) *fault {
	entry := out.offset / int64(r.entrySize)
	u := int64(sort.Search(int(r.vertices), func(v int) bool { return r.starts[v+1] > entry }))
	for pos := 0; pos+r.entrySize <= len(text); pos += r.entrySize {
		for entry >= r.starts[u+1] {
			u++
		}
		v := binary.LittleEndian.Uint32(text[pos:])
		if int64(v) >= r.vertices {
			return faultAt(pos, "row %d has vertex %d, which is not within 0 … %d", u, int32(v), r.vertices-1)
		}
		out.edges = append(out.edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
		if r.entrySize == 8 {
			whole := int32(binary.LittleEndian.Uint32(text[pos+4:]))
			w := float32(whole)
			out.takenNumber(float64(whole), w)
			if wrong := out.negative(w); wrong != "" {
				return faultAt(pos, "%s", wrong)
			}
			out.weights = append(out.weights, w)
		}
		entry++
	}
	return nil
}

// outRows counts edges: those of a directed graph will come once more, turned
// round, and those of an undirected one are all there twice.
func (r *serialized) outRows(out *batch) {
	sums := &r.mirror.parts[out.worker]
	for i := range out.edges {
		if e := out.row(i); r.directed {
			sums.add(r.mirror.hash(e))
		} else {
			r.mirror.count(sums, e)
		}
	}
}

// inRows counts edges that are turned round. They need not be kept.
func (r *serialized) inRows(out *batch) {
	sums := &r.mirror.parts[out.worker]
	for i := range out.edges {
		sums.subtract(r.mirror.hash(out.row(i).turned()))
	}
	out.edges, out.weights = out.edges[:0], out.weights[:0]
}

// row returns edge i as it is in its row.
func (b *batch) row(i int) rowEntry {
	e := rowEntry{u: uint32(b.edges[i].U), v: uint32(b.edges[i].V)}
	if len(b.weights) > 0 {
		e.weight = b.weights[i]
	}
	return e
}

// turned reads the edges of a directed graph once more, turned round.
func (r *serialized) turned() error {
	at := r.f.taken
	none, err := r.rows(r.inRows)
	if err != nil {
		return err
	}
	_ = none.close()
	if _, equal := r.mirror.total(); !equal {
		return r.f.wrongByte(at, "the rows of edges turned round are not those of the edges before")
	}
	return nil
}

// folded keeps each edge of an undirected graph once.
func (r *serialized) folded(l *list) error {
	if seg, edge, ok := l.fold(r.opts.team, r.mirror); !ok {
		entry := l.starts[seg] + int64(edge)
		at := r.f.taken - int64(r.entrySize)*(r.entries-entry)
		return r.f.wrongByte(at, "%s", l.oneSided(seg, edge, 0))
	}
	return nil
}

// ended checks that nothing follows.
func (r *serialized) ended() error {
	if r.f.plain != nil {
		return nil // the size has been checked
	}
	switch _, err := r.f.content.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return r.f.wrongByte(r.f.taken, "the file goes on after its last row")
	default:
		return &Error{File: r.f.name, Offset: r.f.taken, What: r.f.breakage(err), Err: err}
	}
}
