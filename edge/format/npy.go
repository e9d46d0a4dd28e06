package format

import (
	"context"
	"encoding/binary"
	"io"
	"regexp"
	"strconv"

	"github.com/gohops/hops"
)

// readNPY reads an array of NumPy with two columns, or two rows, of integers: a row, or
// a column, is an edge. Vertices are those that have an edge, as in edge lists.
func readNPY(ctx context.Context, f *file, opts *Options) (*Input, error) {
	a, err := f.npyHeader()
	if err != nil {
		return nil, err
	}
	var l *list
	if a.apart {
		l, err = a.readColumns(ctx, f, opts)
	} else {
		l, err = f.readRecords(ctx, 2*a.edges*int64(a.size), 2*a.size, opts, func(text []byte, out *batch) *fault {
			return a.take(text[:len(text)/2*2], out)
		})
	}
	if err != nil {
		return nil, err
	}
	if l.NumEdges() == 0 {
		_ = l.close()
		return nil, f.wrongByte(f.taken, "the array has no edges")
	}
	names, err := l.compact(opts.team)
	if err != nil {
		_ = l.close()
		return nil, f.wrong("%v", err)
	}
	in := l.input(names, false, opts)
	in.Format = f.described("NumPy array")
	in.undecided(opts.Directed)
	return in, nil
}

// An npyArray is what the header of one says.
type npyArray struct {
	size   int // bytes of a number
	signed bool
	edges  int64
	apart  bool // all first ends lie before all second ends
}

// npyHead is what headers look like, which are literals of Python.
var npyHead = regexp.MustCompile(`^\{'descr': '([<|])([iu])([1248])', 'fortran_order': (True|False), 'shape': \((\d+), (\d+),?\), \}\s*$`)

const npyMagic = "\x93NUMPY"

func (f *file) npyHeader() (a npyArray, err error) {
	start, _ := f.content.Peek(12)
	if len(start) < 12 || string(start[:6]) != npyMagic {
		return a, f.wrongByte(0, "not an array of NumPy")
	}
	begin, length := 10, int(binary.LittleEndian.Uint16(start[8:]))
	if start[6] > 1 {
		begin, length = 12, int(binary.LittleEndian.Uint32(start[8:]))
	}
	if length > 1<<16 {
		return a, f.wrongByte(8, "a header of %d bytes", length)
	}
	head, err := f.content.Peek(begin + length)
	if err != nil {
		return a, f.wrongByte(int64(len(head)), "the file ends within its header")
	}
	m := npyHead.FindStringSubmatch(string(head[begin:]))
	if m == nil {
		return a, f.wrongByte(int64(begin), "the header is %s, not that of a little-endian array of integers with two dimensions", quoted(head[begin:]))
	}
	rows, _ := strconv.ParseInt(m[5], 10, 64)
	columns, _ := strconv.ParseInt(m[6], 10, 64)
	a.size, _ = strconv.Atoi(m[3])
	a.signed = m[2] == "i"
	fortran := m[4] == "True"
	switch {
	case columns == 2:
		a.edges, a.apart = rows, fortran
	case rows == 2:
		a.edges, a.apart = columns, !fortran
	default:
		return a, f.wrongByte(int64(begin), "an array of %d by %d, where edges are 2 by any number", rows, columns)
	}
	if a.edges > 1<<58 {
		return a, f.wrongByte(int64(begin), "impossible size: %d edges", a.edges)
	}
	n, _ := f.content.Discard(begin + length)
	f.taken += int64(n)
	return a, nil
}

// number returns number i of bytes, or false if it is negative.
func (a npyArray) number(text []byte, i int) (uint64, bool) {
	var x uint64
	switch text = text[i*a.size:]; a.size {
	case 1:
		x = uint64(text[0])
	case 2:
		x = uint64(binary.LittleEndian.Uint16(text))
	case 4:
		x = uint64(binary.LittleEndian.Uint32(text))
	default:
		x = binary.LittleEndian.Uint64(text)
	}
	return x, !a.signed || x>>(8*a.size-1) == 0
}

func (a npyArray) take(text []byte, out *batch) *fault {
	for i := 0; (i+2)*a.size <= len(text); i += 2 {
		u, ok := a.number(text, i)
		v, both := a.number(text, i+1)
		if !ok || !both {
			return faultAt(i*a.size, "a negative number, where vertices are counted from 0 on")
		}
		out.edges = append(out.edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
	}
	return nil
}

// readColumns reads an array whose first ends lie before its second ends: they wait in
// memory, as wide as in the file, for the others.
func (a npyArray) readColumns(ctx context.Context, f *file, opts *Options) (*list, error) {
	bytes := a.edges * int64(a.size)
	if f.plain != nil && f.taken+2*bytes > f.size {
		return nil, f.wrongByte(f.size, "the file ends %d bytes early", f.taken+2*bytes-f.size)
	}
	if err := f.fits(4 * bytes); err != nil {
		return nil, f.wrong("reading %d edges %v", a.edges, err)
	}
	first, err := io.ReadAll(io.LimitReader(f.content, bytes))
	if err != nil {
		return nil, f.broken(err)
	}
	f.taken += int64(len(first))
	if int64(len(first)) < bytes {
		return nil, f.wrongByte(f.taken, "the file ends %d bytes early", 2*bytes-int64(len(first)))
	}
	return f.readRecords(ctx, bytes, a.size, opts, func(text []byte, out *batch) *fault {
		at := int(out.offset) / a.size
		for i := 0; (i+1)*a.size <= len(text); i++ {
			u, ok := a.number(first, at+i)
			v, both := a.number(text, i)
			if !ok || !both {
				return faultAt(i*a.size, "a negative number, where vertices are counted from 0 on")
			}
			out.edges = append(out.edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
		}
		return nil
	})
}
