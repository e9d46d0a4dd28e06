package edge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/gohops/hops"
)

// A PackedFile is a list in the file format of the Graph500 reference: 12 bytes
// an edge. If a file of the same name and WeightsSuffix lies beside it, it has
// weights too.
//
// It is read with plain reads: a mapped file that shrinks or a disk that fails
// would end the process, a read reports an error.
type PackedFile struct {
	vertices hops.Vertex
	edges    int64
	file     *os.File
	weights  *os.File // nil if there are none
	buffers  sync.Pool
}

var _ hops.WeightedSource = (*PackedFile)(nil)

// ErrNoWeights is the error of a packed file that has no weights beside it.
var ErrNoWeights = errors.New("no weights")

// OpenPacked opens the packed file at path. If numVertices is 0 the file is read
// once to find the largest label. If not, a larger label is reported when it is
// read. The caller closes the file.
func OpenPacked(path string, numVertices hops.Vertex) (*PackedFile, error) {
	p := &PackedFile{vertices: numVertices}
	p.buffers.New = func() any { return new([blockEdges * PackedSize]byte) }
	err := p.open(path)
	if err == nil && numVertices == 0 {
		p.vertices, err = p.scan()
	}
	if err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

func (p *PackedFile) open(path string) (err error) {
	if p.file, p.edges, err = openRecords(path, PackedSize); err != nil {
		return err
	}
	var weights int64
	p.weights, weights, err = openRecords(path+WeightsSuffix, 4)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && weights != p.edges:
		return wholeFile(p.weights.Name(), fmt.Errorf("%d weights for %d edges", weights, p.edges))
	}
	return err
}

// openRecords opens a file of records of a fixed size and counts them.
func openRecords(path string, size int64) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, wholeFile(path, reason(err))
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = reason(err)
	case !info.Mode().IsRegular():
		err = errors.New("not a regular file")
	case info.Size()%size != 0:
		err = fmt.Errorf("truncated: %d bytes are %d records of %d bytes and %d bytes more", info.Size(), info.Size()/size, size, info.Size()%size)
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, wholeFile(path, err)
	}
	return f, info.Size() / size, nil
}

// scan returns the number of vertices that the labels ask for.
func (p *PackedFile) scan() (hops.Vertex, error) {
	p.vertices = MaxPackedVertices
	var bound hops.Vertex
	block := make([]hops.Edge, blockEdges)
	for off := int64(0); off < p.edges; off += blockEdges {
		n, err := p.EdgesAt(block, off)
		if err != nil && err != io.EOF {
			return 0, err
		}
		for _, e := range block[:n] {
			bound = max(bound, e.U+1, e.V+1)
		}
	}
	return bound, nil
}

// NumVertices implements hops.Source.
func (p *PackedFile) NumVertices() hops.Vertex { return p.vertices }

// NumEdges implements hops.Source.
func (p *PackedFile) NumEdges() int64 { return p.edges }

// EdgesAt implements hops.Source.
func (p *PackedFile) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, p.edges)
	for done := 0; done < n; {
		block := dst[done:min(n, done+blockEdges)]
		read, err := p.readBlock(block, off+int64(done))
		done += read
		if err != nil {
			return done, err
		}
	}
	return n, err
}

func (p *PackedFile) readBlock(dst []hops.Edge, off int64) (int, error) {
	buffer := p.buffers.Get().(*[blockEdges * PackedSize]byte)
	defer p.buffers.Put(buffer)
	bytes := buffer[:len(dst)*PackedSize]
	if err := readAt(p.file, bytes, off, PackedSize); err != nil {
		return 0, err
	}
	for i := range dst {
		b := bytes[i*PackedSize:][:PackedSize]
		t := tuple{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
		e := t.edge()
		if max(e.U, e.V) >= p.vertices {
			return i, &FileError{p.file.Name(), off + int64(i), outOfRange(off+int64(i), e, p.vertices)}
		}
		dst[i] = e
	}
	return len(dst), nil
}

// readAt fills bytes from record i on. The file was long enough when it was
// opened, so an end within it means that it has been cut since.
func readAt(f *os.File, bytes []byte, i, size int64) error {
	n, err := f.ReadAt(bytes, i*size)
	if n == len(bytes) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	edge := i + int64(n)/size
	return &FileError{f.Name(), edge, fmt.Errorf("reading edge %d: %w", edge, reason(err))}
}

// HasWeights tells whether WeightsAt can succeed.
func (p *PackedFile) HasWeights() bool { return p.weights != nil }

// WeightsAt implements hops.WeightedSource. Without a file of weights it fails
// with ErrNoWeights.
func (p *PackedFile) WeightsAt(dst []float32, off int64) (int, error) {
	if p.weights == nil {
		return 0, wholeFile(p.file.Name(), ErrNoWeights)
	}
	n, err := span(len(dst), off, p.edges)
	bytes := make([]byte, 4*n)
	if err := readAt(p.weights, bytes, off, 4); err != nil {
		return 0, err
	}
	for i := range dst[:n] {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:]))
	}
	return n, err
}

// Close closes the files.
func (p *PackedFile) Close() error {
	err := p.file.Close()
	if p.weights != nil {
		err = errors.Join(err, p.weights.Close())
	}
	return err
}
