package format

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
)

// A parser knows the lines of one format. Lines are given to it in two ways:
// those before the first edge one by one, the others in blocks and to many
// workers at once, in no order.
type parser interface {
	// head is given the first lines of the file, each with its end if it has
	// one, until it returns last or past.
	head(line []byte) (verdict, *fault)
	// parse turns whole lines into edges.
	parse(text []byte, out *batch) *fault
}

// A verdict is what a parser says of a line at the front of a file.
type verdict int

const (
	more verdict = iota // another one, please
	last                // the next one is the first of the body
	past                // this one already is
)

// A batch is what the lines of a block have become. Parsers append to it.
type batch struct {
	edges   []hops.Edge
	weights []float32 // as many as edges, if there are weights
	rows    int64
	skipped []int32
	fields  [][]byte // scratch of a parser
	worker  int
	block   int64
}

func (b *batch) reset(worker int, block int64) {
	b.edges, b.weights, b.skipped = b.edges[:0], b.weights[:0], nil
	b.rows, b.worker, b.block = 0, worker, block
}

// readHead gives the first lines to the parser.
func (f *file) readHead(p parser) error {
	if err := f.skipMark(); err != nil {
		return err
	}
	for {
		line, err := f.peekLine()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		v, wrong := p.head(line)
		if wrong != nil {
			return f.wrongLine("%s", wrong.what)
		}
		if v != past {
			f.takeLine(line)
		}
		if v != more {
			return nil
		}
	}
}

// A failure is the first thing that is wrong with a file. Blocks are handed out
// in order, so whatever precedes the block of a failure has been, or is being,
// parsed: the failure of the lowest block is the first in the file.
type failure struct {
	mu    sync.Mutex
	block int64
	line  int64 // within the block, from 0
	what  string
	err   error
}

func (f *failure) at(block, line int64, what string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if block < f.block {
		f.block, f.line, f.what, f.err = block, line, what, err
	}
}

// precedes tells whether something went wrong before the block.
func (f *failure) precedes(block int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.block < block
}

// readBody has a team parse the rest of the file and returns the edges with the
// ends as the parser gave them.
func (f *file) readBody(ctx context.Context, p parser, opts *Options) (*list, error) {
	size := cmp.Or(opts.blockBytes, defaultBlock)
	l := &list{memory: new(arena.Arena)}
	failed := failure{block: math.MaxInt64}
	source := f.body(size, opts.Team.Size())
	found := make([][]segment, opts.Team.Size())
	opts.Team.Run(func(worker int) {
		w := bodyWorker{f: f, p: p, blocks: source, failed: &failed, slab: slab{memory: l.memory}}
		found[worker] = w.run(ctx, worker)
	})
	source.close()
	l.segments = slices.Concat(found...)
	slices.SortFunc(l.segments, func(a, b segment) int { return cmp.Compare(a.index, b.index) })
	err := ctx.Err()
	if failed.block < math.MaxInt64 {
		err = l.errorAt(f, &failed)
	}
	if err != nil {
		_ = l.close()
		return nil, err
	}
	if f.progress != nil {
		f.progress(f.arrived.Load(), f.size)
	}
	l.seal()
	return l, nil
}

func countLines(text []byte) int64 { return int64(bytes.Count(text, []byte{'\n'})) }

// errorAt adds the lines of the blocks before the failure to its own.
func (l *list) errorAt(f *file, failed *failure) error {
	line := f.lines + 1 + failed.line
	for i := range l.segments {
		if l.segments[i].index < failed.block {
			line += l.segments[i].lines
		}
	}
	return &Error{File: f.name, Line: line, What: failed.what, Err: failed.err}
}

// A bodyWorker parses blocks until there are none left.
type bodyWorker struct {
	f      *file
	p      parser
	blocks blocks
	failed *failure
	slab   slab
	out    batch
}

func (w *bodyWorker) run(ctx context.Context, worker int) (found []segment) {
	for ctx.Err() == nil {
		b, ok, err := w.blocks.next(ctx, worker)
		if !ok || w.failed.precedes(b.index) {
			return found
		}
		if err != nil {
			w.failed.at(b.index, 0, w.f.breakage(err), err)
			return found
		}
		w.out.reset(worker, b.index)
		if wrong := w.p.parse(b.text, &w.out); wrong != nil {
			w.failed.at(b.index, countLines(b.text[:wrong.pos]), wrong.what, nil)
			return found
		}
		s := segment{index: b.index, lines: countLines(b.text), rows: w.out.rows, skipped: w.out.skipped}
		if err := w.slab.store(&s, w.out.edges, w.out.weights); err != nil {
			w.failed.at(b.index, 0, err.Error(), err)
			return found
		}
		found = append(found, s)
		if worker == 0 && w.f.progress != nil {
			w.f.progress(w.f.arrived.Load(), w.f.size)
		}
	}
	return found
}
