package grid

import (
	"github.com/gohops/hops/internal/rank"
)

// With devices, the frontier of a column can go from device to device: each rank
// puts its own piece on its device, and pieces are gathered along the column in the
// memory of the devices. That takes an MPI that can be given such addresses, or
// accelerators that can gather by themselves. Otherwise the host gathers.
//
// What a row has found is united by the host, which is told it through pinned
// memory in any case.

// A Direct is an accelerator whose frontier others can write.
type Direct interface {
	Accelerator
	// FrontMemory is the frontier where the device has it, from the first word on,
	// or nil if that has no address. The host does not touch it.
	FrontMemory() []byte
	// Within calls f on a thread to which the memory belongs.
	Within(f func() error) error
}

// A Carrier is an accelerator that gathers frontiers by itself.
type Carrier interface {
	Accelerator
	// CanMeet tells why it cannot gather, or nil.
	CanMeet() error
	// Secret makes the key by which the accelerators of a column know each other, one
	// of them for all.
	Secret() ([128]byte, error)
	// Meet is called by all ranks of a column, which have these numbers in it.
	Meet(secret [128]byte, me, ranks int) error
	// Carry gathers the parts of the frontier, in bytes, one of each rank.
	Carry(parts []Span) error
}

// findDirectWay finds the way of the frontier, the same for all ranks.
func (d *onDevice) findDirectWay() error {
	if direct, ok := d.accelerator.(Direct); ok && direct.FrontMemory() != nil && takesDevices(d.column) {
		d.direct = func() error {
			return direct.Within(func() error { return d.column.Gather(direct.FrontMemory(), d.inParts) })
		}
	}
	if err := d.agreeOnWay(); err != nil || d.direct != nil {
		return err
	}
	return d.meet()
}

// meet lets the accelerators of the column find each other, if all ranks have Carriers.
func (d *onDevice) meet() error {
	carrier, ok := d.accelerator.(Carrier)
	if ok && carrier.CanMeet() == nil {
		d.direct = func() error { return carrier.Carry(d.inParts) }
	}
	if err := d.agreeOnWay(); err != nil || d.direct == nil {
		return err
	}
	me, ranks := d.column.Rank(), d.column.Size()
	secret := new([128]byte)
	if me == 0 {
		var err error
		if *secret, err = carrier.Secret(); err != nil {
			d.direct = nil
		}
	}
	if err := d.agreeOnWay(); err != nil || d.direct == nil {
		return err
	}
	first := make([]rank.Span, ranks)
	first[0].Hi = int64(len(secret))
	if err := d.column.Gather(secret[:], first); err != nil {
		return err
	}
	if err := carrier.Meet(*secret, me, ranks); err != nil {
		d.direct = nil
	}
	return d.agreeOnWay()
}

// agreeOnWay gives the direct way up unless all ranks have it.
func (d *onDevice) agreeOnWay() error {
	without := []uint64{0}
	if d.direct == nil {
		without[0] = 1
	}
	err := rank.Reduced(d.Comm, rank.Sum, without)
	if without[0] > 0 {
		d.direct = nil
	}
	return err
}

func takesDevices(c rank.Comm) bool {
	d, ok := c.(rank.DeviceComm)
	return ok && d.TakesDevices()
}
