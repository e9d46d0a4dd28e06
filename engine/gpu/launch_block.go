package gpu

import "github.com/gohops/hops/internal/block"

// Typed launches of the kernels that search a block of a matrix (block.cu).

func (k kernels) blockBegin(b *Block, root block.Root) error {
	items := max(32*b.words(), b.Piece.Vertices, b.Width/32)
	return k.launch("block_begin", k.covering(items, 256), mem(b.region[block.Front]), u32(b.Width/32), mem(b.visited), u32(b.words()),
		mem(b.region[block.Parents]), mem(b.tree), u32(b.Piece.Vertices), u32(root.Column), u32(root.Row), u32(root.Place), u32(root.Label))
}

// place is where this rank's words of what the row has found begin.
func (b *Block) place() int64 { return int64(b.Me) * b.words() }

// blockClear clears what this rank has found in a pass.
func (k kernels) blockClear(b *Block, found block.Region) error {
	return k.launch("block_clear", k.covering(b.words(), 256), mem(b.region[found]), u64(b.place()), u32(b.words()))
}

// blockTopDown follows the columns that are in the frontier.
func (k kernels) blockTopDown(b *Block, p block.Pass) error {
	l := b.columns
	return k.launch("block_top_down", k.covering(int64(l.count), 256), mem(l.numbers), mem(l.offsets), mem(l.entries), u32(l.count),
		mem(b.region[p.Front]), mem(b.visited), mem(b.region[p.Found]), u64(b.place()), mem(b.region[block.Parents]), mem(b.counts))
}

// blockBottomUp looks along the rows that are not visited and asked for.
func (k kernels) blockBottomUp(b *Block, p block.Pass) error {
	l := b.rows
	return k.launch("block_bottom_up", k.covering(int64(l.count), 256), mem(l.numbers), mem(l.offsets), mem(l.entries), u32(l.count),
		mem(b.region[p.Front]), mem(b.visited), mem(b.home), u32(uint32(p.Asked)), mem(b.region[p.Found]), u64(b.place()),
		mem(b.region[block.Parents]), mem(b.counts))
}

// blockAdmit marks what the first pass has found as visited.
func (k kernels) blockAdmit(b *Block) error {
	return k.launch("block_admit", k.covering(b.words(), 256), mem(b.region[block.Found]), u32(b.Ranks), u32(b.words()), mem(b.visited))
}

// blockUnite unites what the ranks of the row have found.
func (k kernels) blockUnite(b *Block, next block.Region, two bool) error {
	last := block.Found
	if two {
		last = block.FoundLater
	}
	return k.launch("block_unite", k.covering(b.words(), 256), mem(b.region[last]), mem(b.region[block.Found]), boolean(two),
		u32(b.Ranks), u32(b.Me), u32(b.words()), mem(b.visited), mem(b.region[block.Parents]), mem(b.region[next]),
		u32(2*b.Piece.Row), u32(2*b.Piece.Words), u32(2*b.Piece.Column), mem(b.index), mem(b.rows.offsets), mem(b.out),
		boolean(b.directed), u32(b.Stride()), mem(b.counts))
}

// blockAdopt translates the parents of the piece.
func (k kernels) blockAdopt(b *Block) error {
	return k.launch("block_adopt", k.covering(b.Piece.Vertices, 256), mem(b.region[block.Parents]), u64(64*b.Piece.Row),
		mem(b.region[block.Inbox]), u64(b.InboxBytes()/4), u32(b.Ranks), u32(b.Me), mem(b.labels), u32(b.granules), u32(uint32(b.Shift)),
		mem(b.tree), u32(b.Piece.Vertices))
}
