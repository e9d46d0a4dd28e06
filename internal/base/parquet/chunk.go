package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

const (
	// trustedBytes is up to how many bytes a page may claim to decompress to before it has.
	// Pages of other programs have 1 to 8 MiB. More than that is decompressed piece by piece,
	// which copies it twice.
	trustedBytes = 16 << 20
	// headerBytes is how much is read to find the header of a page. Headers have some
	// 20 bytes, and more where they contain the least and largest text of a page.
	headerBytes = 1 << 10
)

// A Reader reads the values of one column of one row group from front to back.
type Reader struct {
	file       *File
	column     Column
	chunk      chunk
	group      int
	page       int   // that is being read, from 0 on
	at         int64 // in the file, of what follows the page
	left       int64 // values of the chunk behind this page
	compressed []byte
	body       []byte // the page, decompressed
	values     values
	dict       dict
}

// Reader returns a Reader of a column of a row group.
func (f *File) Reader(group, column int) (*Reader, error) {
	c := f.Columns[column]
	if c.Kind == Unreadable {
		return nil, fmt.Errorf("column %q is of a type that hops does not read", c.Name)
	}
	chunk := f.groups[group].chunks[c.leaf]
	r := &Reader{file: f, column: c, chunk: chunk, group: group, page: -1, at: chunk.start, left: chunk.values}
	switch {
	case chunk.elsewhere:
		return nil, r.wrong(errors.New("it lies in another file"))
	case chunk.values != f.groups[group].rows:
		return nil, r.wrong(fmt.Errorf("%d values, where the row group has %d rows", chunk.values, f.groups[group].rows))
	case chunk.codec != codecNone && chunk.codec != codecSnappy && chunk.codec != codecGzip && chunk.codec != codecZstd:
		return nil, r.wrong(fmt.Errorf("it is compressed by codec %d; Snappy, Zstandard and gzip are read", chunk.codec))
	}
	return r, nil
}

// wrong says where an error is. Pages are counted from 1 on, a dictionary included.
func (r *Reader) wrong(err error) error {
	if r.page < 0 {
		return fmt.Errorf("row group %d, column %q: %w", r.group+1, r.column.Name, err)
	}
	return fmt.Errorf("row group %d, column %q, page %d: %w", r.group+1, r.column.Name, r.page+1, err)
}

// next makes the next page with values the current one.
func (r *Reader) next() error {
	for r.values.left == 0 {
		if r.left == 0 {
			return io.EOF
		}
		r.page++
		h, err := r.header()
		if err == nil {
			err = r.load(h)
		}
		if err != nil {
			return r.wrong(err)
		}
	}
	return nil
}

// A header is the header of a page.
type header struct {
	kind, decompressed, compressed int64
	values, encoding               int64
	levels, repetitions            int64 // bytes of levels in a page of version 2
	nulls                          int64
	plain                          bool // a page of version 2 whose values are not compressed
	crc                            int64
	hasCRC                         bool
}

// header reads the header of the page at r.at.
func (r *Reader) header() (h header, err error) {
	rest := r.chunk.start + r.chunk.bytes - r.at
	if rest <= 0 {
		return h, fmt.Errorf("the column chunk ends before its last %d values", r.left)
	}
	for size := int64(headerBytes); ; size *= 4 {
		size = min(size, rest)
		if int64(cap(r.compressed)) < size {
			r.compressed = make([]byte, size)
		}
		front := r.compressed[:size]
		if _, err := r.file.in.ReadAt(front, r.at); err != nil {
			return h, err
		}
		t := &thrift{data: front}
		h = t.header()
		switch {
		case !t.broken:
			r.at += int64(t.at)
			return h, r.checkHeader(&h)
		case size == rest || size >= trustedBytes:
			return h, errors.New("the header is damaged")
		}
	}
}

func (r *Reader) checkHeader(h *header) error {
	rest := r.chunk.start + r.chunk.bytes - r.at
	if h.compressed < 0 || h.compressed > rest {
		return fmt.Errorf("the header claims %d bytes, and the column chunk has %d left", h.compressed, max(rest, 0))
	}
	isData := h.kind == pageData || h.kind == pageDataV2
	if max(h.decompressed, h.values, h.levels, h.repetitions) > math.MaxInt32 || h.decompressed < 0 || h.values < 0 || h.levels < 0 || h.repetitions < 0 || isData && h.values > r.left {
		return errors.New("the header is damaged")
	}
	return nil
}

func (t *thrift) header() (h header) {
	data := func(to map[int64]*int64) func(id int64, kind byte) {
		return func(id int64, kind byte) {
			if p := to[id]; p != nil {
				*p = t.integer(kind)
				return
			}
			h.plain = h.plain || id == 7 && kind == kindFalse
			t.skip(kind)
		}
	}
	ints := map[int64]*int64{1: &h.kind, 2: &h.decompressed, 3: &h.compressed, 4: &h.crc}
	structs := map[int64]map[int64]*int64{
		5: {1: &h.values, 2: &h.encoding},
		7: {1: &h.values, 2: &h.encoding},
		8: {1: &h.values, 2: &h.nulls, 4: &h.encoding, 5: &h.levels, 6: &h.repetitions},
	}
	t.fields(kindStruct, func(id int64, kind byte) {
		switch {
		case ints[id] != nil:
			*ints[id] = t.integer(kind)
			h.hasCRC = h.hasCRC || id == 4
		case structs[id] != nil:
			t.fields(kind, data(structs[id]))
		default:
			t.skip(kind)
		}
	})
	return h
}

// load reads a page and unpacks it. Pages of text are never written again, because
// values that were returned point to them.
func (r *Reader) load(h header) error {
	if int64(cap(r.compressed)) < h.compressed {
		r.compressed = make([]byte, h.compressed)
	}
	compressed := r.compressed[:h.compressed]
	if _, err := r.file.in.ReadAt(compressed, r.at); err != nil {
		return err
	}
	r.at += h.compressed
	if h.hasCRC && crc32.ChecksumIEEE(compressed) != uint32(h.crc) {
		return errors.New("the checksum does not fit: the page is damaged")
	}
	levels := h.levels + h.repetitions
	switch {
	case h.kind != pageData && h.kind != pageDataV2 && h.kind != pageDictionary:
		return nil // an index
	case levels > h.compressed || levels > h.decompressed:
		return errors.New("the levels are longer than the page")
	}
	codec := r.chunk.codec
	if h.plain {
		codec = codecNone
	}
	if r.column.Kind == Text {
		r.body = nil
	}
	body, err := r.decompress(codec, compressed[levels:], h.decompressed-levels)
	if err != nil {
		return fmt.Errorf("the page cannot be decompressed: %w", err)
	}
	if int64(len(body)) != h.decompressed-levels {
		return fmt.Errorf("the page has %d bytes, where its header says %d", int64(len(body))+levels, h.decompressed)
	}
	if h.kind == pageDictionary {
		return r.dict.fill(&r.column, body, h)
	}
	return r.begin(h, compressed[h.repetitions:levels], body)
}

// begin makes a page of data the current one, after its levels have shown that no value
// is missing.
func (r *Reader) begin(h header, levels, body []byte) error {
	if h.kind == pageData && r.column.optional {
		if len(body) < 4 {
			return errShort
		}
		size := int64(binary.LittleEndian.Uint32(body))
		if size > int64(len(body))-4 {
			return errors.New("the levels are longer than the page")
		}
		levels, body = body[4:4+size], body[4+size:]
	}
	if r.column.optional {
		all, err := (&hybrid{data: levels, width: 1}).allDefined(int(h.values))
		if err != nil {
			return fmt.Errorf("levels: %w", err)
		}
		if !all {
			return errors.New("a value is missing (NULL)")
		}
	}
	r.left -= h.values
	return r.values.begin(&r.column, &r.dict, h, body)
}

// decompress returns the decompressed bytes, whose size is claimed.
func (r *Reader) decompress(codec int64, compressed []byte, claimed int64) ([]byte, error) {
	if codec == codecNone {
		r.body = append(r.body[:0], compressed...)
		return r.body, nil
	}
	if codec == codecSnappy {
		// 64 bytes of output take at least 3 of input.
		if n, err := snappy.DecodedLen(compressed); err != nil || int64(n) > claimed || n/22 > len(compressed) {
			return nil, snappy.ErrCorrupt
		}
		var err error
		r.body, err = snappy.Decode(r.body[:cap(r.body)], compressed)
		return r.body, err
	}
	if codec == codecZstd && claimed <= trustedBytes {
		d, err := r.file.zstd()
		if err != nil {
			return nil, err
		}
		if int64(cap(r.body)) < claimed {
			r.body = make([]byte, claimed)
		}
		return d.DecodeAll(compressed, r.body[:0:claimed])
	}
	return unpackStream(codec, compressed, claimed)
}

// unpackStream unpacks piece by piece, so that memory follows what is there.
func unpackStream(codec int64, compressed []byte, claimed int64) ([]byte, error) {
	var in io.Reader
	if codec == codecGzip {
		z, err := gzip.NewReader(bytes.NewReader(compressed))
		if err != nil {
			return nil, err
		}
		in = z
	} else {
		d, err := zstd.NewReader(bytes.NewReader(compressed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<30))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		in = d
	}
	var out bytes.Buffer
	_, err := io.Copy(&out, io.LimitReader(in, claimed+1))
	return out.Bytes(), err
}
