package parquet

import (
	"encoding/binary"
	"errors"
)

var errDelta = errors.New("the header of a delta encoding is damaged")

// A deltas decodes DELTA_BINARY_PACKED: blocks of differences, each with a least one and
// miniblocks of their own width.
type deltas struct {
	data      []byte
	total     uint64 // values not yet decoded
	last      int64
	first     bool // last is yet to be returned
	mini      int  // values of a miniblock
	minis     int  // miniblocks of a block
	widths    []byte
	least     int64
	left, at  int // values left in the miniblock, and the bit of the next
	width     int
	miniblock []byte
}

func newDeltas(data []byte) (*deltas, error) {
	d := &deltas{data: data, first: true}
	block, minis := d.varint(), d.varint()
	d.total = d.varint()
	d.last = zigzag(d.varint())
	if d.data == nil || minis == 0 || minis > 1<<16 || block > 1<<24 || block%minis != 0 || block/minis%8 != 0 || block == 0 {
		return nil, errDelta
	}
	d.mini, d.minis = int(block/minis), int(minis)
	return d, nil
}

func (d *deltas) varint() uint64 {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.data = nil
		return 0
	}
	d.data = d.data[n:]
	return x
}

// next begins another miniblock.
func (d *deltas) next() error {
	if len(d.widths) == 0 {
		d.least = zigzag(d.varint())
		if len(d.data) < d.minis {
			return errShort
		}
		d.widths, d.data = d.data[:d.minis], d.data[d.minis:]
	}
	d.width, d.widths = int(d.widths[0]), d.widths[1:]
	if d.width > 64 {
		return errDelta
	}
	// A writer may leave the unused end of the last miniblock out.
	size, used := d.mini*d.width/8, (min(d.mini, int(min(d.total, 1<<30)))*d.width+7)/8
	if len(d.data) < used {
		return errShort
	}
	size = min(size, len(d.data))
	d.miniblock, d.data = d.data[:size], d.data[size:]
	d.left, d.at = d.mini, 0
	return nil
}

// decode fills dst.
func (d *deltas) decode(dst []int64) error {
	if uint64(len(dst)) > d.total {
		return errShort
	}
	if d.first && len(dst) > 0 {
		dst[0], dst, d.first = d.last, dst[1:], false
		d.total--
	}
	for len(dst) > 0 {
		if d.left == 0 {
			if err := d.next(); err != nil {
				return err
			}
		}
		n := min(len(dst), d.left)
		d.unpack(dst[:n])
		d.left -= n
		d.total -= uint64(n)
		dst = dst[n:]
	}
	return nil
}

func (d *deltas) unpack(dst []int64) {
	last, bit, width := d.last, d.at, d.width
	if width <= 56 {
		mask := uint64(1)<<width - 1
		for i := range dst {
			last += d.least + int64(load(d.miniblock, bit>>3)>>(bit&7)&mask)
			dst[i] = last
			bit += width
		}
	} else {
		for i := range dst {
			low := load(d.miniblock, bit>>3) >> (bit & 7)
			high := load(d.miniblock, bit>>3+8) << (64 - bit&7)
			last += d.least + int64((low|high)<<(64-width)>>(64-width))
			dst[i] = last
			bit += width
		}
	}
	d.last, d.at = last, bit
}

// rest returns what follows all values, of which none has been decoded.
func (d deltas) rest() ([]byte, error) {
	for d.total--; d.total > 0 && d.total < 1<<62; d.total -= min(d.total, uint64(d.mini)) {
		if err := d.next(); err != nil {
			return nil, err
		}
	}
	return d.data, nil
}
