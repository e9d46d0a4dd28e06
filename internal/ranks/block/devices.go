package block

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Devices have the blocks of the ranks of this process. It is what engine grid takes and engine gpu
// makes; other modules see of it that it is there.
type Devices struct {
	// Attach puts a block on a device. The rank has the number local on its host. All ranks of
	// a process call it at once. The rows and columns are the rank's again when it returns.
	Attach func(b Block, local int) (Accelerator, error)
	// Maker returns the Maker of the rank that has the number local among so many of its
	// host, and of all ranks. It is nil if threads are to make the block and Attach is to put it
	// on the device, as where the edges are those of a file. All ranks do the same. Without the
	// function threads make all blocks.
	Maker func(src hops.Source, local, onHost, ranks int) (Maker, error)
}

// HaveBlocks is what tells Devices from other types.
func (Devices) HaveBlocks() {}

// An Accelerator has a block of the matrix and all bitmaps and parents of a search in the
// memory of a device. Its methods may return before the device is done: what they ask for
// is done in their order, and Unite, Tree, Read and Sync wait for it.
type Accelerator interface {
	// Begin clears the state of the last search.
	Begin(root Root) error
	// Explore runs a pass.
	Explore(p Pass) error
	// Admit marks what the row has found in the first of two passes as visited.
	Admit() error
	// Unite makes what the row has found, in one pass or in two, the next frontier of this
	// rank's piece, and packs that for others if it is to. It returns what was counted since the
	// last time.
	Unite(next Region, two, pack bool) (Counts, error)
	// Pack packs this rank's part of a bitmap for others: see packed.go. PackedBytes waits for
	// it, and returns the length.
	Pack(r Region, part rank.Span) error
	PackedBytes(r Region) (int64, error)
	// Unpack makes a part of a bitmap of what has arrived, so many bytes from the beginning.
	Unpack(r Region, part rank.Span, at int64) error
	// Adopt gives the vertices of the piece the labels of the parents in this rank's own
	// region and in its inbox.
	Adopt() error
	// Tree copies the parents of the piece to the host, of the tree in a slot, and returns its
	// root. Slot 0 has the last tree.
	Tree(slot int, dst []uint32) (root uint32, err error)
	// Read and Write copy between the host and a region.
	Read(dst []byte, from Region, at int64) error
	Write(to Region, at int64, src []byte) error
	Sync() error
	DeviceName() string
	Close() error
}

// A Pinner is an Accelerator that copies trees fastest to memory of its own.
type Pinner interface {
	Accelerator
	// Pinned returns such memory, which lives until the Accelerator is closed, or nil if any
	// memory will do.
	Pinned(bytes int64) ([]byte, error)
}

// A Maker is kernel 1 of a rank's block on its device. The device counts the edges at all
// vertices, the ranks divide these, and then it makes the rows and columns of its block.
type Maker interface {
	// Count fills lists of some vertices from first on: with the edges at each of them, loops
	// left out, and with those that lead out of it, unless out is nil.
	Count(ctx context.Context, first uint64, edges, out []uint32) error
	// Make makes the rows and columns of a block that has neither.
	Make(ctx context.Context, b Block) (Made, error)
	// Attach is what searches the block, which is now known in full. It comes last.
	Attach(b Block) (Accelerator, error)
	// Close ends a construction that was not completed.
	Close() error
}

// A Neighbor is an Accelerator that reads the memory of others by its address.
type Neighbor interface {
	Accelerator
	// Card describes its memory to others of the same host. All cards have one size.
	Card() ([]byte, error)
	// Meet opens the memory of a group of neighbors by their cards, of which number me is
	// its own. It returns the number of the first of them here, and how they are reached.
	Meet(cards [][]byte, me int, oneProcess bool) (first int, how string, err error)
	// Copy copies from a region of a neighbor, which has finished it.
	Copy(dst Region, at int64, from int, src Region, srcAt, bytes int64) error
	// Apart tells whether a neighbor has another device.
	Apart(from int) bool
	// Take makes a part of a bitmap of what a neighbor has packed of it, and finished.
	Take(r Region, part rank.Span, from int) error
}

// A Carrier is an Accelerator that joins groups which exchange by themselves.
type Carrier interface {
	Accelerator
	// CanJoin tells why it cannot, or nil.
	CanJoin() error
	// Secret makes the key by which the members of a group know each other.
	Secret() ([128]byte, error)
	// Join is called by all ranks of a group, which have these numbers in it.
	Join(secret [128]byte, me, ranks int) (group int, err error)
	// Send sends parts of a region to the members of a group and receives others.
	Send(group int, out Region, outParts []rank.Span, in Region, inParts []rank.Span) error
}

// An Addressed is an Accelerator whose memory an MPI may take.
type Addressed interface {
	Accelerator
	// Memory is a region where the device has it, or nil if that has no address. The host
	// does not touch it.
	Memory(r Region) []byte
	// Within calls f on a thread to which the memory belongs.
	Within(f func() error) error
}

// A Judge is an Accelerator that keeps pieces of trees in slots and validates whole trees.
type Judge interface {
	Accelerator
	// OpenVerifier readies it for validating trees by so many edges of the source from first
	// on. The others are those of other ranks.
	OpenVerifier(src hops.Source, first, count int64, all Reducer) error
	// Slots makes room for up to want pieces of trees, and returns for how many there is room.
	Slots(want int) (have int, err error)
	// KeepTree copies the piece of the last tree to a slot.
	KeepTree(slot int) error
	// ShowTree copies the piece of a slot's tree to the region Whole, so many bytes from its
	// beginning.
	ShowTree(slot int, at int64) error
	// VerifyTree validates the tree of a slot, all of which is in the region Whole. All ranks
	// call it, and get the same. Its error has a method InvalidTree if the tree is at fault.
	VerifyTree(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error)
	// Joined tells which vertices have an edge to another one. All ranks call it.
	Joined(ctx context.Context, candidates []hops.Vertex) ([]bool, error)
}
