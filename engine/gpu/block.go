package gpu

import (
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/nccl"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A deviceBlock is a block of an adjacency matrix on a device, with the bitmaps and parents of a
// search, for the ranks of a grid (kernels/block.cu). The host drives the passes of a level
// and sees counts; blockgraph.go makes the rows and columns, and blockpeers.go moves memory
// between blocks.
type deviceBlock struct {
	block.Block
	*state         // of the rows
	columns *state // the same arrays, with the columns as its graph

	region       [block.Regions]buffer
	home, abroad buffer // the rows that are asked for in each of two passes
	edgesOut     buffer // of the vertices of the piece, where directed
	labels, tree buffer
	slots        []slot    // of trees; the first is tree
	verifier     *verifier // nil: no tree is validated here
	granules     uint32    // entries of labels for each rank
	directed     bool
	hasExtreme   bool   // a row may be left to the whole grid
	counted      []byte // pinned: counts on their way
	staged       []byte // pinned: a part of a region on its way; nil: none yet
	shared       bool   // another rank of the host has the device too
	peers        []neighbor
	groups       []*nccl.Member
}

// newBlock makes a block of rows and columns that are in the memory m of a device, which is
// the block's from now on, with the device.
func newBlock(m *memory, from block.Block, rows, columns *graph, shared bool) (*deviceBlock, error) {
	b := &deviceBlock{Block: from, directed: from.Out != nil, shared: shared, slots: make([]slot, 1)}
	if err := b.fill(m, rows, columns); err != nil {
		return nil, errors.Join(err, m.close(), m.dev.Close())
	}
	b.Rows, b.Columns, b.Home, b.Out, b.Labels = block.Lines{}, block.Lines{}, nil, nil, nil
	return b, nil
}

func checkBlock(b *block.Block) error {
	if b.Width > MaxVertices || b.Height > MaxVertices {
		return fmt.Errorf("gpu: a block of %d rows and %d columns: there is room for %d", b.Height, b.Width, MaxVertices)
	}
	return nil
}

// words is the number of words of 32 rows.
func (b *deviceBlock) words() int64 { return wordsOf(&b.Block) }

func wordsOf(b *block.Block) int64 { return b.FoundBytes() / 4 }

// place is where this rank's words of what the row has found begin.
func (b *deviceBlock) place() int64 { return int64(b.Me) * b.words() }

// Begin clears the state of the last search.
func (b *deviceBlock) Begin(root block.Root) error {
	b.slots[0] = slot{root: hops.Vertex(root.Label)}
	return b.blockBegin(b, root)
}

// Explore runs a pass.
func (b *deviceBlock) Explore(p block.Pass) error {
	if p.TopDown {
		return b.topDown(p)
	}
	return b.bottomUp(p)
}

func (b *deviceBlock) topDown(p block.Pass) error {
	if err := b.columns.blockQueue(b.region[p.Front], b.region[p.Found], b.place(), b.words()); err != nil {
		return err
	}
	if err := b.columns.stepCut(thisLevel, sides{}); err != nil {
		return err
	}
	return b.columns.blockExpand(b.region[p.Found], b.place())
}

func (b *deviceBlock) bottomUp(p block.Pass) error {
	front, found, asked := b.region[p.Front], b.region[p.Found], b.home
	if p.Asked == block.Abroad {
		asked = b.abroad
	}
	if err := b.blockBottomUp(front, asked, p.Asked == block.All, found, b.place()); err != nil || !b.hasExtreme {
		return err
	}
	return b.blockExtremeScan(front, found, b.place())
}

// Admit marks what the row has found in the first of two passes as visited.
func (b *deviceBlock) Admit() error { return b.blockAdmit(b) }

// Unite makes what the row has found, in one pass or in two, the next frontier of the
// piece, packed too if it is to be, and returns what was counted since the last time.
func (b *deviceBlock) Unite(next block.Region, two, pack bool) (c block.Counts, err error) {
	b.ticket++
	answer := reply{b.dev.mapped(b.counted), len(b.counted) / 4, b.ticket}
	a := uniteArgs{b.region[block.Found], b.region[block.Found], two, b.region[next], answer, b}
	if two {
		a.found = b.region[block.FoundLater]
	}
	if pack {
		a.reply = reply{}
	}
	if err := b.blockUnite(a); err != nil {
		return c, err
	}
	if pack {
		if err := b.pack(next, b.pieceOfFront(), answer); err != nil {
			return c, err
		}
	}
	if err := b.dev.answer(b.counted, b.control, b.ticket); err != nil {
		return c, err
	}
	n := numbersOf[uint64](b.counted[:controlSize])
	c.Found, c.Edges, c.Examined = int64(n[2]), int64(n[3]), int64(levelCounts(b.counted[controlSize:])[thisLevel].Examined)
	c.Taken = int64(n[4])
	if answer.at != 0 {
		return c, nil
	}
	return c, b.dev.zero(b.control, int64(len(b.counted)))
}

// pieceOfFront is where this rank's piece is in a frontier.
func (b *deviceBlock) pieceOfFront() rank.Span {
	return rank.Span{Lo: 8 * b.Piece.Column, Hi: 8 * (b.Piece.Column + b.Piece.Words)}
}

// Adopt gives the vertices of the piece the labels of their parents.
func (b *deviceBlock) Adopt() error {
	b.slots[0].filled = true
	return b.blockAdopt(b)
}

// Pinned returns memory of the host to which the device copies fastest, or nil if that is
// any. It lives until Close.
func (b *deviceBlock) Pinned(bytes int64) ([]byte, error) {
	if _, ok := b.dev.(*cudaDevice); !ok {
		return nil, nil
	}
	return b.dev.pinned(bytes)
}

// Sync waits until the device is done with everything that it was told.
func (b *deviceBlock) Sync() error { return b.dev.Sync() }

// DeviceName describes the device.
func (b *deviceBlock) DeviceName() string { return b.dev.Name() }

// Close gives the memory and the device back.
func (b *deviceBlock) Close() error {
	errs := []error{b.leave()}
	if b.verifier != nil {
		errs = append(errs, b.verifier.mem.close())
	}
	return errors.Join(append(errs, b.mem.close(), b.dev.Close())...)
}
