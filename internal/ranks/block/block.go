// Package block is what the ranks of a grid and the devices that search their blocks tell
// each other: the block itself, the memory of a device that other ranks read, and the
// passes and counts of a level.
package block

// A Block is the block of the adjacency matrix that one rank of a grid has. Its columns
// are numbered below Width, a multiple of 64, and its rows below Height.
type Block struct {
	Rows, Columns Lines
	// Home has a bit for every row: it is asked for in the first of two passes.
	Home          []uint64
	Width, Height int64
	Ranks, Me     int // ranks of the row of blocks, and the number of this one
	ColumnRanks   int // ranks of the column of blocks
	Piece         Piece
	// Out has, in a directed graph, the edges out of each vertex of the piece. nil: the
	// graph is undirected.
	Out []uint32
	// The label of number x in the column of rank j is x + Labels[j][x>>Shift].
	Labels [][]uint64
	Shift  uint
	First  uint64 // the label of row 0; labels of rows are contiguous
	Wide   bool   // labels take 64 bits: Adopt is not called
	// Vertices is the number of vertices of the graph, if devices are to validate trees; 0:
	// they are not.
	Vertices int64
}

// Lines are the rows or the columns of a block that are not empty: number Numbers[k] has
// Entries[Offsets[k]:Offsets[k+1]].
type Lines struct {
	Numbers []uint32
	Offsets []int64
	Entries []uint32
}

// Longest is the number of entries of the longest of the lines.
func (l *Lines) Longest() (longest int64) {
	for k := range l.Numbers {
		longest = max(longest, l.Offsets[k+1]-l.Offsets[k])
	}
	return longest
}

// A Made is what the host must know of the rows that a device has made: the number of
// entries of each row, and the degree of the first, 0 where there is none.
type Made []struct{ Length, Head uint32 }

// A Piece is the vertices that this rank owns, which are rows of its block and columns of
// it too. Numbers are in words of 64 vertices.
type Piece struct {
	Row, Column, Words int64
	Vertices           int64
}

// A Region is memory of a device that other ranks read.
type Region int

const (
	// Front and NextFront are the frontier of the column and the one after it, a bit for
	// each column.
	Front Region = iota
	NextFront
	// Found and FoundLater are what each rank of the row has found, in the first and in the
	// second pass of a level: a bit for each row, the bitmaps one after the other.
	Found
	FoundLater
	// Parents has for each row the number of its parent in the column of this rank, or
	// NoParent where another rank has found the row or none.
	Parents
	// Inbox has Parents of the rows of the piece, from each rank of the row.
	Inbox
	// Whole has the tree of all vertices while it is validated.
	Whole
	// PackedFront and those that follow have the part of this rank of the first four regions
	// in its short form (packed.go).
	PackedFront
	PackedNextFront
	PackedFound
	PackedFoundLater
	// Arrived has the short forms that other ranks have sent.
	Arrived
	Regions
)

// NoParent is the parent of a row that this rank has not found.
const NoParent = ^uint32(0)

// A Root is where the root of a search is: its numbers among the columns, the rows and the
// vertices of the piece, NoParent where it is elsewhere, and its label.
type Root struct{ Column, Row, Place, Label uint32 }

// FoundBytes is the size of the bitmap of what one rank has found.
func (b *Block) FoundBytes() int64 { return 8 * b.words() }

func (b *Block) words() int64 { return (b.Height + 63) / 64 }

// InboxBytes is the size of the parents that one rank has for the piece.
func (b *Block) InboxBytes() int64 { return 4 * 64 * b.Piece.Words }

// Bytes is the size of a region.
func (b *Block) Bytes(r Region) int64 {
	switch r {
	case Front, NextFront:
		return b.Width / 8
	case Found, FoundLater:
		return b.FoundBytes() * int64(b.Ranks)
	case Parents:
		return 4 * 64 * b.words()
	case Whole:
		return 4 * 64 * ((b.Vertices + 63) / 64)
	case PackedFront, PackedNextFront:
		return PackedMost(8 * b.Piece.Words)
	case PackedFound, PackedFoundLater:
		return PackedMost(b.FoundBytes())
	case Arrived:
		return max(PackedMost(b.FoundBytes())*int64(b.Ranks), PackedMost(b.Width/8)+PackedMost(1)*int64(b.ColumnRanks))
	}
	return b.InboxBytes() * int64(b.Ranks)
}

// Asked says which rows are asked for in a pass.
type Asked uint32

const (
	All    Asked = iota
	Home         // as in Block.Home
	Abroad       // the others
)

// A Pass finds rows that are not visited, that are asked for and that have a column in a
// frontier. Top-down all rows are asked for.
type Pass struct {
	TopDown bool
	Asked   Asked
	Front   Region
	Found   Region // receives the bitmap, at the place of this rank
}

// Counts are what a device counts in a level.
type Counts struct {
	Found    int64 // vertices of the piece in the next frontier
	Edges    int64 // entries of the block in rows of the next frontier, or edges out of the piece's
	Examined int64 // entries that the passes looked at
	Taken    int64 // bytes of short forms that the device has read in the memory of others
}

// SampleEvery is the distance of the words of 64 rows that are looked up to estimate
// Counts.Edges, in a block of at least 64 times as many.
const SampleEvery = 32

// Stride is the distance of the words that are sampled.
func (b *Block) Stride() int64 {
	if b.words() >= 64*SampleEvery {
		return SampleEvery
	}
	return 1
}

// A Reducer is how ranks whose devices validate a tree together learn what all of them have
// counted. All call the same methods in the same order.
type Reducer interface {
	// Sum and Or reduce the numbers of all ranks, in place.
	Sum(v []uint64) error
	Or(v []uint64) error
}
