package format

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/parquet"
)

// readParquet reads two columns of a Parquet file, and perhaps a third of weights. Names
// are text or numbers as the columns are. Workers share the file by row groups.
func readParquet(ctx context.Context, f *file, opts *Options) (*Input, error) {
	at, size, err := f.whole(ctx)
	if err != nil {
		return nil, err
	}
	p := &parquetTable{opts: opts}
	if p.File, err = parquet.Open(at, size); err != nil {
		return nil, f.wrong("%v", err)
	}
	if err := p.choose(); err != nil {
		return nil, f.wrong("%v", err)
	}
	if p.Rows == 0 {
		return nil, f.wrong("the file has no edges")
	}
	l, err := p.read(ctx, f)
	if err != nil {
		return nil, err
	}
	var names *graph.Names
	if p.interner != nil {
		names, err = p.interner.finish(l, opts.team)
	} else {
		names, err = l.compact(opts.team)
	}
	if err != nil {
		_ = l.close()
		return nil, f.wrong("%v", err)
	}
	in := l.input(names, len(p.columns) == 3, opts)
	in.Format = f.described(p.describe())
	in.undecided(opts.Directed)
	return in, nil
}

// whole returns the content at any offset. What comes through a pipe or out of a compressed
// file is read into memory first.
func (f *file) whole(ctx context.Context) (io.ReaderAt, int64, error) {
	if f.plain != nil {
		return f.plain, f.size, nil
	}
	var all bytes.Buffer
	for ctx.Err() == nil {
		n, err := io.CopyN(&all, f.content, f.memoryStep/8)
		f.report()
		if err == io.EOF {
			return bytes.NewReader(all.Bytes()), int64(all.Len()), nil
		}
		if err == nil {
			err = f.fits(2 * int64(all.Len()))
		}
		if err != nil {
			return nil, 0, f.wrongByte(int64(all.Len())-n, "%s", f.breakage(err))
		}
	}
	return nil, 0, ctx.Err()
}

// A parquetTable is a Parquet file as a list of edges.
type parquetTable struct {
	*parquet.File
	opts     *Options
	columns  []int // of the two ends and perhaps of the weight
	interner *interner
	next     atomic.Int64 // row group to be read
}

// choose finds the columns: those that were asked for, or else the only two or three.
func (p *parquetTable) choose() error {
	fields := make([][]byte, len(p.Columns))
	for i, c := range p.Columns {
		fields[i] = []byte(c.Name)
	}
	if n := len(fields); p.opts.Columns == nil && n != 2 && n != 3 {
		return fmt.Errorf("%d columns: choose those of the two ends, like --columns 1,2; there are %s", n, listed(fields))
	}
	list := edgeList{opts: p.opts}
	if err := list.check(); err != nil {
		return err
	}
	if _, wrong := list.choose(fields); wrong != "" {
		return fmt.Errorf("%s", wrong)
	}
	if p.columns = []int{list.from, list.to}; list.value >= 0 {
		p.columns = append(p.columns, list.value)
	} else if p.opts.Columns == nil && len(fields) == 3 {
		p.columns = append(p.columns, 2)
	}
	isText := p.opts.IDs == TextIDs
	for i, c := range p.columns {
		kind := p.Columns[c].Kind
		if kind == parquet.Unreadable || i < 2 && kind == parquet.Real {
			return fmt.Errorf("column %s holds neither integers nor text; --columns chooses others of %s", quoted(fields[c]), listed(fields))
		}
		isText = isText || i < 2 && kind == parquet.Text
	}
	if isText && p.opts.IDs != IntIDs {
		p.interner = newInterner()
	} else if isText {
		return fmt.Errorf("--ids int cannot be: columns %s and %s hold text", quoted(fields[list.from]), quoted(fields[list.to]))
	}
	return nil
}

func (p *parquetTable) describe() string {
	text := fmt.Sprintf("Parquet, columns %q and %q", p.Columns[p.columns[0]].Name, p.Columns[p.columns[1]].Name)
	if p.interner != nil {
		text += ", names are text"
	}
	if len(p.columns) == 3 {
		text += fmt.Sprintf(", weighted by %q", p.Columns[p.columns[2]].Name)
	}
	return text
}

// parquetRows is how many rows become a segment: with their edges they stay in a
// second-level cache.
const parquetRows = 16 << 10

// read has a team read the row groups. A row counts as a byte in the memory plan.
func (p *parquetTable) read(ctx context.Context, f *file) (*list, error) {
	r := &reading{stretch: stretch{f: f, end: p.Rows, records: true}, drop: p.opts.DropWeights}
	starts := make([]int64, p.Groups()+1) // first segment of every row group
	for g := range p.Groups() {
		starts[g+1] = starts[g] + (p.GroupRows(g)+parquetRows-1)/parquetRows
	}
	return r.team(ctx, p.opts, func(w *bodyWorker, worker int) (found []segment) {
		for ctx.Err() == nil {
			g := int(p.next.Add(1) - 1)
			if g >= p.Groups() || w.failed.precedes(starts[g]) {
				break
			}
			group := parquetGroup{parquetTable: p, group: g, left: p.GroupRows(g)}
			for index := starts[g]; index < starts[g+1] && ctx.Err() == nil; index++ {
				w.out.reset(worker, index, 0)
				s, err := group.next(w)
				if err != nil {
					w.failed.at(block{index: index}, 0, err.Error(), err)
					return found
				}
				found = append(found, s)
				f.arrive(int64(float64(f.size) * float64(w.parsed.Load()) / float64(p.Rows)))
				if worker == 0 {
					f.report()
				}
			}
		}
		return found
	}, func(*list) error { return &Error{File: f.name, Offset: -1, What: r.failed.what, Err: r.failed.err} })
}

// A parquetGroup is a row group that one worker reads.
type parquetGroup struct {
	*parquetTable
	group   int
	left    int64
	readers []*parquet.Reader
	ints    []int64
	reals   []float64
	texts   [][]byte
}

// next reads rows and stores their edges.
func (p *parquetGroup) next(w *bodyWorker) (segment, error) {
	n := int(min(p.left, parquetRows))
	for i, c := range p.columns {
		if len(p.readers) == i {
			r, err := p.Reader(p.group, c)
			if err != nil {
				return segment{}, err
			}
			p.readers = append(p.readers, r)
		}
		take := p.end
		if i == 2 {
			take = p.weights
		}
		if err := take(i, n, &w.out); err != nil {
			return segment{}, err
		}
	}
	if p.interner != nil {
		p.interner.intern(&w.out)
	}
	p.left -= int64(n)
	b := block{index: w.out.block}
	s, err := w.store(b)
	if err == nil {
		err = w.plan(int64(n), &s)
	}
	return s, err
}

func (p *parquetGroup) wrong(i, row int, what string) error {
	at := p.GroupRows(p.group) - p.left + int64(row) + 1
	return fmt.Errorf("row group %d, column %q, row %d: %s", p.group+1, p.Columns[p.columns[i]].Name, at, what)
}

// end takes one end of n edges.
func (p *parquetGroup) end(i, n int, out *batch) (err error) {
	column := &p.Columns[p.columns[i]]
	if out.edges = slices.Grow(out.edges[:0], n)[:n]; p.interner != nil {
		out.names = slices.Grow(out.names[:0], 2*n)[:2*n]
	}
	if column.Kind == parquet.Text {
		p.texts, err = p.readers[i].Texts(p.texts[:0], n)
		for k, text := range p.texts {
			if wrong := checkText(text); wrong != "" {
				return p.wrong(i, k, wrong)
			}
			out.names[2*k+i] = p.interner.hash(text)
		}
		return err
	}
	p.ints, err = p.readers[i].Ints(p.ints[:0], n)
	for k, x := range p.ints {
		switch {
		case x < 0 && !column.Unsigned:
			return p.wrong(i, k, fmt.Sprintf("%d is negative, where vertices are counted from 0 on", x))
		case p.interner != nil:
			out.names[2*k+i] = p.interner.hash(strconv.AppendUint(nil, uint64(x), 10))
		case i == 0:
			out.edges[k].U = hops.Vertex(x)
		default:
			out.edges[k].V = hops.Vertex(x)
		}
	}
	return err
}

// weights takes the weights of n edges.
func (p *parquetGroup) weights(i, n int, out *batch) (err error) {
	column := &p.Columns[p.columns[i]]
	switch column.Kind {
	case parquet.Int:
		p.ints, err = p.readers[i].Ints(p.ints[:0], n)
		p.reals = p.reals[:0]
		for _, x := range p.ints {
			if p.reals = append(p.reals, float64(x)); column.Unsigned {
				p.reals[len(p.reals)-1] = float64(uint64(x))
			}
		}
	case parquet.Real:
		p.reals, err = p.readers[i].Reals(p.reals[:0], n)
	default:
		p.texts, err = p.readers[i].Texts(p.texts[:0], n)
		for k, text := range p.texts {
			if wrong := out.weight(text); wrong != "" {
				return p.wrong(i, k, wrong)
			}
		}
		return err
	}
	for k, x := range p.reals {
		wrong := out.negative(float32(x))
		if math.IsNaN(x) || math.Abs(x) > math.MaxFloat32 {
			wrong = fmt.Sprintf("weight %v is not a number that 32 bits hold", x)
		}
		if wrong != "" {
			return p.wrong(i, k, wrong)
		}
		out.takenNumber(x, float32(x))
		out.weights = append(out.weights, float32(x))
	}
	return err
}
