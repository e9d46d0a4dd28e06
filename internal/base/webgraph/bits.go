package webgraph

import (
	"bufio"
	"io"
	"math/bits"
)

// A bitReader reads bits, the highest of a byte first.
type bitReader struct {
	in   *bufio.Reader
	word uint64 // the next bits, at the top
	have int
	err  error
}

func (b *bitReader) fail(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if b.err == nil {
		b.err = err
	}
}

// fill makes at least 56 bits available, zeros behind the end of the file.
func (b *bitReader) fill() {
	for b.have <= 56 {
		c, err := b.in.ReadByte()
		if err != nil {
			return
		}
		b.word |= uint64(c) << (56 - b.have)
		b.have += 8
	}
}

// take reads up to 62 bits as a number.
func (b *bitReader) take(n int) int64 {
	if n > 32 {
		return b.take(n-32)<<32 | b.take(32)
	}
	if b.have < n {
		if b.fill(); b.have < n {
			b.fail(io.ErrUnexpectedEOF)
			return 0
		}
	}
	x := b.word >> 1 >> (63 - n)
	b.word <<= n
	b.have -= n
	return int64(x)
}

// maxZeros bounds a unary number: outdegrees and references are far smaller.
const maxZeros = 1 << 20

// unary counts zeros before a one.
func (b *bitReader) unary() int {
	for zeros := 0; zeros < maxZeros; {
		if b.have == 0 {
			if b.fill(); b.have == 0 {
				break
			}
		}
		if n := bits.LeadingZeros64(b.word); n < b.have {
			b.word <<= n + 1
			b.have -= n + 1
			return zeros + n
		}
		zeros += b.have
		b.word, b.have = 0, 0
	}
	b.fail(io.ErrUnexpectedEOF)
	return 0
}

func (b *bitReader) gamma() int64 { return b.tail(int64(b.unary())) }

// tail reads a number of n bits behind its highest one, and takes one off.
func (b *bitReader) tail(n int64) int64 {
	if n > 61 {
		b.fail(errDamaged)
		return 0
	}
	return int64(1)<<n + b.take(int(n)) - 1
}
