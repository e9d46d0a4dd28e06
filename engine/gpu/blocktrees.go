package gpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/block"
)

// Trees of a grid stay on the devices of its ranks: each has the parents of its own piece, in
// slots as those of a Searcher. To validate a tree, every rank gathers all of it in the
// region Whole and holds its share of the edges against it.

// OpenVerifier readies the device for validating trees. It is to read so many edges of the
// source from first on, again and not from the block; the other ranks read the others.
func (b *deviceBlock) OpenVerifier(src hops.Source, first, count int64, all block.Reducer) (err error) {
	if b.Vertices == 0 || b.Vertices > MaxVertices {
		return fmt.Errorf("gpu: no room for a tree of %d vertices on the device", src.NumVertices())
	}
	b.verifier, err = newVerifier(b.kernels, src, all, first, count)
	return err
}

// Slots makes room for up to want pieces of trees, and returns for how many there is room:
// at least one.
func (b *deviceBlock) Slots(want int) (have int, err error) {
	b.slots, err = moreSlots(b.dev, b.mem, b.slots, want, b.treeBytes())
	return len(b.slots), err
}

// treeBytes is the size of the array of the piece's parents.
func (b *deviceBlock) treeBytes() int64 { return 4 * max(b.Piece.Vertices, 1) }

// KeepTree copies the piece of the last tree to a slot, where the next search leaves it alone.
func (b *deviceBlock) KeepTree(slot int) error {
	return keepSlot(b.dev, b.slots, slot, b.tree, b.treeBytes())
}

// slotTree is the array of a slot.
func (b *deviceBlock) slotTree(s *slot) buffer {
	if s.parent != 0 {
		return s.parent
	}
	return b.tree
}

// Tree copies the piece of a slot's tree to the host, and returns the root.
func (b *deviceBlock) Tree(slot int, dst []uint32) (root uint32, err error) {
	from, err := filledSlot(b.slots, slot)
	if err == nil && int64(len(dst)) != b.Piece.Vertices {
		err = fmt.Errorf("gpu: room for %d parents of a piece of %d vertices", len(dst), b.Piece.Vertices)
	}
	if err != nil {
		return 0, err
	}
	if len(dst) > 0 {
		err = b.dev.read(bytesOf(dst), b.slotTree(from), 0)
	}
	return uint32(from.root), err
}

// LoadTree puts the piece of a tree into a slot, right or wrong, so that VerifyTree can check
// trees of other origin.
func (b *deviceBlock) LoadTree(slot int, root hops.Vertex, piece []uint32) error {
	to, err := slotAt(b.slots, slot)
	if err != nil {
		return err
	}
	to.root, to.filled = root, true
	return b.dev.write(b.slotTree(to), 0, bytesOf(piece))
}

// ShowTree copies the piece of a slot's tree to the region Whole, so many bytes from its
// beginning.
func (b *deviceBlock) ShowTree(slot int, at int64) error {
	from, err := filledSlot(b.slots, slot)
	if err != nil || b.Piece.Vertices == 0 {
		return err
	}
	return b.dev.copy(b.region[block.Whole], at, b.slotTree(from), 0, 4*b.Piece.Vertices)
}

// VerifyTree validates the tree of a slot, all of which is in the region Whole. All ranks call
// it, and get what Searcher.VerifyOnDevice returns.
func (b *deviceBlock) VerifyTree(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error) {
	t, err := filledSlot(b.slots, slot)
	if err != nil {
		return nil, 0, 0, err
	}
	return b.verifier.verifyTree(ctx, t.root, b.region[block.Whole])
}

// Joined tells which of some vertices have an edge to another vertex. All ranks call it.
func (b *deviceBlock) Joined(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	return b.verifier.joinedTo(ctx, candidates)
}
