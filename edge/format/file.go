package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/gohops/hops/internal/base/compression"
	"github.com/gohops/hops/internal/base/topo"
)

// maxHeaderLine is how long a line may be that is read before it is known what
// the file holds.
const maxHeaderLine = 1 << 20

// A file is an opened input as the bytes it holds, decompressed.
type file struct {
	name  string // as messages call it
	path  string // as it was opened; "" for standard input
	size  int64  // of the file as it lies there; 0 if not known
	plain io.ReaderAt
	// plain is set if offsets of the file are offsets of the content, so that
	// many can read at once.

	content     *bufio.Reader
	taken       int64 // bytes consumed from content
	lines       int64 // lines among them
	compression string
	inner       string // name of the file in an archive

	handle       io.Closer
	closeContent func()
	cutting      chan struct{} // closed when nobody reads content in the background
	arrived      atomic.Int64  // bytes that have come in, before decompression
	reported     int64
	progress     func(done, total int64)
	fits         func(bytes int64) error // an error if so many bytes cannot be allocated

	memoryStep int64 // see the constant of that name
}

// openFile opens the file of that name, or standard input if it is "-". A pipe may never be
// opened for writing, or deliver a first byte; then ctx ends.
func openFile(ctx context.Context, name string, progress func(done, total int64)) (*file, error) {
	opened := make(chan *file)
	failed := make(chan error, 1)
	go func() {
		f, err := openNow(name, progress)
		if err != nil {
			failed <- err
			return
		}
		select {
		case opened <- f:
		case <-ctx.Done():
			f.close()
		}
	}()
	select {
	case f := <-opened:
		return f, nil
	case err := <-failed:
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func openNow(name string, progress func(done, total int64)) (*file, error) {
	f := &file{name: name, path: name, progress: progress}
	handle := os.Stdin
	if name == "-" {
		f.name, f.path = "standard input", ""
	} else {
		var err error
		if handle, err = os.Open(name); err != nil {
			return nil, fmt.Errorf("format: %w", err)
		}
		f.handle = handle
	}
	if err := f.inspect(handle); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// inspect finds out whether the file can be read anywhere.
func (f *file) inspect(handle *os.File) error {
	info, err := handle.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("format: %w", err)
	case info.IsDir():
		return f.wrong("is a directory")
	case info.Mode().IsRegular() && f.path != "":
		return f.begin(handle, handle, info.Size())
	}
	return f.begin(handle, nil, 0)
}

// begin finds out how the file is compressed, and decompresses it. at is nil if it can be
// read from front to back only.
func (f *file) begin(r io.Reader, at io.ReaderAt, size int64) error {
	f.size, f.fits, f.memoryStep = size, topo.Fits, memoryStep
	raw := bufio.NewReaderSize(&counted{r, &f.arrived}, 1<<16)
	magic, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return fmt.Errorf("format: reading %s: %w", f.name, err)
	}
	var content io.Reader = raw
	f.compression = compression.Name(magic)
	switch err = nil; f.compression {
	case "":
		f.plain = at
	case "zip":
		content, err = f.unzip(at)
	default:
		content, f.closeContent, err = compression.NewReader(f.compression, raw)
	}
	if err != nil {
		article := "a "
		if f.compression == "xz" {
			article = "an "
		}
		return &Error{File: f.name, Line: 1, What: "not " + article + f.compression + " file: " + err.Error(), Err: err}
	}
	f.content = bufio.NewReaderSize(content, maxHeaderLine)
	return nil
}

// unzip reads the only file in an archive.
func (f *file) unzip(at io.ReaderAt) (io.Reader, error) {
	if at == nil {
		return nil, errors.New("an archive cannot be read from a pipe")
	}
	z, err := zip.NewReader(at, f.size)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range z.File {
		if !entry.FileInfo().IsDir() {
			names = append(names, entry.Name)
		}
	}
	if len(names) != 1 {
		return nil, fmt.Errorf("it holds %d files, where hops reads one: %s", len(names), quoted([]byte(strings.Join(names, ", "))))
	}
	f.inner = names[0]
	return z.Open(names[0])
}

// counted counts the bytes that have been read.
type counted struct {
	io.Reader
	bytes *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

// arrive notes that bytes have come in up to a place. Workers are not in order: one that was held
// up must not take back what others have noted.
func (f *file) arrive(end int64) {
	for before := f.arrived.Load(); before < end && !f.arrived.CompareAndSwap(before, end); {
		before = f.arrived.Load()
	}
}

// report tells the caller how far reading has come. Workers are not in order; the
// caller sees no step back.
func (f *file) report() {
	if f.progress != nil {
		f.reported = max(f.reported, f.arrived.Load())
		f.progress(f.reported, f.size)
	}
}

func (f *file) close() {
	if f.closeContent != nil {
		go f.endDecompression() // a reader in the background may wait for a pipe
	}
	if f.handle != nil {
		_ = f.handle.Close()
	}
}

func (f *file) endDecompression() {
	if f.cutting != nil {
		<-f.cutting
	}
	f.closeContent()
}

// suffix is how the name ends, without that of the compression, in lower case.
func (f *file) suffix() string {
	name := f.path
	if f.inner != "" {
		name = f.inner
	}
	return compression.Suffix(name)
}

// described names a format together with its compression.
func (f *file) described(format string) string {
	if f.compression != "" {
		return format + ", " + f.compression
	}
	return format
}

// wrong is an error about the file as a whole.
func (f *file) wrong(what string, args ...any) error {
	return &Error{File: f.name, Offset: -1, What: fmt.Sprintf(what, args...)}
}

// wrongByte is an error about a place in a binary file.
func (f *file) wrongByte(offset int64, what string, args ...any) error {
	return &Error{File: f.name, Offset: offset, What: fmt.Sprintf(what, args...)}
}

// wrongLine is an error about the line that comes next.
func (f *file) wrongLine(what string, args ...any) error {
	return &Error{File: f.name, Line: f.lines + 1, What: fmt.Sprintf(what, args...)}
}

// peekLine returns the next line, with its end if it has one, without consuming
// it. At the end of the file it returns io.EOF.
func (f *file) peekLine() ([]byte, error) {
	for searched := 0; ; {
		// Whatever has arrived, and one byte more: a pipe may deliver little.
		_, err := f.content.Peek(searched + 1)
		text, _ := f.content.Peek(f.content.Buffered())
		if end := bytes.IndexByte(text[searched:], '\n'); end >= 0 {
			return text[:searched+end+1], nil
		}
		switch searched = len(text); {
		case err == io.EOF && searched == 0:
			return nil, io.EOF
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, f.broken(err)
		case searched >= maxHeaderLine:
			return nil, f.wrongLine("a line of more than %d bytes; this is not text", maxHeaderLine)
		}
	}
}

// takeLine consumes the line that peekLine returned.
func (f *file) takeLine(line []byte) {
	n, _ := f.content.Discard(len(line))
	f.taken += int64(n)
	f.lines++
}

// broken is the error of a file whose bytes could not be read.
func (f *file) broken(err error) error {
	return &Error{File: f.name, Line: f.lines + 1, What: f.breakage(err), Err: err}
}

func (f *file) breakage(err error) string {
	switch {
	case f.compression != "" && errors.Is(err, io.ErrUnexpectedEOF):
		return f.compression + " data ends early: the file is truncated"
	case f.compression != "":
		return f.compression + " data is damaged: " + err.Error()
	}
	return err.Error()
}

// await waits until the sample that is looked at first has arrived, or the file has
// ended. A pipe may never deliver it; then ctx ends.
func (f *file) await(ctx context.Context) error {
	arrived := make(chan struct{})
	f.cutting = arrived
	go func() {
		defer close(arrived)
		_, _ = f.content.Peek(sampleBytes)
	}()
	select {
	case <-arrived:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// skipMark consumes the byte-order mark that some programs put before UTF-8, and
// refuses text in UTF-16.
func (f *file) skipMark() error {
	mark, _ := f.content.Peek(3)
	switch {
	case bytes.Equal(mark, []byte("\xEF\xBB\xBF")):
		n, _ := f.content.Discard(3)
		f.taken += int64(n)
	case bytes.HasPrefix(mark, []byte("\xFF\xFE")), bytes.HasPrefix(mark, []byte("\xFE\xFF")):
		return f.wrongLine("text in UTF-16; convert it to UTF-8")
	}
	if front, _ := f.content.Peek(4 << 10); endsInCR(front) {
		f.plain, f.content = nil, bufio.NewReaderSize(carriageReturns{f.content}, maxHeaderLine)
	}
	return nil
}

// endsInCR tells whether lines end in CR alone, as on the first Macintosh.
func endsInCR(front []byte) bool {
	at := bytes.IndexByte(front, '\r')
	return at >= 0 && at < len(front)-1 && bytes.IndexByte(front, '\n') < 0 && bytes.IndexByte(front, 0) < 0
}

// carriageReturns reads each CR as the end of a line.
type carriageReturns struct{ io.Reader }

func (r carriageReturns) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
