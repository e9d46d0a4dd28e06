package parquet

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// appendIndices packs indices of a dictionary bit by bit, in one run.
func appendIndices(dst []byte, index []uint32, size int) []byte {
	width := max(1, bits.Len(uint(size-1)))
	groups := (len(index) + 7) / 8
	dst = binary.AppendUvarint(append(dst, byte(width)), uint64(groups)<<1|1)
	p := packer{dst: dst}
	for _, x := range index {
		p.put(uint64(x), width)
	}
	for range groups*8 - len(index) {
		p.put(0, width)
	}
	p.flush()
	return p.dst
}

// A packer writes numbers bit by bit, the lowest bit first.
type packer struct {
	dst  []byte
	word uint64
	used int
}

func (p *packer) put(x uint64, width int) {
	p.word |= x << p.used
	if p.used += width; p.used < 64 {
		return
	}
	p.dst = binary.LittleEndian.AppendUint64(p.dst, p.word)
	p.used -= 64
	p.word = x >> (width - p.used)
}

// flush writes the bytes that are begun.
func (p *packer) flush() {
	for ; p.used > 0; p.used -= 8 {
		p.dst = append(p.dst, byte(p.word))
		p.word >>= 8
	}
	p.word, p.used = 0, 0
}

const (
	deltaBlock = 128
	deltaMinis = 4
	deltaMini  = deltaBlock / deltaMinis
)

// appendDeltas encodes integers as DELTA_BINARY_PACKED.
func appendDeltas(dst []byte, x []int64) []byte {
	dst = binary.AppendUvarint(binary.AppendUvarint(dst, deltaBlock), deltaMinis)
	dst = binary.AppendUvarint(dst, uint64(len(x)))
	if len(x) == 0 {
		return append(dst, 0)
	}
	dst = binary.AppendVarint(dst, x[0])
	var block [deltaBlock]int64
	for at := 1; at < len(x); {
		n, least := 0, int64(math.MaxInt64)
		for ; n < deltaBlock && at < len(x); n, at = n+1, at+1 {
			block[n] = x[at] - x[at-1]
			least = min(least, block[n])
		}
		dst = appendBlock(dst, block[:n], least)
	}
	return dst
}

func appendBlock(dst []byte, block []int64, least int64) []byte {
	dst = binary.AppendVarint(dst, least)
	widths := len(dst)
	p := packer{dst: append(dst, make([]byte, deltaMinis)...)}
	for m := 0; m*deltaMini < len(block); m++ {
		mini := block[m*deltaMini : min((m+1)*deltaMini, len(block))]
		all := uint64(0)
		for _, d := range mini {
			all |= uint64(d - least)
		}
		width := bits.Len64(all)
		p.dst[widths+m] = byte(width)
		for _, d := range mini {
			p.put(uint64(d-least), width)
		}
		for range deltaMini - len(mini) {
			p.put(0, width)
		}
		p.flush()
	}
	return p.dst
}
