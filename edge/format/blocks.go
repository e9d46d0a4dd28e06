package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

const (
	// defaultBlock is how much text a worker parses at a time: with the edges it
	// becomes, it stays in a second-level cache.
	defaultBlock = 256 << 10
	// maxLine is how long a line may be: the row of a vertex with a hundred
	// million neighbours fits.
	maxLine = 1 << 30
)

// A block is a run of whole lines, each with its end; a missing one at the end
// of the file has been added.
type block struct {
	index int64 // of the blocks in the order of the file
	text  []byte
}

// blocks hands out the lines of a file in order, to many workers at once.
type blocks interface {
	// next returns the next block, which is valid until the worker calls next
	// again, or false if there is none. With an error, index is set too.
	next(ctx context.Context, worker int) (block, bool, error)
	// close is called when no worker needs another block.
	close()
}

// body returns the rest of the file as blocks of about the given size.
func (f *file) body(size, workers int) blocks {
	if f.plain != nil {
		return &fileBlocks{f: f, start: f.taken, size: int64(size), buffers: make([][]byte, workers)}
	}
	return newStreamBlocks(f, size, workers)
}

// fileBlocks reads a file in pieces of equal size. The block of a piece is the
// lines that start in it, so that workers need not know of each other.
type fileBlocks struct {
	f       *file
	start   int64 // where the lines begin
	size    int64 // of a piece
	taken   atomic.Int64
	buffers [][]byte // of the workers
}

func (b *fileBlocks) next(_ context.Context, worker int) (block, bool, error) {
	i := b.taken.Add(1) - 1
	lo := b.start + i*b.size
	if lo >= b.f.size {
		return block{}, false, nil
	}
	b.f.arrived.Store(lo)
	buffer := &b.buffers[worker]
	text, err := b.read(buffer, i, lo, min(lo+b.size, b.f.size))
	return block{i, text}, true, err
}

// read returns the lines that start at lo or later and before hi. A line starts
// behind the end of another, so reading begins one byte early.
func (b *fileBlocks) read(buffer *[]byte, i, lo, hi int64) ([]byte, error) {
	from := lo
	if i > 0 {
		from--
	}
	text, err := b.extend(buffer, (*buffer)[:0], from, hi)
	if err != nil {
		return nil, err
	}
	skip := 0
	if i > 0 {
		skip = bytes.IndexByte(text[:len(text)-1], '\n') + 1
		if skip == 0 {
			return nil, nil // all of it belongs to a line that started earlier
		}
	}
	for more := int64(4 << 10); text[len(text)-1] != '\n'; more *= 2 {
		if hi == b.f.size {
			text = append(text, '\n')
			break
		}
		if len(text)-skip > maxLine {
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		}
		old := len(text)
		to := min(hi+more, b.f.size)
		if text, err = b.extend(buffer, text, hi, to); err != nil {
			return nil, err
		}
		hi = to
		if end := bytes.IndexByte(text[old:], '\n'); end >= 0 {
			text = text[:old+end+1]
		}
	}
	return text[skip:], nil
}

// extend appends the bytes [from, to) of the file to text, which is the front of
// the buffer.
func (b *fileBlocks) extend(buffer *[]byte, text []byte, from, to int64) ([]byte, error) {
	old, length := len(text), len(text)+int(to-from)
	if cap(text) <= length { // one byte more, for the end of the last line
		grown := make([]byte, length, length+length/4+1)
		copy(grown, text)
		*buffer, text = grown, grown
	}
	text = text[:length]
	n, err := b.f.plain.ReadAt(text[old:], from)
	if n == length-old {
		return text, nil
	}
	if err == io.EOF {
		err = errors.New("the file became shorter while it was read")
	}
	return nil, err
}

func (b *fileBlocks) close() {}

// streamBlocks cuts what arrives, through a pipe or out of a packed file, in one
// goroutine while workers parse what has been cut.
type streamBlocks struct {
	f     *file
	size  int
	full  chan streamed
	free  chan []byte
	stop  chan struct{}
	inUse [][]byte // of the workers

	unpack func() // ends what unpacks the file, after the last read
}

type streamed struct {
	block
	err error
}

func newStreamBlocks(f *file, size, workers int) *streamBlocks {
	b := &streamBlocks{
		f: f, size: size,
		full: make(chan streamed, workers), free: make(chan []byte, 2*workers+2),
		stop: make(chan struct{}), inUse: make([][]byte, workers),
	}
	for range cap(b.free) {
		b.free <- nil
	}
	b.unpack, f.unpack = f.unpack, nil
	go b.cut()
	return b
}

func (b *streamBlocks) next(ctx context.Context, worker int) (block, bool, error) {
	if used := b.inUse[worker]; used != nil {
		b.inUse[worker] = nil
		b.free <- used
	}
	select {
	case s, ok := <-b.full:
		b.inUse[worker] = s.text
		return s.block, ok, s.err
	case <-ctx.Done():
		return block{}, false, nil
	}
}

func (b *streamBlocks) close() { close(b.stop) }

// cut sends block after block. What follows the last line end of one block is
// the beginning of the next.
func (b *streamBlocks) cut() {
	if b.unpack != nil {
		defer b.unpack()
	}
	defer close(b.full)
	var rest []byte
	for index := int64(0); ; index++ {
		var buffer []byte
		select {
		case buffer = <-b.free:
		case <-b.stop:
			return
		}
		text, err := b.fill(append(buffer[:0], rest...))
		cut := bytes.LastIndexByte(text, '\n') + 1
		rest = append(rest[:0], text[cut:]...)
		if err == io.EOF && len(rest) > 0 {
			text = append(text, '\n')
			cut = len(text)
		}
		if cut > 0 && !b.send(streamed{block: block{index, text[:cut]}}) {
			return
		}
		if err != nil {
			if err != io.EOF {
				b.send(streamed{block: block{index: index + 1}, err: err})
			}
			return
		}
	}
}

// fill reads until text has the size of a block and the end of a line in it.
// Before, it has none.
func (b *streamBlocks) fill(text []byte) ([]byte, error) {
	for {
		old := len(text)
		room := max(b.size-old, old/2, 1)
		if cap(text) < old+room+1 { // one byte more, for the end of the last line
			text = append(make([]byte, 0, old+room+1), text...)
		}
		for len(text) < old+room {
			n, err := b.f.content.Read(text[len(text) : old+room])
			text = text[:len(text)+n]
			if err != nil {
				return text, err
			}
		}
		if bytes.IndexByte(text[old:], '\n') >= 0 {
			return text, nil
		}
		if len(text) > maxLine {
			return text, fmt.Errorf("a line of more than %d bytes", maxLine)
		}
	}
}

func (b *streamBlocks) send(s streamed) bool {
	select {
	case b.full <- s:
		return true
	case <-b.stop:
		return false
	}
}
