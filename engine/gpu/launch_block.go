package gpu

import "github.com/gohops/hops/internal/block"

// Typed launches of the kernels that search a block of a matrix (block.cu).

func (k kernels) blockBegin(b *Block, root Root) error {
	items := max(32*b.words(), b.Piece.Vertices, b.Width/32)
	return k.launch("block_begin", k.covering(items, 256), mem(b.region[block.Front]), u32(b.Width/32), mem(b.visited[0]), u32(b.words()),
		mem(b.parent), mem(b.tree), u32(b.Piece.Vertices), u32(root.Column), u32(root.Row), u32(root.Place), u32(root.Label))
}

// blockQueue queues the columns that are in the frontier, and makes found what is visited:
// rowWords words.
func (s *state) blockQueue(front, found buffer, place, rowWords int64) error {
	return s.launch("block_queue", s.grid, mem(front), mem(found), u64(place), u32(rowWords))
}

// blockExpand finds the rows of the columns whose records stepCut has made.
func (s *state) blockExpand(found buffer, place int64) error {
	return s.launch("block_expand", s.grid, mem(found), u64(place))
}

// blockBottomUp looks along the rows that are not visited and asked for, or along all.
func (s *state) blockBottomUp(front, asked buffer, all bool, found buffer, place int64) error {
	return s.launch("block_bottom_up", s.grid, mem(front), mem(asked), boolean(all), mem(found), u64(place))
}

// blockHeavyScan looks along the rows that blockBottomUp left to the whole grid.
func (s *state) blockHeavyScan(front, found buffer, place int64) error {
	return s.launch("block_heavy_scan", s.grid, mem(front), mem(found), u64(place))
}

// blockAdmit marks what the first pass has found as visited.
func (k kernels) blockAdmit(b *Block) error {
	return k.launch("block_admit", k.covering(b.words(), 256), mem(b.region[block.Found]), u32(b.Ranks), u32(b.words()), mem(b.visited[0]), mem(b.control))
}

// uniteArgs say what to unite, and where the piece is.
type uniteArgs struct {
	found, earlier buffer
	two            bool
	next           buffer
	reply          reply
	*Block
}

// blockUnite unites what the ranks of the row have found.
func (s *state) blockUnite(a uniteArgs) error {
	return s.launch("block_unite", s.covering(int64(s.words()), 256), mem(a.found), mem(a.earlier), boolean(a.two), u32(a.Ranks), u32(a.Me),
		mem(a.next), u32(2*a.Piece.Row), u32(2*a.Piece.Words), u32(2*a.Piece.Column), mem(a.edgesOut), boolean(a.directed), u32(a.Stride()),
		mem(a.reply.at), u32(a.reply.words), u32(a.reply.ticket))
}

// blockAdopt translates the parents of the piece.
func (k kernels) blockAdopt(b *Block) error {
	return k.launch("block_adopt", k.covering(b.Piece.Vertices, 256), mem(b.parent), u64(64*b.Piece.Row),
		mem(b.region[block.Inbox]), u64(b.InboxBytes()/4), u32(b.Ranks), u32(b.Me), mem(b.labels), u32(b.granules), u32(uint32(b.Shift)),
		mem(b.tree), u32(b.Piece.Vertices))
}
