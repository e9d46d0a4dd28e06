package parquet

import (
	"encoding/binary"
	"errors"
)

var errShort = errors.New("the data ends early")

// A hybrid decodes integers of a fixed width in runs: one value many times, or values
// packed bit by bit.
type hybrid struct {
	data  []byte
	width int
	run   int    // values left in a run of one value
	value uint32 // of that run
	bits  int    // values left that are packed
	at    int    // of the next packed one, in bits from the start of packed
	pack  []byte
}

// decode fills dst.
func (h *hybrid) decode(dst []uint32) error {
	for len(dst) > 0 {
		n := len(dst)
		switch {
		case h.run > 0:
			n = min(n, h.run)
			for i := range dst[:n] {
				dst[i] = h.value
			}
			h.run -= n
		case h.bits > 0:
			n = min(n, h.bits)
			unpack32(dst[:n], h.pack, h.at, h.width)
			h.at += n * h.width
			h.bits -= n
		default:
			if err := h.next(); err != nil {
				return err
			}
			continue
		}
		dst = dst[n:]
	}
	return nil
}

// next begins another run.
func (h *hybrid) next() error {
	head, n := binary.Uvarint(h.data)
	if n <= 0 || head>>1 == 0 || head>>1 > 1<<31 {
		return errShort
	}
	h.data = h.data[n:]
	if head&1 == 1 {
		groups := head >> 1 // of 8 values
		size := min(groups*uint64(h.width), uint64(len(h.data)))
		h.bits, h.at, h.pack = int(groups*8), 0, h.data[:size]
		if size < groups*uint64(h.width) { // the last group may be cut where values end
			h.bits = int(size * 8 / uint64(h.width))
		}
		h.data = h.data[size:]
		if h.bits == 0 {
			return errShort
		}
		return nil
	}
	bytes := (h.width + 7) / 8
	if bytes > len(h.data) {
		return errShort
	}
	var word [4]byte
	copy(word[:], h.data[:bytes])
	h.data, h.value, h.run = h.data[bytes:], binary.LittleEndian.Uint32(word[:]), int(head>>1)
	return nil
}

// load returns the 8 bytes at a place, zeros behind the end.
func load(data []byte, at int) uint64 {
	if at+8 <= len(data) {
		return binary.LittleEndian.Uint64(data[at:])
	}
	var word [8]byte
	copy(word[:], data[min(at, len(data)):])
	return binary.LittleEndian.Uint64(word[:])
}

// unpack32 unpacks values of up to 32 bits.
func unpack32(dst []uint32, data []byte, bit, width int) {
	mask := uint64(1)<<width - 1
	for i := range dst {
		dst[i] = uint32(load(data, bit>>3) >> (bit & 7) & mask)
		bit += width
	}
}

// allDefined tells whether n definition levels are all 1: no value is missing.
func (h *hybrid) allDefined(n int) (bool, error) {
	var levels [256]uint32
	for n > 0 {
		part := levels[:min(n, len(levels))]
		if h.run >= n && h.value == 1 {
			return true, nil
		}
		if err := h.decode(part); err != nil {
			return false, err
		}
		for _, l := range part {
			if l != 1 {
				return false, nil
			}
		}
		n -= len(part)
	}
	return true, nil
}
