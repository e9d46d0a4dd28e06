package parquet

import "encoding/binary"

// thriftWriter writes Thrift's compact protocol.
type thriftWriter struct {
	out  []byte
	last int64 // field of the open structure
}

func (t *thriftWriter) field(id int64, kind byte) {
	t.out = append(t.out, byte(id-t.last)<<4|kind) // fields are at most 15 apart
	t.last = id
}

func (t *thriftWriter) integer(id, x int64) {
	t.field(id, kindI64)
	t.out = binary.AppendVarint(t.out, x)
}

func (t *thriftWriter) narrow(id, x int64) {
	t.field(id, kindI32)
	t.out = binary.AppendVarint(t.out, x)
}

func (t *thriftWriter) text(id int64, s string) {
	t.field(id, kindBinary)
	t.bytes(s)
}

func (t *thriftWriter) bytes(s string) {
	t.out = append(binary.AppendUvarint(t.out, uint64(len(s))), s...)
}

func (t *thriftWriter) stop() { t.out = append(t.out, 0) }

// structure writes a structure whose fields write writes.
func (t *thriftWriter) structure(id int64, write func()) {
	t.field(id, kindStruct)
	t.element(write)
}

// element writes a structure in a list.
func (t *thriftWriter) element(write func()) {
	outer := t.last
	t.last = 0
	write()
	t.stop()
	t.last = outer
}

// list writes the head of a list of n elements.
func (t *thriftWriter) list(id int64, kind byte, n int) {
	t.field(id, kindList)
	if n < 15 {
		t.out = append(t.out, byte(n)<<4|kind)
		return
	}
	t.out = binary.AppendUvarint(append(t.out, 15<<4|kind), uint64(n))
}

// footer writes the FileMetaData of a finished file.
func (t *thriftWriter) footer(w *Writer) {
	rows := int64(0)
	for _, g := range w.groups {
		rows += g.rows
	}
	t.narrow(1, 1)
	t.list(2, kindStruct, 1+len(w.columns))
	t.element(func() {
		t.text(4, "schema")
		t.narrow(5, int64(len(w.columns)))
	})
	for i, c := range w.columns {
		t.element(func() { t.column(c, w.open[i].binary) })
	}
	t.integer(3, rows)
	t.list(4, kindStruct, len(w.groups))
	for i, g := range w.groups {
		sizes := w.sizes[i*len(w.columns):][:len(w.columns)]
		t.element(func() { t.group(w.columns, g, sizes) })
	}
	t.text(6, "hops")
	t.stop()
}

func physicalOf(k Kind) int64 {
	return map[Kind]int64{Int: typeInt64, Real: typeDouble, Text: typeByteArray}[k]
}

// column writes a column of the schema, in which no value is missing.
func (t *thriftWriter) column(c Column, binary bool) {
	t.narrow(1, physicalOf(c.Kind))
	t.narrow(3, 0)
	t.text(4, c.Name)
	switch {
	case c.Kind == Text && !binary:
		t.narrow(6, utf8Kind)
		t.structure(10, func() { t.structure(1, func() {}) })
	case c.Kind == Int && c.Unsigned:
		t.narrow(6, lastUint)
		t.structure(10, func() {
			t.structure(10, func() {
				t.field(1, kindByte)
				t.out = append(t.out, 64) // bits
				t.field(2, kindFalse)     // signed
			})
		})
	}
}

func (t *thriftWriter) group(columns []Column, g group, sizes []int64) {
	total := int64(0)
	t.list(1, kindStruct, len(columns))
	for i, c := range columns {
		total += sizes[i]
		t.element(func() {
			t.integer(2, g.chunks[i].start)
			t.structure(3, func() { t.chunk(c, g.chunks[i], sizes[i]) })
		})
	}
	t.integer(2, total)
	t.integer(3, g.rows)
}

func (t *thriftWriter) chunk(c Column, at chunk, size int64) {
	encodings := map[Kind][]int64{Int: {deltaBinary}, Real: {plain}, Text: {plain, dictionary}}[c.Kind]
	t.narrow(1, physicalOf(c.Kind))
	t.list(2, kindI32, len(encodings)+1)
	for _, e := range append(encodings, runLength) {
		t.out = binary.AppendVarint(t.out, e)
	}
	t.list(3, kindBinary, 1)
	t.bytes(c.Name)
	t.narrow(4, at.codec)
	t.integer(5, at.values)
	t.integer(6, size)
	t.integer(7, at.bytes)
	t.integer(9, at.start)
	if at.dictionary > 0 {
		t.integer(11, at.dictionary)
	}
}
