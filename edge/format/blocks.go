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
// of the file has been added. Of a binary file it is a run of whole records.
type block struct {
	index int64 // of the blocks in the order of the file
	text  []byte
}

// blocks hands out a file in order, to many workers at once.
type blocks interface {
	// next returns the next block, which is valid until the worker calls next
	// again, or false if there is none. With an error, index is set too.
	next(ctx context.Context, worker int) (block, bool, error)
	// close is called when no worker needs another block.
	close()
}

// A stretch is the part of a file that is to be handed out.
type stretch struct {
	f       *file
	start   int64
	end     int64 // -1: as far as the file goes
	size    int64 // of a block, about; exactly if there are records
	records bool  // not lines: blocks are cut anywhere
}

// longLine refuses a line that has come to a length, or will be twice as long
// before it is looked at again, if there is no memory for a buffer that holds it
// and the edges in it.
func (s stretch) longLine(length int) error {
	if length > maxLine {
		return fmt.Errorf("a line of more than %d bytes", maxLine)
	}
	if int64(length) < s.f.memoryStep/4 {
		return nil
	}
	if err := s.f.fits(8 * int64(length)); err != nil {
		return fmt.Errorf("a line of more than %d bytes %w", length, err)
	}
	return nil
}

func (s stretch) blocks(workers int) blocks {
	if s.f.plain != nil {
		if s.end < 0 {
			s.end = s.f.size
		}
		return &fileBlocks{stretch: s, buffers: make([][]byte, workers)}
	}
	return newStreamBlocks(s, workers)
}

// fileBlocks reads a file in pieces of equal size. The block of a piece is the
// lines that start in it, so that workers need not know of each other.
type fileBlocks struct {
	stretch
	taken   atomic.Int64
	buffers [][]byte // of the workers
}

func (b *fileBlocks) next(_ context.Context, worker int) (block, bool, error) {
	i := b.taken.Add(1) - 1
	lo := b.start + i*b.size
	if lo >= b.end {
		return block{}, false, nil
	}
	hi := min(lo+b.size, b.end)
	b.f.arrive(hi)
	buffer := &b.buffers[worker]
	var text []byte
	var err error
	if b.records {
		text, err = b.extend(buffer, (*buffer)[:0], lo, hi)
	} else {
		text, err = b.read(buffer, i, lo, hi)
	}
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
		if hi == b.end {
			text = append(text, '\n')
			break
		}
		if err := b.longLine(len(text) - skip); err != nil {
			return nil, err
		}
		old := len(text)
		to := min(hi+more, b.end)
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

// streamBlocks cuts what arrives, through a pipe or out of a compressed file, in one
// goroutine while workers parse what has been cut.
type streamBlocks struct {
	stretch
	content io.Reader
	full    chan streamed
	free    chan []byte
	stop    chan struct{}
	done    chan struct{} // closed after the last read
	inUse   [][]byte      // of the workers
}

type streamed struct {
	block
	err error
}

func newStreamBlocks(s stretch, workers int) *streamBlocks {
	b := &streamBlocks{
		stretch: s, content: s.f.content,
		full: make(chan streamed, workers), free: make(chan []byte, 2*workers+2),
		stop: make(chan struct{}), done: make(chan struct{}), inUse: make([][]byte, workers),
	}
	if s.end >= 0 {
		b.content = io.LimitReader(s.f.content, s.end-s.start)
	}
	for range cap(b.free) {
		b.free <- nil
	}
	s.f.cutting = b.done
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
	defer close(b.full)
	defer close(b.done)
	var rest []byte
	for index := int64(0); ; index++ {
		var buffer []byte
		select {
		case buffer = <-b.free:
		case <-b.stop:
			return
		}
		text, err := b.fill(append(buffer[:0], rest...))
		cut := len(text)
		if !b.records {
			cut = bytes.LastIndexByte(text, '\n') + 1
		}
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

// fill reads until text has the size of a block and, if it is made of lines, the
// end of one. Before, it has none.
func (b *streamBlocks) fill(text []byte) ([]byte, error) {
	for {
		old := len(text)
		room := max(int(b.size)-old, old/2, 1)
		if cap(text) < old+room+1 { // one byte more, for the end of the last line
			text = append(make([]byte, 0, old+room+1), text...)
		}
		for len(text) < old+room {
			n, err := b.content.Read(text[len(text) : old+room])
			text = text[:len(text)+n]
			if err != nil {
				return text, err
			}
		}
		if b.records || bytes.IndexByte(text[old:], '\n') >= 0 {
			return text, nil
		}
		if err := b.longLine(len(text)); err != nil {
			return text, err
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
