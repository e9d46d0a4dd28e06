package gpu

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gohops/hops/internal/nccl"
)

// A Block is a block of an adjacency matrix on a device, for the ranks of a grid: each
// explores its block on a device and exchanges what it finds (kernels/block.cu). Ranks
// that share a device have a Block each.
//
// Bitmaps go through pinned memory of the host in both directions, a few bits for
// each vertex and level. The frontier may also come from other devices (blockpeers.go);
// parents stay on the device until they are asked for.
type Block struct {
	kernels
	mem           *memory
	rows, columns lines

	front, closed, out, parent, examined buffer

	words      int64 // of closed and out, of 64 bits
	frontBytes int64
	staged     []byte
	member     *nccl.Member // of the blocks that gather frontiers among themselves; nil: none
	parts      []nccl.Part
}

// opening lets the ranks of a process open devices one after the other: PoCL lists its
// devices at the first request and cannot serve two first requests at once.
var opening sync.Mutex

// Lines are the rows or the columns of a block that are not empty, line k being
// Numbers[k] with Entries[Offsets[k]:Offsets[k+1]].
type Lines struct {
	Numbers []uint32
	Offsets []int64
	Entries []uint32
}

type lines struct {
	numbers, offsets, entries buffer
	count                     uint32
}

// NewBlock puts a block on the device that the options name; other options are refused.
// Columns are numbered by labels below n and have rows as their entries, rows are
// numbered below count and have labels as their entries.
func NewBlock(rows, columns Lines, n, count int64, o Options) (*Block, error) {
	if err := o.checkBlock(); err != nil {
		return nil, err
	}
	o.blocks = true
	opening.Lock()
	d, err := open(&o)
	opening.Unlock()
	if err != nil {
		return nil, err
	}
	b := &Block{kernels: kernels{d}, mem: newMemory(d), words: (count + 63) / 64, frontBytes: 8 * ((n + 63) / 64)}
	if err := b.fill(rows, columns, (n+63)/64); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Block) fill(rows, columns Lines, frontWords int64) (err error) {
	b.front = b.mem.makeZero("frontier", frontWords, 8)
	b.closed = b.mem.make("closed vertices", b.words, 8)
	b.out = b.mem.make("vertices found", max(b.words, 1), 8)
	b.parent = b.mem.makeZero("parents", 64*b.words, 4)
	b.examined = b.mem.make("count", 1, 8)
	b.rows, b.columns = b.upload(rows), b.upload(columns)
	if b.mem.err != nil {
		return b.mem.err
	}
	b.staged, err = b.dev.pinned(8 * max(frontWords, b.words))
	return err
}

// upload copies lines to the device; errors are the memory's.
func (b *Block) upload(l Lines) lines {
	up := lines{count: uint32(len(l.Numbers))}
	for _, part := range []struct {
		to    *buffer
		bytes []byte
	}{
		{&up.numbers, bytesOf(l.Numbers)},
		{&up.offsets, bytesOf(l.Offsets)},
		{&up.entries, bytesOf(l.Entries)},
	} {
		*part.to = b.mem.make("lines of a block", int64(max(len(part.bytes), 8)), 1)
		if b.mem.err == nil {
			b.mem.err = b.dev.write(*part.to, 0, part.bytes)
		}
	}
	return up
}

// Front sets words of the frontier, from the given one on.
func (b *Block) Front(first int64, words []uint64) error {
	return b.write(b.front, 8*first, words)
}

func (b *Block) write(to buffer, offset int64, words []uint64) error {
	staged := b.staged[:copy(b.staged, bytesOf(words))]
	if len(staged) == 0 {
		return nil
	}
	return b.dev.write(to, offset, staged)
}

// TopDown finds the rows that the columns of the frontier lead to and that are not in
// visited. It returns how many entries it examined.
func (b *Block) TopDown(visited, out []uint64) (examined int64, err error) {
	return b.explore(kernels.blockTopDown, b.columns, visited, out)
}

// BottomUp finds the rows that are not in closed and have a column in the frontier.
func (b *Block) BottomUp(closed, out []uint64) (examined int64, err error) {
	return b.explore(kernels.blockBottomUp, b.rows, closed, out)
}

func (b *Block) explore(launch func(kernels, *Block) error, l lines, closed, out []uint64) (int64, error) {
	if int64(len(closed)) != b.words || int64(len(out)) != b.words {
		return 0, fmt.Errorf("gpu: bitmaps of %d and %d words for a block of %d", len(closed), len(out), b.words)
	}
	if err := b.write(b.closed, 0, closed); err != nil {
		return 0, err
	}
	if err := errors.Join(b.dev.zero(b.out, 8*max(b.words, 1)), b.dev.zero(b.examined, 8)); err != nil {
		return 0, err
	}
	if l.count > 0 {
		if err := launch(b.kernels, b); err != nil {
			return 0, err
		}
	}
	staged := b.staged[:8*b.words]
	if err := b.dev.read(staged, b.out, 0); err != nil {
		return 0, err
	}
	copy(bytesOf(out), staged)
	var looked [1]uint64
	err := b.dev.read(bytesOf(looked[:]), b.examined, 0)
	return int64(looked[0]), err
}

// Parents copies the parents of all rows. The parents of rows that were never found are
// undefined.
func (b *Block) Parents(dst []uint32) error {
	if int64(len(dst)) > 64*b.words {
		return fmt.Errorf("gpu: %d parents of a block of %d words", len(dst), b.words)
	}
	if len(dst) == 0 {
		return nil
	}
	return b.dev.read(bytesOf(dst), b.parent, 0)
}

// Close gives the memory and the device back.
func (b *Block) Close() error { return errors.Join(b.leave(), b.mem.close(), b.dev.Close()) }
