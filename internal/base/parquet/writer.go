package parquet

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

const (
	// groupRows is how many rows are gathered before they are written: readers share work by
	// row groups, and each has a dictionary of its own. DuckDB's has 122,880 rows.
	groupRows = 1 << 18
	// maxDictionary is how many bytes of different texts a row group puts into a
	// dictionary; texts beyond are written in full.
	maxDictionary = 4 << 20
)

// A Writer writes a file row by row.
type Writer struct {
	out     io.Writer
	at      int64
	err     error
	zstd    *zstd.Encoder
	columns []Column
	open    []gathered
	groups  []group
	sizes   []int64 // decompressed bytes of every chunk, for the footer
	rows    int64   // in the open row group
	page    []byte
	packed  []byte
}

// gathered are the values of a column in the open row group.
type gathered struct {
	ints    []int64
	reals   []float64
	texts   []byte // plain
	dict    map[string]uint32
	entries []byte // the dictionary, plain
	index   []uint32
	binary  bool // some text is not UTF-8
}

// NewWriter begins a file with columns, whose names and kinds are given.
func NewWriter(out io.Writer, columns []Column) (*Writer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	w := &Writer{out: out, zstd: encoder, columns: columns, open: make([]gathered, len(columns))}
	w.write([]byte(magic))
	return w, w.err
}

func (w *Writer) write(data []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(data)
		w.at += int64(len(data))
	}
}

// Int sets the value of an integer column in the current row.
func (w *Writer) Int(column int, x int64) {
	w.open[column].ints = append(w.open[column].ints, x)
}

// Real sets the value of a column of real numbers in the current row.
func (w *Writer) Real(column int, x float64) {
	w.open[column].reals = append(w.open[column].reals, x)
}

// Text sets the value of a text column in the current row.
func (w *Writer) Text(column int, x []byte) {
	g := &w.open[column]
	if g.index != nil || len(g.texts) == 0 {
		k, known := g.dict[string(x)]
		if !known && len(g.entries)+len(x) <= maxDictionary {
			if g.dict == nil {
				g.dict = map[string]uint32{}
			}
			k, known = uint32(len(g.dict)), true
			g.dict[string(x)] = k
			g.entries = appendText(g.entries, x)
			g.binary = g.binary || !utf8.Valid(x)
		}
		if known {
			g.index = append(g.index, k)
			return
		}
		g.spell()
	}
	g.binary = g.binary || !utf8.Valid(x)
	g.texts = appendText(g.texts, x)
}

// NameColumn returns a column for names: text, or numbers up to the largest, which is given
// in decimal digits.
func NameColumn(name string, isText bool, largest string) Column {
	if isText {
		return Column{Name: name, Kind: Text}
	}
	x, _ := strconv.ParseUint(largest, 10, 64)
	return Column{Name: name, Kind: Int, Unsigned: x > math.MaxInt64}
}

// Name sets the value of a column for names in the current row. A number has decimal digits.
func (w *Writer) Name(column int, name []byte) {
	if w.columns[column].Kind == Text {
		w.Text(column, name)
		return
	}
	x := uint64(0)
	for _, c := range name {
		x = 10*x + uint64(c-'0')
	}
	w.Int(column, int64(x))
}

func appendText(dst, x []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(x))), x...)
}

// spell gives the dictionary up: what has been gathered is written in full.
func (g *gathered) spell() {
	starts := make([]uint32, 0, len(g.dict)+1)
	for at := uint32(0); int(at) < len(g.entries); at += 4 + binary.LittleEndian.Uint32(g.entries[at:]) {
		starts = append(starts, at)
	}
	starts = append(starts, uint32(len(g.entries)))
	for _, k := range g.index {
		g.texts = append(g.texts, g.entries[starts[k]:starts[k+1]]...)
	}
	g.index, g.dict, g.entries = nil, nil, nil
}

// EndRow ends a row, in which every column has got its value.
func (w *Writer) EndRow() error {
	if w.rows++; w.rows == groupRows {
		w.flush()
	}
	return w.err
}

// flush writes the open row group.
func (w *Writer) flush() {
	g := group{rows: w.rows}
	for i := range w.open {
		g.chunks = append(g.chunks, w.chunk(&w.open[i], w.columns[i].Kind))
		open := &w.open[i]
		*open = gathered{ints: open.ints[:0], reals: open.reals[:0], texts: open.texts[:0], entries: open.entries[:0], binary: open.binary}
	}
	w.groups = append(w.groups, g)
	w.rows = 0
}

// chunk writes the pages of a column.
func (w *Writer) chunk(g *gathered, kind Kind) chunk {
	c := chunk{codec: codecZstd, values: w.rows}
	begin, size, encoding := w.at, 0, int64(plain)
	w.page = w.page[:0]
	switch {
	case kind == Int:
		encoding = deltaBinary
		w.page = appendDeltas(w.page, g.ints)
	case kind == Real:
		for _, x := range g.reals {
			w.page = binary.LittleEndian.AppendUint64(w.page, math.Float64bits(x))
		}
	case len(g.index) > 0:
		c.dictionary, encoding = w.at, dictionary
		size += w.writePage(pageDictionary, plain, len(g.dict), g.entries)
		w.page = appendIndices(w.page, g.index, len(g.dict))
	default:
		w.page = append(w.page, g.texts...)
	}
	c.start = w.at
	size += w.writePage(pageData, encoding, int(w.rows), w.page)
	c.bytes = w.at - begin
	w.sizes = append(w.sizes, int64(size))
	return c
}

// writePage writes a page and returns its size, header and all, before it was packed.
func (w *Writer) writePage(kind, encoding int64, values int, body []byte) int {
	w.packed = w.zstd.EncodeAll(body, w.packed[:0])
	var t thriftWriter
	t.narrow(1, kind)
	t.narrow(2, int64(len(body)))
	t.narrow(3, int64(len(w.packed)))
	t.narrow(4, int64(int32(crc32.ChecksumIEEE(w.packed))))
	inner := int64(5)
	if kind == pageDictionary {
		inner = 7
	}
	t.structure(inner, func() {
		t.narrow(1, int64(values))
		t.narrow(2, encoding)
		if kind == pageData {
			t.narrow(3, runLength)
			t.narrow(4, runLength)
		}
	})
	t.stop()
	w.write(t.out)
	w.write(w.packed)
	return len(t.out) + len(body)
}

// Close writes what is left and the footer.
func (w *Writer) Close() error {
	defer w.zstd.Close()
	if w.rows > 0 {
		w.flush()
	}
	var t thriftWriter
	t.footer(w)
	length := len(t.out)
	t.out = append(binary.LittleEndian.AppendUint32(t.out, uint32(length)), magic...)
	w.write(t.out)
	return w.err
}
