package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A dict is the dictionary of a column chunk.
type dict struct {
	ints  []int64
	reals []float64
	texts [][]byte
}

func (d *dict) size() int { return max(len(d.ints), len(d.reals), len(d.texts)) }

// fill reads the page of a dictionary, which is plain.
func (d *dict) fill(c *Column, body []byte, h header) error {
	if h.encoding != plain && h.encoding != plainDictionary {
		return fmt.Errorf("a dictionary in encoding %d", h.encoding)
	}
	var v values
	h.encoding = plain
	if err := v.begin(c, nil, h, body); err != nil {
		return err
	}
	if h.values > int64(len(body)/v.least()) {
		return errShort
	}
	*d = dict{}
	var err error
	switch c.Kind {
	case Int:
		d.ints = make([]int64, h.values)
		err = v.ints(d.ints)
	case Real:
		d.reals = make([]float64, h.values)
		err = v.reals(d.reals)
	default:
		d.texts = make([][]byte, h.values)
		err = v.texts(d.texts)
	}
	return err
}

// values decodes the values of a page.
type values struct {
	left     int // values
	column   *Column
	encoding int64
	body     []byte
	dict     *dict
	hybrid   hybrid  // indices of the dictionary
	deltas   *deltas // values, lengths, or lengths of prefixes
	suffixes *deltas // lengths of what follows the prefixes
	stride   int     // between the bytes of a value that is split
	at       int     // the next such value
	last     []byte  // the text before
	index    []uint32
	lengths  [2][]int64
}

// begin starts to decode a page.
func (v *values) begin(c *Column, d *dict, h header, body []byte) (err error) {
	*v = values{left: int(h.values), column: c, encoding: h.encoding, body: body, dict: d, index: v.index, lengths: v.lengths}
	if v.encoding == plainDictionary {
		v.encoding = dictionary
	}
	switch {
	case h.values == 0:
	case v.encoding == plain:
	case v.encoding == dictionary && d != nil:
		if len(body) == 0 || body[0] > 32 {
			return errShort
		}
		v.hybrid = hybrid{data: body[1:], width: int(body[0])}
	case v.encoding == deltaBinary && c.Kind == Int:
		v.deltas, err = newDeltas(body)
	case (v.encoding == deltaLength || v.encoding == deltaStrings) && c.Kind == Text:
		err = v.beginDeltas()
	case v.encoding == streamSplit && c.Kind != Text:
		v.stride = len(body) / v.least()
		if v.left > v.stride {
			return errShort
		}
	default:
		return fmt.Errorf("values of type %d in encoding %d, which hops does not read", c.physical, h.encoding)
	}
	return err
}

// beginDeltas finds the lengths of texts and the bytes behind them.
func (v *values) beginDeltas() (err error) {
	if v.deltas, err = newDeltas(v.body); err != nil {
		return err
	}
	if v.body, err = v.deltas.rest(); err != nil || v.encoding == deltaLength {
		return err
	}
	if v.suffixes, err = newDeltas(v.body); err != nil {
		return err
	}
	v.body, err = v.suffixes.rest()
	return err
}

// least is how many bytes a plain value takes at least.
func (v *values) least() int {
	if v.column.physical == typeInt64 || v.column.physical == typeDouble {
		return 8
	}
	return 4
}

// words decodes values of 4 or 8 bytes as integers.
func (v *values) words(dst []int64) error {
	switch width := v.least(); {
	case v.encoding == streamSplit:
		for i := range dst {
			x := uint64(0)
			for b := range width {
				x |= uint64(v.body[b*v.stride+v.at+i]) << (8 * b)
			}
			if dst[i] = int64(x); width == 4 {
				dst[i] = int64(int32(x))
			}
		}
		v.at += len(dst)
	case len(dst)*width > len(v.body):
		return errShort
	case width == 8:
		for i := range dst {
			dst[i] = int64(binary.LittleEndian.Uint64(v.body[8*i:]))
		}
		v.body = v.body[8*len(dst):]
	default:
		for i := range dst {
			dst[i] = int64(int32(binary.LittleEndian.Uint32(v.body[4*i:])))
		}
		v.body = v.body[4*len(dst):]
	}
	return nil
}

// indices decodes indices of the dictionary.
func (v *values) indices(n int) ([]uint32, error) {
	v.index = slices.Grow(v.index[:0], n)[:n]
	if err := v.hybrid.decode(v.index); err != nil {
		return nil, err
	}
	size := uint32(v.dict.size())
	for _, x := range v.index {
		if x >= size {
			return nil, fmt.Errorf("entry %d of a dictionary of %d", x, size)
		}
	}
	return v.index, nil
}

// ints decodes as many integers as dst has room for, which the page has.
func (v *values) ints(dst []int64) (err error) {
	switch v.encoding {
	case dictionary:
		index, err := v.indices(len(dst))
		for i, x := range index {
			dst[i] = v.dict.ints[x]
		}
		return err
	case deltaBinary:
		err = v.deltas.decode(dst)
	default:
		err = v.words(dst)
	}
	if v.column.physical == typeInt32 {
		for i, x := range dst {
			if dst[i] = int64(int32(x)); v.column.Unsigned {
				dst[i] = int64(uint32(x))
			}
		}
	}
	return err
}

// reals decodes as many real numbers.
func (v *values) reals(dst []float64) error {
	if v.encoding == dictionary {
		index, err := v.indices(len(dst))
		for i, x := range index {
			dst[i] = v.dict.reals[x]
		}
		return err
	}
	bits := slices.Grow(v.lengths[0][:0], len(dst))[:len(dst)]
	v.lengths[0] = bits
	if err := v.words(bits); err != nil {
		return err
	}
	for i, x := range bits {
		if v.column.physical == typeFloat {
			dst[i] = float64(math.Float32frombits(uint32(x)))
		} else {
			dst[i] = math.Float64frombits(uint64(x))
		}
	}
	return nil
}

// texts decodes as many texts.
func (v *values) texts(dst [][]byte) error {
	switch v.encoding {
	case dictionary:
		index, err := v.indices(len(dst))
		for i, x := range index {
			dst[i] = v.dict.texts[x]
		}
		return err
	case deltaLength:
		return v.lengthTexts(dst)
	case deltaStrings:
		return v.deltaTexts(dst)
	}
	for i := range dst {
		if len(v.body) < 4 {
			return errShort
		}
		size := binary.LittleEndian.Uint32(v.body)
		if uint64(size) > uint64(len(v.body)-4) {
			return errShort
		}
		dst[i], v.body = v.body[4:4+size], v.body[4+size:]
	}
	return nil
}

func (v *values) lengthsOf(d *deltas, k, n int) ([]int64, error) {
	v.lengths[k] = slices.Grow(v.lengths[k][:0], n)[:n]
	return v.lengths[k], d.decode(v.lengths[k])
}

func (v *values) lengthTexts(dst [][]byte) error {
	lengths, err := v.lengthsOf(v.deltas, 0, len(dst))
	if err != nil {
		return err
	}
	for i, n := range lengths {
		if n < 0 || n > int64(len(v.body)) {
			return errShort
		}
		dst[i], v.body = v.body[:n], v.body[n:]
	}
	return nil
}

// maxPrefixed bounds what texts with shared prefixes can grow to beyond the bytes of
// their page: a few bytes could stand for very many.
const maxPrefixed = 1 << 20

func (v *values) deltaTexts(dst [][]byte) error {
	prefixes, err := v.lengthsOf(v.deltas, 0, len(dst))
	if err != nil {
		return err
	}
	suffixes, err := v.lengthsOf(v.suffixes, 1, len(dst))
	if err != nil {
		return err
	}
	for i := range dst {
		p, s := prefixes[i], suffixes[i]
		if p < 0 || p > int64(len(v.last)) || s < 0 || s > int64(len(v.body)) {
			return errShort
		}
		if p+s > maxPrefixed {
			return errors.New("a text of more than 1 MiB")
		}
		dst[i] = append(append(make([]byte, 0, p+s), v.last[:p]...), v.body[:s]...)
		v.last, v.body = dst[i], v.body[s:]
	}
	return nil
}

// Ints appends up to limit integers to dst, and returns io.EOF behind the last.
func (r *Reader) Ints(dst []int64, limit int) ([]int64, error) {
	return appendValues(r, dst, limit, r.values.ints)
}

// Reals appends up to limit real numbers to dst, and returns io.EOF behind the last.
func (r *Reader) Reals(dst []float64, limit int) ([]float64, error) {
	return appendValues(r, dst, limit, r.values.reals)
}

// Texts appends up to limit texts to dst, and returns io.EOF behind the last. They must not
// be changed.
func (r *Reader) Texts(dst [][]byte, limit int) ([][]byte, error) {
	return appendValues(r, dst, limit, r.values.texts)
}

func appendValues[T any](r *Reader, dst []T, limit int, decode func([]T) error) ([]T, error) {
	for limit > 0 {
		if err := r.next(); err != nil {
			return dst, err
		}
		n := min(limit, r.values.left)
		old := len(dst)
		dst = slices.Grow(dst, n)[:old+n]
		if err := decode(dst[old:]); err != nil {
			return dst[:old], r.wrong(err)
		}
		r.values.left -= n
		limit -= n
	}
	return dst, nil
}
