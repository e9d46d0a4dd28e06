package gpu

import (
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Pack packs this rank's part of a bitmap for others, in the order of what the device is told.
// It packs what a row has found, without what was visited before.
func (b *deviceBlock) Pack(r block.Region, part rank.Span) error { return b.pack(r, part, reply{}) }

// pack also lets the device answer with its counts, unless the reply is empty.
func (b *deviceBlock) pack(r block.Region, part rank.Span, answer reply) error {
	except := buffer(0)
	if r == block.Found || r == block.FoundLater {
		except = b.visited[0]
	}
	return b.bitsPack(b.region[r], part.Lo/4, part.Size()/4, except, b.region[r.Packed()], b.control, answer)
}

// PackedBytes is the length of what was last packed of a region. It waits for that.
func (b *deviceBlock) PackedBytes(r block.Region) (int64, error) {
	var head [4]uint32
	err := b.dev.read(bytesOf(head[:]), b.region[r.Packed()], 0)
	return 4 * int64(head[2]), err
}

// Unpack makes a part of a bitmap of what has arrived.
func (b *deviceBlock) Unpack(r block.Region, part rank.Span, at int64) error {
	return b.bitsUnpack(b.region[block.Arrived], at/4, b.region[r], part.Lo/4, part.Size()/4, b.control, false)
}

// Apart tells whether a neighbor is on another device. Processes of a host see the same devices.
func (b *deviceBlock) Apart(from int) bool { return b.peers[from].apart }

// Take makes a part of a bitmap of what a neighbor has packed, which it reads there. The
// neighbor must have finished that.
func (b *deviceBlock) Take(r block.Region, part rank.Span, from int) error {
	return b.bitsUnpack(b.peers[from].region[r.Packed()], 0, b.region[r], part.Lo/4, part.Size()/4, b.control, true)
}
