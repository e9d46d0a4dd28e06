package gpu

import "github.com/gohops/hops/internal/ranks/block"

// Typed launches of the kernels that search a block of a matrix (block.cu).

func (k kernels) blockBegin(b *deviceBlock, root block.Root) error {
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

// blockExtremeScan looks along the rows that blockBottomUp left to the whole grid.
func (s *state) blockExtremeScan(front, found buffer, place int64) error {
	return s.launch("block_extreme_scan", s.grid, mem(front), mem(found), u64(place))
}

// blockAdmit marks what the first pass has found as visited.
func (k kernels) blockAdmit(b *deviceBlock) error {
	return k.launch("block_admit", k.covering(b.words(), 256), mem(b.region[block.Found]), u32(b.Ranks), u32(b.words()), mem(b.visited[0]), mem(b.control))
}

// uniteArgs say what to unite, and where the piece is.
type uniteArgs struct {
	found, earlier buffer
	two            bool
	next           buffer
	reply          reply
	*deviceBlock
}

// blockUnite unites what the ranks of the row have found.
func (s *state) blockUnite(a uniteArgs) error {
	return s.launch("block_unite", s.covering(int64(s.words()), 256), mem(a.found), mem(a.earlier), boolean(a.two), u32(a.Ranks), u32(a.Me),
		mem(a.next), u32(2*a.Piece.Row), u32(2*a.Piece.Words), u32(2*a.Piece.Column), mem(a.edgesOut), boolean(a.directed), u32(a.Stride()),
		mem(a.reply.at), u32(a.reply.words), u32(a.reply.ticket))
}

// bitsPack packs so many words of a bitmap, without the bits of another one unless that is 0.
func (k kernels) bitsPack(bits buffer, place, words int64, except, packed, control buffer, answer reply) error {
	excepts := except != 0
	if !excepts {
		except = bits
	}
	return k.launch("bits_pack", k.chunks(words), mem(bits), u64(place), u32(words), mem(except), boolean(excepts), mem(packed),
		mem(control), mem(answer.at), u32(answer.words), u32(answer.ticket))
}

// bitsUnpack unpacks what begins at some word of packed. counts: the bytes that it reads are
// counted in the control.
func (k kernels) bitsUnpack(packed buffer, start int64, bits buffer, place, words int64, control buffer, counts bool) error {
	return k.launch("bits_unpack", k.chunks(words), mem(packed), u64(start), mem(bits), u64(place), u32(words), mem(control), boolean(counts))
}

// chunks is a grid with a block for each chunk of a bitmap: CHUNK in pack.cu.
func (k kernels) chunks(words int64) shape {
	const chunkWords = 2048
	return shape{blocks: int(max(1, min((words+chunkWords-1)/chunkWords, maxBlocks))), threads: k.dev.threads(256)}
}

// blockAdopt translates the parents of the piece.
func (k kernels) blockAdopt(b *deviceBlock) error {
	return k.launch("block_adopt", k.covering(b.Piece.Vertices, 256), mem(b.parent), u64(64*b.Piece.Row),
		mem(b.region[block.Inbox]), u64(b.InboxBytes()/4), u32(b.Ranks), u32(b.Me), mem(b.labels), u32(b.granules), u32(uint32(b.Shift)),
		mem(b.tree), u32(b.Piece.Vertices))
}

// blockLengths adds the entries of n edges to the lengths of the rows and columns.
func (k kernels) blockLengths(edges buffer, n int64, of blockMap, rows, columns buffer) error {
	return k.launch("block_lengths", k.covering(n, 256), mem(edges), u64(n), boolean(of.directed), u32(of.first), u32(of.height), mem(of.above), u32(of.shift),
		mem(rows), mem(columns))
}

// blockScatter puts the entries of n edges into the rows, or into the columns; cursor counts
// those of each.
func (g *graph) blockScatter(edges buffer, n int64, of blockMap, columns bool, cursor buffer) error {
	return g.launch("block_scatter", g.covering(n, 256), mem(edges), u64(n), boolean(of.directed), u32(of.first), u32(of.height), mem(of.above), u32(of.shift),
		boolean(columns), mem(cursor))
}

// blockDegrees finds the degrees of count numbers.
func (k kernels) blockDegrees(degree buffer, n uint32, above buffer, shift uint32, of buffer, count uint32) error {
	return k.launch("block_degrees", k.covering(int64(count), 256), mem(degree), u32(n), mem(above), u32(shift), mem(of), u32(count))
}

// blockMade tells the lengths of the rows and the degrees of their first entries.
func (g *graph) blockMade(degree, made buffer, height uint32) error {
	return g.launch("block_made", g.covering(int64(height), 256), mem(degree), mem(made), u32(height))
}
