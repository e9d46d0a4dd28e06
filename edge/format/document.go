package format

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
)

// A document is a file in a format that cannot be cut into lines for many workers:
// one goroutine reads it from front to back. Names are text where there is an interner. Edges are stored as
// those of edge lists are, and memory is asked for in the same way.
type document struct {
	f        *file
	opts     *Options
	ctx      context.Context
	in       *bufio.Reader
	line     int64 // that is being read, from 1 on
	interner *interner
	names    position                     // names seen so far
	number   func() (*graph.Names, error) // numbers the vertices, in the end
	list     *list
	slab     slab
	edges    []hops.Edge
	weights  []float32
	weighted bool
	oddities       // of these edges
	stored   int64 // bytes in memory
	directed bool
	silent   bool // the format does not say whether edges are directed
}

// documentBatch is how many edges are stored at a time.
const documentBatch = 32 << 10

// documentReader makes the reader of a format of a function that parses it. What that
// reports is wrong in the line that is being read.
func documentReader(name string, parse func(d *document) error) reader {
	return func(ctx context.Context, f *file, opts *Options) (*Input, error) {
		if err := f.skipMark(); err != nil {
			return nil, err
		}
		d := &document{line: 1, interner: newInterner()}
		d.number = func() (*graph.Names, error) { return d.interner.finish(d.list, opts.team) }
		return d.read(ctx, f, opts, name, parse)
	}
}

// read has one goroutine parse the file.
func (d *document) read(ctx context.Context, f *file, opts *Options, name string, parse func(d *document) error) (*Input, error) {
	d.f, d.opts, d.ctx, d.in = f, opts, ctx, f.content
	d.slab.memory = new(arena.Arena)
	d.list = &list{memory: d.slab.memory, fits: f.fits}
	done := make(chan error, 1)
	finished := make(chan struct{})
	f.cutting = finished
	go func() {
		defer close(finished)
		done <- parse(d)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		return nil, ctx.Err() // a pipe may never deliver
	}
	return d.finish(name, err)
}

func (d *document) finish(name string, err error) (*Input, error) {
	if err == nil || err == io.EOF {
		err = d.flush()
	}
	if err == nil && d.interner != nil && d.names == 0 {
		err = d.wrong("the file has no vertices")
	}
	var names *graph.Names
	if err == nil {
		d.list.seal()
		names, err = d.number()
	}
	if err != nil {
		_ = d.list.close()
		if _, ok := err.(*Error); !ok {
			err = &Error{File: d.f.name, Line: d.line, Offset: -1, What: d.f.breakage(err), Err: err}
		}
		return nil, err
	}
	d.f.report()
	in := d.list.input(names, d.weighted, d.opts)
	in.Format = d.f.described(name)
	if in.Directed, in.DirectedBy = d.directed, ByFormat; d.silent {
		in.undecided(d.opts.Directed)
	}
	return in, nil
}

func (d *document) wrong(what string, args ...any) error {
	return &Error{File: d.f.name, Line: d.line, What: fmt.Sprintf(what, args...)}
}

// vertex takes a vertex, which may have no edges.
func (d *document) vertex(name string) error {
	if wrong := checkText([]byte(name)); wrong != "" {
		return d.wrong("%s", wrong)
	}
	d.id(name)
	return nil
}

func (d *document) id(name string) hops.Vertex {
	d.names++
	return d.interner.add([]byte(name), d.names)
}

// edge takes an edge. weight is "" where the file has none.
func (d *document) edge(from, to, weightText string) error {
	for _, name := range []string{from, to} {
		if wrong := checkText([]byte(name)); wrong != "" {
			return d.wrong("%s", wrong)
		}
	}
	w := float32(1) // an edge without a weight among others
	if weightText != "" {
		var wrong string
		if w, wrong = weight([]byte(weightText)); wrong != "" {
			return d.wrong("%s", wrong)
		}
		d.taken([]byte(weightText), w)
		if wrong := (&batch{positive: d.opts.NoNegativeWeights}).negative(w); wrong != "" {
			return d.wrong("%s", wrong)
		}
		d.weighted = true
	}
	d.weights = append(d.weights, w)
	return d.add(hops.Edge{U: d.id(from), V: d.id(to)})
}

// add takes an edge between numbers.
func (d *document) add(e hops.Edge) error {
	if d.edges = append(d.edges, e); len(d.edges) < documentBatch {
		return nil
	}
	return d.flush()
}

// flush stores the edges taken so far.
func (d *document) flush() error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	s := segment{index: int64(len(d.list.segments)), oddities: d.oddities}
	d.oddities = oddities{}
	if err := d.slab.store(&s, d.edges, d.weights); err != nil {
		return err
	}
	d.list.segments = append(d.list.segments, s)
	d.edges, d.weights = d.edges[:0], d.weights[:0]
	d.f.report()
	return d.keep(4*len(s.narrow) + 8*len(s.wide) + 4*len(s.weights))
}

// waitingBytes is the memory of a node or edge that waits on the heap, without its text:
// at most 56 bytes of its own, 16 for each of up to three texts, and 24 in a map. It is
// computed from the sizes of the types, not measured.
const waitingBytes = 128

// wait counts the memory of a node or edge that is kept until others have been read.
func (d *document) wait(texts ...string) error {
	bytes := waitingBytes
	for _, t := range texts {
		bytes += len(t)
	}
	return d.keep(bytes)
}

// keep counts bytes that stay in memory. It refuses to go on where as much memory again
// is not left.
func (d *document) keep(bytes int) error {
	before := d.stored
	if d.stored += int64(bytes); d.stored/d.f.memoryStep == before/d.f.memoryStep {
		return nil
	}
	if err := d.f.fits(d.stored); err != nil {
		return &Error{File: d.f.name, Line: d.line, What: "reading on " + err.Error(), Err: err}
	}
	return nil
}

// nextLine returns the next line without its end, or io.EOF.
func (d *document) nextLine() ([]byte, error) {
	var long []byte
	for {
		part, err := d.in.ReadSlice('\n')
		if err == nil || err == io.EOF && len(long)+len(part) > 0 {
			d.line++
			return trimBlanks(bytes.TrimSuffix(append(long, part...), []byte{'\n'})), nil
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
		long = append(long, part...)
		if err := (stretch{f: d.f}).longLine(len(long)); err != nil {
			return nil, err
		}
	}
}

// eachLine calls use for every line that is not blank and does not begin with comment.
func (d *document) eachLine(comment string, use func(line []byte) error) error {
	d.line = 0
	for {
		line, err := d.nextLine()
		if err != nil {
			d.line++
			return err
		}
		if len(line) == 0 || comment != "" && bytes.HasPrefix(line, []byte(comment)) {
			continue
		}
		if err := use(line); err != nil {
			return err
		}
	}
}

// add numbers a name at a position in the file, as intern does for blocks.
func (in *interner) add(name []byte, where position) hops.Vertex {
	n := in.hash(name)
	k := n.hash >> (64 - shardBits)
	s := &in.shards[k]
	for 2*(len(s.entries)+1) > len(s.slots) {
		s.grow()
	}
	return hops.Vertex(s.number(n, 0, where))<<shardBits | hops.Vertex(k)
}
