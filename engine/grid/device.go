package grid

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// onDevice searches the block on a device. The host sees the counts of a level, and with
// an indirect way also what ranks tell each other.
type onDevice struct {
	*machine
	accelerator block.Accelerator
	block       block.Block // without what only Attach reads
	column, row way
	all         way // between all ranks; nil before the first validation
	exchange    string
	front, next block.Region
	// parts of the rows of blocks, in bytes: of the parents, the pieces of all ranks of
	// the row, and where their parents of this rank's piece are in the inbox
	pieces, inbox []rank.Span
	packs         struct{ row, column bool } // what their ranks tell each other

	taken    int64 // bytes that the device has read in the memory of others
	busBytes int64 // of the ways until the level before
	direct   int64
}

// attach puts the block on a device and finds the ways to the devices of other ranks.
func attach(m *machine, on block.Devices, exchange string) (*onDevice, error) {
	d := &onDevice{machine: m, block: m.describe(), exchange: exchange}
	if m.keeps() {
		d.block.Vertices = int64(m.N)
	}
	var err error
	if m.maker != nil {
		d.accelerator, err = m.maker.Attach(d.block)
	} else {
		d.accelerator, err = on.Attach(d.block, m.Hosts.Local)
	}
	if err != nil {
		return nil, err
	}
	d.block.Rows, d.block.Columns, d.block.Home = block.Lines{}, block.Lines{}, nil
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
func (m *machine) describe() block.Block {
	lo, hi := m.piece()
	first, end := m.Parts.Rank(m.Comm.Rank())
	b := block.Block{
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
func (s *sparseRows) lines() block.Lines {
	l := block.Lines{Numbers: make([]uint32, 0, s.count()), Offsets: make([]int64, 1, s.count()+1), Entries: s.entries}
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
	at := block.Root{Column: block.NoParent, Row: block.NoParent, Place: block.NoParent, Label: uint32(root)}
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
	p := block.Pass{TopDown: direction == level.TopDown, Front: d.front, Found: block.Found}
	switch {
	case d.found.two && d.found.pass == 0:
		p.Asked = block.Home
	case d.found.two:
		p.Asked, p.Found = block.Abroad, block.FoundLater
	}
	return d.accelerator.Explore(p)
}

func (d *onDevice) gatherRow(int64) error {
	found := block.Found + block.Region(d.found.pass)
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
