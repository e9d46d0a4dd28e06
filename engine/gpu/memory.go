package gpu

import (
	"errors"
	"fmt"

	"github.com/gohops/hops"
)

// A memory allocates buffers of a device and frees all of them with close. After a
// failure it allocates nothing more: callers allocate all they need and look at err
// once.
type memory struct {
	dev   device
	sizes map[buffer]int64
	err   error
}

func newMemory(d device) *memory { return &memory{dev: d, sizes: make(map[buffer]int64)} }

// make returns a buffer of n elements of size bytes.
func (m *memory) make(what string, n, size int64) buffer {
	if m.err != nil {
		return 0
	}
	b, err := m.dev.alloc(n * size)
	if err != nil {
		m.err = fmt.Errorf("gpu: %s: %w", what, err)
		return 0
	}
	m.sizes[b] = n * size
	return b
}

// makeZero is make with all bytes zero.
func (m *memory) makeZero(what string, n, size int64) buffer {
	b := m.make(what, n, size)
	if m.err == nil {
		m.err = m.dev.zero(b, n*size)
	}
	return b
}

func (m *memory) close() error {
	var errs []error
	for b := range m.sizes {
		errs = append(errs, m.dev.free(b))
	}
	clear(m.sizes)
	return errors.Join(errs...)
}

// MaxVertices is the number of labels for which there is room: LEAF in graph.h is the next bit.
const MaxVertices = 1<<31 - 1

const (
	group       = 1024            // GROUP in graph.h
	hotWords    = 2048            // HOT_WORDS in state.h
	bitWords    = 8192            // BIT_WORDS in state.h, as CUDA
	blockSize   = 48 + 4*bitWords // bytes of block_t in state.h, without desks
	deskSize    = 3072            // bytes of desk_t in state.h
	maxHubs     = 32*hotWords - 1 // NO_HUB in graph.h is the next number
	maxParts    = 4               // PARTS in graph.h
	piece       = 128             // PIECE in state.h
	window      = 8               // WINDOW in look.cu
	leastHubRow = 512             // the least EXTREME that is compiled
	sortedRow   = 4096            // SORTED in rows.cu
	shortRow    = 32              // the longest row that sort_short sorts
	rowBitmaps  = 128             // bitmaps of unique_large, at most
	recordSize  = 16
	levelSize   = 64
	controlSize = 64
	ticketSize  = 4

	// leastChunk is how many edges are read or generated at a time, at least.
	leastChunk = 1 << 22
)

// Need is the number of bytes on the device that a graph of so many vertices and m
// edges takes at most, while it is built and while it is searched. Each of the two sets of
// rows of a directed graph has an entry for an edge; kernel 1 then has two more degrees
// of every vertex and the lengths of the rows.
func Need(vertices hops.Vertex, m int64, directed bool) int64 {
	n := int64(vertices)
	labels, entries := (n+31)/32*32, 2*m
	graph := labels/4 + 8*n + 8*(n/group+2) + 4*entries + 4*n + 2*n + 4*maxHubs
	build := 4*labels + labels/4 + 4*(entries/(shortRow+1)+entries/sortedRow+2) + 8*min(m, leastChunk) + rowBitmaps*labels/8
	search := labels/4 + 4*hotWords + 4*labels + 2*4*n + recordSize*(n+entries/piece+1) + 2*4*labels + 8*(entries/leastHubRow+1)
	need := graph + max(build, search)
	if directed {
		need += labels/4 + 8*n + 8*(n/group+2) + 3*4*labels
	}
	return need
}

// hostCompiler is the memory in bytes that an OpenCL driver takes to compile the kernels
// and to run them on the processor: 186 MiB with PoCL 3.1 on two cores that has compiled none of
// them before, 90 MiB otherwise.
const hostCompiler = 208 << 20

// HostNeed is the memory of the host that a graph of so many vertices and m edges takes at
// most: that of the device where it works in the memory of the host, and none otherwise.
// Where there is no device it is none: Ready says so.
func HostNeed(o Options, vertices hops.Vertex, m int64) int64 {
	return o.onHost(Need(vertices, m, false) + hostCompiler)
}

// HostNeedPaths is HostNeed for NewPaths, with distances of 32 bits.
func HostNeedPaths(o Options, vertices hops.Vertex, m int64) int64 {
	o.weights = true
	return o.onHost(NeedPaths(vertices, m, false) + hostCompiler)
}

// onHost is a need of a device where it works in the memory of the host.
func (o Options) onHost(need int64) int64 {
	d, err := open(&o)
	if err != nil {
		return 0
	}
	defer d.Close()
	cl, ok := d.(*openclDevice)
	if !ok {
		return 0
	}
	if shares, err := cl.SharesMemory(); err != nil || !shares {
		return 0
	}
	return need
}

// checkSize refuses a graph that will not fit, before any work.
func checkSize(d device, n hops.Vertex, m int64, directed bool) error {
	return checkRoom(d, n, m, func() int64 { return Need(n, m, directed) })
}

// checkRoom refuses a graph whose construction and searches need more than the device has free.
func checkRoom(d device, n hops.Vertex, m int64, need func() int64) error {
	if n > MaxVertices {
		return fmt.Errorf("gpu: %d vertices: there is room for the labels of %d", uint64(n), MaxVertices)
	}
	free, total, err := d.Memory()
	switch {
	case err != nil:
		return err
	case m < 0:
		return fmt.Errorf("gpu: the source says that it has %d edges", m)
	case m > total: // and what they need may be more than an int64 holds
		return fmt.Errorf("gpu: %s has %d bytes: too few for %d edges", d.Name(), total, m)
	case need() > free:
		return fmt.Errorf("gpu: %s: %d vertices and %d edges need up to %d bytes, %d of %d are free", d.Name(), n, m, need(), free, total)
	}
	return nil
}

// Ready says why Build would refuse a graph of n vertices and m edges, before the graph
// is there: no driver, no device or one that is too old, too little memory, or options
// that exclude each other.
func Ready(o Options, n hops.Vertex, m int64, directed bool) error {
	if err := o.check(); err != nil {
		return err
	}
	d, err := open(&o)
	if err != nil {
		return err
	}
	return errors.Join(checkSize(d, n, m, directed), d.Close())
}
