package grid

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

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
	Pack(r Region, part Span) error
	PackedBytes(r Region) (int64, error)
	// Unpack makes a part of a bitmap of what has arrived, so many bytes from the beginning.
	Unpack(r Region, part Span, at int64) error
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

// FindMaker returns the Maker of the rank that has the number local among so many of its
// host, and of all ranks. It is nil if threads are to make the block and Attach is to put it
// on the device, as where the edges come from a file. All ranks do the same.
type FindMaker func(src hops.Source, local, onHost, ranks int) (Maker, error)

// A rank and its Accelerator exchange these; package block has the fields.
type (
	Block   = block.Block
	Lines   = block.Lines
	Region  = block.Region
	Root    = block.Root
	Pass    = block.Pass
	Counts  = block.Counts
	Reducer = block.Reducer
	Made    = block.Made
)

// Attach puts a block on a device. The rank has the number local on its host. All ranks of
// a process call it at once. The rows and columns are the rank's again when it returns.
type Attach func(b Block, local int) (Accelerator, error)

// onDevice searches the block on a device. The host sees the counts of a level, and with
// an indirect way also what ranks tell each other.
type onDevice struct {
	*machine
	accelerator Accelerator
	block       Block // without what only Attach reads
	column, row way
	all         way // between all ranks; nil before the first validation
	exchange    string
	front, next Region
	// parts of the rows of blocks, in bytes: of the parents, the pieces of all ranks of
	// the row, and where their parents of this rank's piece are in the inbox
	pieces, inbox []rank.Span
	packs         struct{ row, column bool } // what their ranks tell each other

	taken    int64 // bytes that the device has read in the memory of others
	busBytes int64 // of the ways until the level before
	direct   int64
}

// attach puts the block on a device and finds the ways to the devices of other ranks.
func attach(m *machine, attach Attach, exchange string) (*onDevice, error) {
	d := &onDevice{machine: m, block: m.describe(), exchange: exchange}
	if m.keeps() {
		d.block.Vertices = int64(m.N)
	}
	var err error
	if m.maker != nil {
		d.accelerator, err = m.maker.Attach(d.block)
	} else {
		d.accelerator, err = attach(d.block, m.Hosts.Local)
	}
	if err != nil {
		return nil, err
	}
	d.block.Rows, d.block.Columns, d.block.Home = Lines{}, Lines{}, nil
	if m.maker == nil {
		arena.Free(&m.Memory, m.block.rows.entries)
		m.block.columns.free(&m.Memory)
	}
	d.layParents()
	if d.column, err = d.chooseWay(m.column, exchange); err == nil {
		d.row, err = d.chooseWay(m.row, exchange)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	d.choosePacking()
	return d, nil
}

// describe is the block as devices want it.
func (m *machine) describe() Block {
	lo, hi := m.piece()
	first, end := m.Parts.Rank(m.Comm.Rank())
	b := Block{
		Home: m.block.home, Width: m.numbered(), Height: int64(m.count), Ranks: m.columns, Me: m.j, ColumnRanks: m.rows,
		Piece: block.Piece{Row: lo, Column: m.inParts[m.i].Lo / 8, Words: hi - lo, Vertices: int64(end - first)},
		Out:   m.out, Labels: m.numbers.labels, Shift: m.Parts.Shift, First: m.first, Wide: m.Wide,
	}
	if m.maker == nil {
		b.Rows, b.Columns = m.block.rows.lines(), m.block.columns.lines()
	}
	return b
}

// lines are the full rows as devices want them.
func (s *sparseRows) lines() Lines {
	l := Lines{Numbers: make([]uint32, 0, s.count()), Offsets: make([]int64, 1, s.count()+1), Entries: s.entries}
	for v := range s.full.All {
		_, end := s.span(uint32(v)>>6, uint32(v)&63)
		l.Numbers, l.Offsets = append(l.Numbers, uint32(v)), append(l.Offsets, end)
	}
	return l
}

// layParents finds where the parents of the pieces are.
func (d *onDevice) layParents() {
	base := int64(bitset.Words(int64(d.first)))
	for j := range d.columns {
		lo, hi := d.Parts.Words(d.i*d.columns + j)
		d.pieces = append(d.pieces, rank.Span{Lo: 4 * 64 * (lo - base), Hi: 4 * 64 * (hi - base)})
		each := d.block.InboxBytes()
		d.inbox = append(d.inbox, rank.Span{Lo: int64(j) * each, Hi: int64(j+1) * each})
	}
}

func (d *onDevice) seed(root uint64) error {
	d.front, d.next = block.Front, block.NextFront
	at := Root{Column: block.NoParent, Row: block.NoParent, Place: block.NoParent, Label: uint32(root)}
	first, end := d.Parts.Rank(d.Comm.Rank())
	if first <= root && root < end {
		at.Place = uint32(root - first)
		at.Column = d.numbers.of(root)
	}
	if root-d.first < uint64(d.count) {
		at.Row = uint32(root - d.first)
	}
	if err := d.accelerator.Begin(at); err != nil {
		return err
	}
	if d.packs.column {
		if err := d.accelerator.Pack(d.front, d.inParts[d.i]); err != nil {
			return err
		}
	}
	return d.accelerator.Sync() // others read the frontier once all ranks have met
}

// gather gathers the frontier. All ranks have met since they made it.
func (d *onDevice) gather() error {
	if d.packs.column {
		return d.column.gatherPacked(d.front, d.inParts, true)
	}
	return d.column.gather(d.front, d.inParts, true)
}

func (d *onDevice) search(direction level.Direction) error {
	p := Pass{TopDown: direction == level.TopDown, Front: d.front, Found: block.Found}
	switch {
	case d.found.two && d.found.pass == 0:
		p.Asked = block.Home
	case d.found.two:
		p.Asked, p.Found = block.Abroad, block.FoundLater
	}
	return d.accelerator.Explore(p)
}

func (d *onDevice) gatherRow(int64) error {
	found := block.Found + Region(d.found.pass)
	if !d.packs.row {
		return d.row.gather(found, d.outParts, false)
	}
	if err := d.accelerator.Pack(found, d.outParts[d.j]); err != nil {
		return err
	}
	return d.row.gatherPacked(found, d.outParts, false)
}

func (d *onDevice) admit() error { return d.accelerator.Admit() }

func (d *onDevice) unite() error {
	c, err := d.accelerator.Unite(d.next, d.found.two, d.packs.column)
	d.taken += c.Taken
	d.front, d.next = d.next, d.front
	t := &d.bands[0].tally
	t.found, t.edges, t.examined = c.Found, c.Edges, c.Examined
	return err
}

// tell brings the parents of all pieces to their owners, in the memory of devices.
func (d *onDevice) tell() error {
	if err := d.row.exchange(block.Parents, d.pieces, block.Inbox, d.inbox); err != nil {
		return err
	}
	if !d.Wide {
		if err := d.accelerator.Adopt(); err != nil {
			return err
		}
	}
	if err := d.accelerator.Sync(); err != nil {
		return err
	}
	return d.row.settle() // no rank changes parents while others read them
}

// complete copies the parents of the piece to the tree.
func (d *onDevice) complete() error {
	first, end := d.Parts.Rank(d.Comm.Rank())
	if first == end {
		return nil
	}
	if !d.Wide {
		return d.copyTree(0, d.tree)
	}
	marks := make([]uint32, end-first)
	for j := range d.columns {
		region, at := block.Inbox, d.inbox[j].Lo
		if j == d.j {
			region, at = block.Parents, d.pieces[j].Lo
		}
		if err := d.accelerator.Read(arena.Bytes(marks), region, at); err != nil {
			return err
		}
		for v, mark := range marks {
			if mark != block.NoParent {
				d.tree.SetParent(hops.Vertex(first)+hops.Vertex(v), hops.Vertex(d.numbers.label(j, mark)))
			}
		}
	}
	return nil
}

// moved is what the ways have moved since the last time: through the bus to the memory of
// the host and back, and from device to device.
func (d *onDevice) moved() (bus, direct int64) {
	b, t := d.column.moved()
	b2, t2 := d.row.moved()
	all := t + t2 + d.taken
	bus, direct = b+b2-d.busBytes, all-d.direct
	d.busBytes, d.direct = b+b2, all
	return bus, direct
}

func (d *onDevice) close() {
	for _, w := range []way{d.column, d.row, d.all} {
		if w != nil {
			w.close()
		}
	}
	_ = d.accelerator.Close()
}
