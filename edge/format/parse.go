package format

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
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
	edges    []hops.Edge
	weights  []float32 // as many as edges, if there are weights
	positive bool      // weights below 0 are refused
	kept     bool      // weights are, so that those that are rounded count
	rows     int64
	skipped  []int32
	bad      int64 // lines left out
	badLines []badLine
	oddities
	fields [][]byte     // scratch of a parser
	names  []occurrence // text names, two for each edge, until they have numbers
	order  shardOrder   // of them
	worker int
	block  int64
	offset int64 // of the block, if there are records, from where they begin
}

func (b *batch) reset(worker int, block, offset int64) {
	b.edges, b.weights, b.skipped = b.edges[:0], b.weights[:0], nil
	b.names, b.bad, b.badLines, b.oddities = b.names[:0], 0, nil, oddities{}
	b.rows, b.worker, b.block, b.offset = 0, worker, block, offset
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

// A reading is a team at work on a stretch of a file.
type reading struct {
	stretch
	parse  func(text []byte, out *batch) *fault
	blocks blocks
	drop   bool // weights
	failed failure
	parsed atomic.Int64 // bytes of the stretch
	stored atomic.Int64 // bytes of the edges in them
}

// memoryStep is after how many bytes of edges a reading looks again whether
// memory is left: often enough for memory to outlast a step of every worker.
const memoryStep = 64 << 20

// plan refuses to go on where memory will not do: after the edges of the whole
// file have been read, as far as its size is known, there must be as much memory
// left as they take, for numbering their vertices and for rows. A compressed file may
// hold any number of edges.
func (r *reading) plan(done int64, s *segment) error {
	bytes := int64(4*len(s.narrow) + 8*len(s.wide) + 4*len(s.weights))
	parsed, stored := r.parsed.Add(done), r.stored.Add(bytes)
	if stored/r.f.memoryStep == (stored-bytes)/r.f.memoryStep {
		return nil
	}
	needed := stored
	if r.f.plain != nil {
		end := r.end
		if end < 0 {
			end = r.f.size
		}
		all := int64(float64(stored) * float64(end-r.start) / float64(parsed))
		needed = all + max(all-stored, 0)
	}
	if err := r.f.fits(needed); err != nil {
		return fmt.Errorf("reading on %w", err)
	}
	return nil
}

// readBody has a team parse the rest of the lines and returns the edges, with the
// ends as the parser gave them.
func (f *file) readBody(ctx context.Context, p parser, opts *Options) (*list, error) {
	size := int64(cmp.Or(opts.blockBytes, defaultBlock))
	r := reading{stretch: stretch{f: f, start: f.taken, end: -1, size: size}, parse: p.parse}
	return r.run(ctx, opts)
}

// readRecords has a team parse the next bytes of a binary file, or all that are
// left if length is negative, in blocks of whole records.
func (f *file) readRecords(ctx context.Context, length int64, record int, opts *Options,
	parse func(text []byte, out *batch) *fault,
) (*list, error) {
	size := int64(max(cmp.Or(opts.blockBytes, defaultBlock)/record, 1) * record)
	r := reading{stretch: stretch{f: f, start: f.taken, end: -1, size: size, records: true}, parse: parse}
	if length >= 0 {
		r.end = r.start + length
		if f.plain != nil && r.end > f.size {
			return nil, f.wrongByte(f.size, "the file ends %d bytes early", r.end-f.size)
		}
	}
	l, err := r.run(ctx, opts)
	if err != nil {
		return nil, err
	}
	for i := range l.segments {
		f.taken += l.segments[i].bytes
	}
	if length >= 0 && f.taken < r.end {
		_ = l.close()
		return nil, f.wrongByte(f.taken, "the file ends %d bytes early", r.end-f.taken)
	}
	return l, nil
}

func (r *reading) run(ctx context.Context, opts *Options) (*list, error) {
	r.blocks, r.drop = r.stretch.blocks(opts.team.Size()), opts.DropWeights
	defer r.blocks.close()
	return r.team(ctx, opts, func(w *bodyWorker, worker int) []segment { return w.run(ctx, worker) }, r.locate)
}

// team has every worker read segments, and puts them in order. locate makes an error of
// the first failure.
func (r *reading) team(ctx context.Context, opts *Options, work func(w *bodyWorker, worker int) []segment, locate func(l *list) error) (*list, error) {
	r.failed.block = math.MaxInt64
	l := &list{memory: new(arena.Arena), fits: r.f.fits}
	found := make([][]segment, opts.team.Size())
	opts.team.Run(func(worker int) {
		w := bodyWorker{reading: r, slab: slab{memory: l.memory}}
		w.out.positive, w.out.kept = opts.NoNegativeWeights, !opts.DropWeights
		found[worker] = work(&w, worker)
	})
	l.segments = slices.Concat(found...)
	slices.SortFunc(l.segments, func(a, b segment) int { return cmp.Compare(a.index, b.index) })
	l.seal()
	err := ctx.Err()
	if r.failed.block < math.MaxInt64 {
		err = locate(l)
	}
	if err != nil {
		_ = l.close()
		return nil, err
	}
	r.f.report()
	return l, nil
}

// A bodyWorker parses blocks until there are none left.
type bodyWorker struct {
	*reading
	slab slab
	out  batch
}

func (w *bodyWorker) run(ctx context.Context, worker int) (found []segment) {
	for ctx.Err() == nil {
		b, ok, err := w.blocks.next(ctx, worker)
		if !ok || w.failed.precedes(b.index) {
			return found
		}
		if err != nil {
			w.failed.at(b, 0, w.f.breakage(err), err)
			return found
		}
		w.out.reset(worker, b.index, b.index*w.size)
		if wrong := w.parse(b.text, &w.out); wrong != nil {
			w.failed.at(b, wrong.pos, wrong.what, nil)
			return found
		}
		s, err := w.store(b)
		if err == nil {
			err = w.plan(int64(len(b.text)), &s)
		}
		if err != nil {
			w.failed.at(b, 0, err.Error(), err)
			return found
		}
		found = append(found, s)
		if worker == 0 {
			w.f.report()
		}
	}
	return found
}

// store makes a segment of what the parser has left.
func (w *bodyWorker) store(b block) (segment, error) {
	s := segment{index: b.index, bytes: int64(len(b.text)), rows: w.out.rows, skipped: w.out.skipped, bad: w.out.bad, badLines: w.out.badLines, oddities: w.out.oddities}
	if !w.records {
		s.lines = countLines(b.text)
	}
	weights := w.out.weights
	if w.drop {
		weights = nil
	}
	err := w.slab.store(&s, w.out.edges, weights)
	return s, err
}

func countLines(text []byte) int64 { return int64(bytes.Count(text, []byte{'\n'})) }
