package parquet

import "encoding/binary"

// Kinds of fields in the compact protocol.
const (
	kindTrue   = 1
	kindFalse  = 2
	kindByte   = 3
	kindI16    = 4
	kindI32    = 5
	kindI64    = 6
	kindDouble = 7
	kindBinary = 8
	kindList   = 9
	kindSet    = 10
	kindMap    = 11
	kindStruct = 12
)

// maxNesting is how deep structures that are skipped may be nested. Parquet's
// have fewer than ten levels.
const maxNesting = 32

// thrift reads the compact protocol of Thrift. After a fault it returns zeros.
type thrift struct {
	data   []byte
	at     int
	broken bool
}

func (t *thrift) fail() { t.broken, t.at = true, len(t.data) }

func (t *thrift) byte() byte {
	if t.at >= len(t.data) {
		t.fail()
		return 0
	}
	t.at++
	return t.data[t.at-1]
}

func (t *thrift) varint() uint64 {
	x, n := binary.Uvarint(t.data[t.at:])
	if n <= 0 {
		t.fail()
		return 0
	}
	t.at += n
	return x
}

func zigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

// integer reads an integer field of any width.
func (t *thrift) integer(kind byte) int64 {
	switch kind {
	case kindByte:
		return int64(int8(t.byte()))
	case kindI16, kindI32, kindI64:
		return zigzag(t.varint())
	}
	t.fail()
	return 0
}

func (t *thrift) binary(kind byte) []byte {
	n := t.varint()
	if kind != kindBinary || n > uint64(len(t.data)-t.at) {
		t.fail()
		return nil
	}
	t.at += int(n)
	return t.data[t.at-int(n) : t.at]
}

// fields calls take for every field of a structure. take reads or skips it.
func (t *thrift) fields(kind byte, take func(id int64, kind byte)) {
	if kind != kindStruct {
		t.fail()
	}
	for id := int64(0); ; {
		head := t.byte()
		if head == 0 || t.broken {
			return
		}
		if step := int64(head >> 4); step > 0 {
			id += step
		} else {
			id = zigzag(t.varint())
		}
		take(id, head&15)
	}
}

// list calls take for every element of a list.
func (t *thrift) list(kind byte, take func(kind byte)) {
	if kind != kindList && kind != kindSet {
		t.fail()
	}
	head := t.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = t.varint()
	}
	for ; n > 0 && !t.broken; n-- {
		take(head & 15)
	}
}

// skip passes over a field. A boolean field has no bytes; one in a list has a byte.
func (t *thrift) skip(kind byte) { t.skipNested(kind, 0) }

func (t *thrift) skipNested(kind byte, depth int) {
	element := func(kind byte) {
		if kind == kindTrue || kind == kindFalse {
			t.byte()
			return
		}
		t.skipNested(kind, depth+1)
	}
	switch {
	case depth > maxNesting:
		t.fail()
	case kind == kindTrue || kind == kindFalse:
	case kind == kindDouble:
		for range 8 {
			t.byte()
		}
	case kind == kindBinary:
		t.binary(kind)
	case kind == kindList || kind == kindSet:
		t.list(kind, element)
	case kind == kindMap:
		n := t.varint()
		if n == 0 {
			return
		}
		kinds := t.byte()
		for ; n > 0 && !t.broken; n-- {
			element(kinds >> 4)
			element(kinds & 15)
		}
	case kind == kindStruct:
		t.fields(kind, func(_ int64, kind byte) { t.skipNested(kind, depth+1) })
	default:
		t.integer(kind)
	}
}
