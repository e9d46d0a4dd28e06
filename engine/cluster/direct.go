package cluster

import (
	"github.com/gohops/hops/internal/rank"
)

// With devices, the frontier of a column can go from device to device: each rank
// puts its own piece on its device, and pieces are gathered along the column in the
// memory of the devices. That takes an MPI that can be given such addresses, or
// explorers that know a way by themselves. Otherwise the host gathers, and each rank
// puts the frontier of the whole column on its device.
//
// What a row has found is united by the host, which is told it through pinned
// memory in any case.

// A Direct is an explorer whose frontier others can write.
type Direct interface {
	Explorer
	// FrontMemory is the frontier where the device has it, from the first word on,
	// or nil if that has no address. The host does not touch it.
	FrontMemory() []byte
	// Within calls f on a thread to which the memory belongs.
	Within(f func() error) error
}

// A Carrier is an explorer that gathers frontiers by itself.
type Carrier interface {
	Explorer
	// CanMeet tells why there is no such way, or nil.
	CanMeet() error
	// Secret makes what the explorers of a column know each other by, one of them
	// for all.
	Secret() ([128]byte, error)
	// Meet is called by all ranks of a column, which have these numbers in it.
	Meet(secret [128]byte, me, ranks int) error
	// Carry gathers the parts of the frontier, in bytes, one of each rank.
	Carry(parts []Span) error
}

// chooseWay finds the way of the frontier, the same for all ranks.
func (g *grid) chooseWay() error {
	if direct, ok := g.explorer.(Direct); ok && direct.FrontMemory() != nil && takesDevices(g.column) {
		g.carry = func() error {
			return direct.Within(func() error { return g.column.Gather(direct.FrontMemory(), g.inParts) })
		}
	}
	if err := g.agreeOnWay(); err != nil || g.carry != nil {
		return err
	}
	return g.meet()
}

// meet lets the explorers of the column find each other, if all ranks have such.
func (g *grid) meet() error {
	carrier, ok := g.explorer.(Carrier)
	if ok && carrier.CanMeet() == nil {
		g.carry = func() error { return carrier.Carry(g.inParts) }
	}
	if err := g.agreeOnWay(); err != nil || g.carry == nil {
		return err
	}
	me, ranks := g.column.Rank(), g.column.Size()
	secret := new([128]byte)
	if me == 0 {
		var err error
		if *secret, err = carrier.Secret(); err != nil {
			g.carry = nil
		}
	}
	if err := g.agreeOnWay(); err != nil || g.carry == nil {
		return err
	}
	first := make([]rank.Span, ranks)
	first[0].Hi = int64(len(secret))
	if err := g.column.Gather(secret[:], first); err != nil {
		return err
	}
	if err := carrier.Meet(*secret, me, ranks); err != nil {
		g.carry = nil
	}
	return g.agreeOnWay()
}

// agreeOnWay gives the way up unless all ranks have it.
func (g *grid) agreeOnWay() error {
	without := []uint64{0}
	if g.carry == nil {
		without[0] = 1
	}
	err := rank.Reduced(g.comm, rank.Sum, without)
	if without[0] > 0 {
		g.carry = nil
	}
	return err
}

func takesDevices(c rank.Comm) bool {
	d, ok := c.(rank.DeviceComm)
	return ok && d.TakesDevices()
}

// carryFront puts this rank's piece on its device and gathers the others there.
func (g *grid) carryFront() error {
	piece := g.inParts[g.i]
	if err := g.explorer.Front(piece.Lo/8, g.in[piece.Lo/8:piece.Hi/8]); err != nil {
		return err
	}
	return g.carry()
}
