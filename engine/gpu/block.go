package gpu

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/gohops/hops/internal/block"
	"github.com/gohops/hops/internal/nccl"
)

// A Block is a block of an adjacency matrix on a device, with the bitmaps and parents of a
// search, for the ranks of a grid (kernels/block.cu). The host drives the passes of a level
// and sees counts; blockpeers.go moves memory between blocks.
type Block struct {
	kernels
	block.Block
	mem           *memory
	rows, columns lines
	index         buffer // of the rows: see graph.h

	region                                   [block.Regions]buffer
	home, visited, out, labels, tree, counts buffer
	granules                                 uint32 // entries of labels for each rank
	directed                                 bool
	shared                                   bool   // another rank of the host has the device too
	counted                                  []byte // pinned: counts on their way
	staged                                   []byte // pinned: a part of a region on its way; nil: none yet
	peers                                    []neighbor
	groups                                   []*nccl.Member
}

type lines struct {
	numbers, offsets, entries buffer
	count                     uint32
}

// countSize is the size of block.Counts on the device.
const countSize = 3 * 8

func newBlock(d device, from block.Block, shared bool) (*Block, error) {
	if from.Width > 32*maxVertices || from.Height > maxVertices {
		return nil, fmt.Errorf("gpu: a block of %d rows and %d columns: there is room for %d", from.Height, from.Width, maxVertices)
	}
	b := &Block{kernels: kernels{d}, Block: from, mem: newMemory(d), directed: from.Out != nil, shared: shared}
	if err := b.fill(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.Rows, b.Columns, b.Home, b.Out, b.Labels = block.Lines{}, block.Lines{}, nil, nil, nil
	return b, nil
}

func (b *Block) fill() (err error) {
	words := b.words()
	b.makeRegions()
	b.visited = b.mem.makeZero("visited rows", words, 4)
	b.tree = b.mem.make("parents of the piece", max(b.Piece.Vertices, 1), 4)
	b.counts = b.mem.makeZero("counts", countSize, 1)
	b.home, b.out, b.index = up(b, "homes", b.Home), up(b, "edges out", b.Out), up(b, "index of rows", b.indexRows())
	b.rows, b.columns = b.upload(b.Rows), b.upload(b.Columns)
	b.labels = up(b, "labels", b.flatLabels())
	if b.mem.err != nil {
		return b.mem.err
	}
	b.counted, err = b.dev.pinned(countSize)
	return err
}

// words is the number of words of 32 rows.
func (b *Block) words() int64 { return b.FoundBytes() / 4 }

// makeRegions makes the memory that other ranks read. As CUDA it is one allocation, which
// one handle names to other processes.
func (b *Block) makeRegions() {
	const align = 256
	_, addresses := b.dev.(*cudaDevice)
	all := int64(0)
	var at [block.Regions]int64
	for r := range block.Regions {
		at[r] = all
		all += (b.Bytes(r) + align) / align * align
		if !addresses {
			b.region[r] = b.mem.makeZero("bitmaps and parents", b.Bytes(r)+1, 1)
		}
	}
	if !addresses {
		return
	}
	first := b.mem.makeZero("bitmaps and parents", all, 1)
	for r := range b.region {
		b.region[r] = first + buffer(at[r])
	}
}

// up puts an array on the device; errors are the memory's.
func up[T any](b *Block, what string, array []T) buffer {
	bytes := bytesOf(array)
	to := b.mem.make(what, int64(max(len(bytes), 8)), 1)
	if b.mem.err == nil && len(bytes) > 0 {
		b.mem.err = b.dev.write(to, 0, bytes)
	}
	return to
}

func (b *Block) upload(l block.Lines) lines {
	return lines{
		up(b, "numbers of lines", l.Numbers), up(b, "lines of a block", l.Offsets), up(b, "entries of a block", l.Entries),
		uint32(len(l.Numbers)),
	}
}

// indexRows is the index of the rows that are not empty.
func (b *Block) indexRows() []uint32 {
	index := make([]uint32, 2*b.words())
	for _, v := range b.Rows.Numbers {
		index[2*(v/32)] |= 1 << (v % 32)
	}
	before := uint32(0)
	for k := range len(index) / 2 {
		index[2*k+1] = before
		before += uint32(bits.OnesCount32(index[2*k]))
	}
	return index
}

// flatLabels has what labels are above numbers, granule by granule, for one rank of the
// row after the other. Labels of 64 bits are not for the device.
func (b *Block) flatLabels() []uint32 {
	for _, of := range b.Labels {
		b.granules = max(b.granules, uint32(len(of)))
	}
	flat := make([]uint32, int(b.granules)*len(b.Labels))
	for j, of := range b.Labels {
		for i, above := range of {
			flat[j*int(b.granules)+i] = uint32(above)
		}
	}
	return flat
}

// Begin clears the state of the last search.
func (b *Block) Begin(root block.Root) error { return b.blockBegin(b, root) }

// Explore runs a pass.
func (b *Block) Explore(p block.Pass) error {
	if err := b.blockClear(b, p.Found); err != nil {
		return err
	}
	if p.TopDown {
		return b.blockTopDown(b, p)
	}
	return b.blockBottomUp(b, p)
}

// Admit marks what the row has found in the first of two passes as visited.
func (b *Block) Admit() error { return b.blockAdmit(b) }

// Unite makes what the row has found, in one pass or in two, the next frontier of the
// piece, and returns what was counted since the last time.
func (b *Block) Unite(next block.Region, two bool) (c block.Counts, err error) {
	if err := b.blockUnite(b, next, two); err != nil {
		return c, err
	}
	if err := b.dev.read(b.counted, b.counts, 0); err != nil {
		return c, err
	}
	n := numbersOf[uint64](b.counted)
	c.Found, c.Edges, c.Examined = int64(n[0]), int64(n[1]), int64(n[2])
	return c, b.dev.zero(b.counts, countSize)
}

// Adopt gives the vertices of the piece the labels of their parents.
func (b *Block) Adopt() error { return b.blockAdopt(b) }

// Tree copies the parents of the piece to the host.
func (b *Block) Tree(dst []uint32) error {
	if int64(len(dst)) != b.Piece.Vertices {
		return fmt.Errorf("gpu: room for %d parents of a piece of %d vertices", len(dst), b.Piece.Vertices)
	}
	return b.dev.read(bytesOf(dst), b.tree, 0)
}

// Sync waits until the device is done with everything that it was told.
func (b *Block) Sync() error { return b.dev.Sync() }

// DeviceName describes the device.
func (b *Block) DeviceName() string { return b.dev.Name() }

// Close gives the memory and the device back.
func (b *Block) Close() error { return errors.Join(b.leave(), b.mem.close(), b.dev.Close()) }
