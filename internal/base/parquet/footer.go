package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A Kind is what the values of a column are.
type Kind int

const (
	// Unreadable columns are lists, structures, decimals and other types.
	Unreadable Kind = iota
	// Int columns hold integers of 32 or 64 bits.
	Int
	// Real columns hold floating-point numbers of 32 or 64 bits.
	Real
	// Text columns hold bytes.
	Text
)

// A Column is one at the top of the schema.
type Column struct {
	Name     string
	Kind     Kind
	Unsigned bool // integers are unsigned; 64-bit ones are to be converted

	physical int64
	leaf     int  // index among the columns of a row group
	optional bool // a value can be missing
}

// A File is an opened Parquet file.
type File struct {
	Columns []Column
	Rows    int64

	in     io.ReaderAt
	size   int64
	leaves int
	groups []group
	zstd   func() (*zstd.Decoder, error)
}

// A group is a row group.
type group struct {
	rows   int64
	chunks []chunk
}

// A chunk is where the pages of a column of a row group lie.
type chunk struct {
	codec, values int64
	start, bytes  int64
	dictionary    int64 // 0 if there is none
	elsewhere     bool  // in another file
}

// IsFile tells by its first bytes whether a file is a Parquet file.
func IsFile(front []byte) bool { return len(front) >= 4 && string(front[:4]) == magic }

// Open reads the footer of a file.
func Open(in io.ReaderAt, size int64) (*File, error) {
	var tail [8]byte
	if size < 12 {
		return nil, errors.New("the file is too short for Parquet")
	}
	if _, err := in.ReadAt(tail[:], size-8); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	switch {
	case string(tail[4:]) == "PARE":
		return nil, errors.New("the file is encrypted")
	case string(tail[4:]) != magic:
		return nil, errors.New("the file does not end as Parquet does: it is truncated or damaged")
	case length > size-12:
		return nil, fmt.Errorf("the footer is damaged: it claims %d bytes of a file of %d", length, size)
	}
	footer := make([]byte, length)
	if _, err := in.ReadAt(footer, size-8-length); err != nil {
		return nil, err
	}
	f := &File{in: in, size: size}
	f.zstd = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	})
	if err := f.parse(footer); err != nil {
		return nil, fmt.Errorf("the footer is damaged: %w", err)
	}
	return f, nil
}

func (f *File) parse(footer []byte) error {
	t := &thrift{data: footer}
	var schema []element
	t.fields(kindStruct, func(id int64, kind byte) {
		switch id {
		case 2:
			t.list(kind, func(kind byte) { schema = append(schema, t.element(kind)) })
		case 3:
			f.Rows = t.integer(kind)
		case 4:
			t.list(kind, func(kind byte) { f.groups = append(f.groups, t.group(kind)) })
		default:
			t.skip(kind)
		}
	})
	if t.broken {
		return errors.New("it is not well-formed")
	}
	if err := f.flatten(schema); err != nil {
		return err
	}
	return f.check()
}

// An element is one of the schema, which lists a tree in depth-first order.
type element struct {
	name                 string
	physical, repetition int64
	converted, children  int64
	decimal, unsigned    bool // by the logical type
}

func (t *thrift) element(kind byte) (e element) {
	e.converted, e.physical = -1, -1
	t.fields(kind, func(id int64, kind byte) {
		switch id {
		case 1:
			e.physical = t.integer(kind)
		case 3:
			e.repetition = t.integer(kind)
		case 4:
			e.name = string(t.binary(kind))
		case 5:
			e.children = t.integer(kind)
		case 6:
			e.converted = t.integer(kind)
		case 10:
			t.logical(kind, &e)
		default:
			t.skip(kind)
		}
	})
	return e
}

// logical reads the union of logical types, of which 5 is a decimal and 10 an integer.
func (t *thrift) logical(kind byte, e *element) {
	t.fields(kind, func(id int64, kind byte) {
		switch id {
		case 5:
			e.decimal = true
		case 10:
			t.fields(kind, func(id int64, kind byte) {
				e.unsigned = e.unsigned || id == 2 && kind == kindFalse
				t.skip(kind)
			})
			return
		}
		t.skip(kind)
	})
}

// column is an element as readers see it. Dates and times are the integers that count them.
func (e *element) column(leaf int) Column {
	c := Column{Name: e.name, physical: e.physical, leaf: leaf, optional: e.repetition != 0}
	c.Unsigned = e.unsigned || e.converted >= firstUint && e.converted <= lastUint
	if e.decimal || e.converted == decimalKind || e.repetition == repeatedKind {
		return c
	}
	switch e.physical {
	case typeInt32, typeInt64:
		c.Kind = Int
	case typeFloat, typeDouble:
		c.Kind = Real
	case typeByteArray:
		c.Kind = Text
	}
	return c
}

// flatten lists the columns at the top. Columns with others below them are unreadable.
func (f *File) flatten(schema []element) error {
	if len(schema) < 2 {
		return errors.New("it names no columns")
	}
	at := 1
	for at < len(schema) {
		top := &schema[at]
		if top.children == 0 {
			f.Columns = append(f.Columns, top.column(f.leaves))
			f.leaves++
			at++
			continue
		}
		f.Columns = append(f.Columns, Column{Name: top.name, leaf: -1})
		for open := int64(1); open > 0; open-- {
			if at >= len(schema) || schema[at].children < 0 || schema[at].children > int64(len(schema)) {
				return errors.New("its schema is not a tree")
			}
			if schema[at].children == 0 {
				f.leaves++
			}
			open += schema[at].children
			at++
		}
	}
	return nil
}

func (t *thrift) group(kind byte) (g group) {
	t.fields(kind, func(id int64, kind byte) {
		switch id {
		case 1:
			t.list(kind, func(kind byte) { g.chunks = append(g.chunks, t.chunk(kind)) })
		case 3:
			g.rows = t.integer(kind)
		default:
			t.skip(kind)
		}
	})
	return g
}

func (t *thrift) chunk(kind byte) (c chunk) {
	t.fields(kind, func(id int64, kind byte) {
		switch id {
		case 1:
			c.elsewhere = len(t.binary(kind)) > 0
		case 3:
			t.fields(kind, func(id int64, kind byte) { t.chunkField(&c, id, kind) })
		default:
			t.skip(kind)
		}
	})
	if c.dictionary > 0 && c.dictionary < c.start {
		c.start = c.dictionary
	}
	return c
}

func (t *thrift) chunkField(c *chunk, id int64, kind byte) {
	to := map[int64]*int64{4: &c.codec, 5: &c.values, 7: &c.bytes, 9: &c.start, 11: &c.dictionary}[id]
	if to == nil {
		t.skip(kind)
		return
	}
	*to = t.integer(kind)
}

// check compares what the footer says with itself and with the size of the file.
func (f *File) check() error {
	rows := int64(0)
	for i, g := range f.groups {
		if g.rows < 0 || len(g.chunks) != f.leaves || rows+g.rows < rows {
			return fmt.Errorf("row group %d has %d rows of %d columns, where the schema has %d", i, g.rows, len(g.chunks), f.leaves)
		}
		rows += g.rows
		for c, chunk := range g.chunks {
			if chunk.start < 4 || chunk.bytes < 0 || chunk.start > f.size || chunk.bytes > f.size-chunk.start {
				return fmt.Errorf("row group %d, column %d: bytes %d to %d of a file of %d", i, c+1, chunk.start, chunk.start+chunk.bytes, f.size)
			}
		}
	}
	if rows != f.Rows {
		return fmt.Errorf("it claims %d rows, and its row groups have %d", f.Rows, rows)
	}
	return nil
}

// Groups is the number of row groups.
func (f *File) Groups() int { return len(f.groups) }

// GroupRows is the number of rows of a row group.
func (f *File) GroupRows(group int) int64 { return f.groups[group].rows }
