package grid

import (
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/level"
)

// An Accelerator has a block of the matrix and searches it. Bitmaps of rows are those
// of all rows of the block, from 0; the frontier is by column.
type Accelerator interface {
	// Front sets words of the frontier, from the given one on.
	Front(first int64, words []uint64) error
	// TopDown finds the rows that columns of the frontier lead to and that are
	// not in visited; BottomUp those that are not in closed and have a column in
	// the frontier. Both return the number of entries that they looked at.
	TopDown(visited, out []uint64) (examined int64, err error)
	BottomUp(closed, out []uint64) (examined int64, err error)
	// Parents returns a parent of each row that was found, the one of the last
	// time.
	Parents(dst []uint32) error
	Close() error
}

// Lines are the rows or the columns of a block that are not empty: number k has
// Entries[Offsets[k]:Offsets[k+1]]. Rows and columns are numbered from 0.
type Lines struct {
	Numbers []uint32
	Offsets []int64
	Entries []uint32
}

// Attach puts a block with count rows and n columns on a device. The rank
// has the number local on its host. All ranks of a process call it at once.
type Attach func(rows, columns Lines, n, count int64, local int) (Accelerator, error)

// onDevice searches the block on a device; all other work of a level stays on the host.
type onDevice struct {
	*machine
	accelerator Accelerator
	closed      bitset.Set
	// direct, if not nil, gathers the frontier of the column from device to device.
	direct func() error
}

// attach puts the block on a device.
func attach(m *machine, attach Attach) (*onDevice, error) {
	rows, columns := &m.block.rows, &m.bands[0].columns
	numbers := make([]uint32, 0, len(rows.offsets)-1)
	for v := range rows.full.All {
		numbers = append(numbers, uint32(v))
	}
	accelerator, err := attach(
		Lines{numbers, rows.offsets, rows.entries},
		Lines{columns.numbers, columns.offsets, columns.entries},
		m.numbered(), int64(m.count), m.Hosts.Local,
	)
	if err != nil {
		return nil, err
	}
	d := &onDevice{machine: m, accelerator: accelerator, closed: make(bitset.Set, len(rows.full))}
	if err := d.findDirectWay(); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// gather gathers from device to device, or on the host, whence every rank puts the
// frontier of the whole column on its device.
func (d *onDevice) gather() error {
	if d.direct != nil {
		if err := d.put(d.i); err != nil {
			return err
		}
		return d.direct()
	}
	if err := (onThreads{d.machine}).gather(); err != nil {
		return err
	}
	for i := range d.inParts {
		if err := d.put(i); err != nil {
			return err
		}
	}
	return nil
}

// put puts the piece of a rank of the column on the device.
func (d *onDevice) put(i int) error {
	piece := d.inParts[i]
	return d.accelerator.Front(piece.Lo/8, d.frontier.in[piece.Lo/8:piece.Hi/8])
}

func (d *onDevice) search(direction level.Direction) (err error) {
	looked := int64(0)
	if direction == level.TopDown {
		looked, err = d.accelerator.TopDown(d.found.visited, d.mine(0))
	} else {
		for i := range d.closed {
			d.closed[i] = d.found.visited[i] | ^d.asked(int64(i))
		}
		looked, err = d.accelerator.BottomUp(d.closed, d.mine(d.found.pass))
	}
	d.bands[0].tally.examined += looked
	return err
}

// mark copies the parents that the device has found.
func (d *onDevice) mark() (fresh bool, err error) {
	return true, d.accelerator.Parents(d.marks()[:d.count])
}

func (d *onDevice) close() { _ = d.accelerator.Close() }
