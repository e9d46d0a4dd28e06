package grid

import (
	"errors"

	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// The ways on which nothing passes through the memory of the host.

// straight reads the memory of neighbors.
type straight struct {
	block.Neighbor
	group   rank.Comm
	first   int // number of the group's first rank among the neighbors
	how     string
	foreign bool // neighbors are other processes
	bytes   int64
}

var (
	errNotThere  = errors.New("the device has none")
	errSeveral   = errors.New("the ranks are on several hosts")
	errNoDevices = errors.New("this MPI takes no memory of devices")
)

func findDirect(d *onDevice, group rank.Comm) (w way, why, err error) {
	n, ok := d.accelerator.(block.Neighbor)
	var card []byte
	switch {
	case !onOneHost(group):
		why = errSeveral
	case !ok:
		why = errNotThere
	default:
		card, why = n.Card()
	}
	if all, err := agree(group, why == nil); !all || err != nil {
		return nil, why, err
	}
	cards, err := gatherEqual(group, card)
	if err != nil {
		return nil, nil, err
	}
	s := &straight{Neighbor: n, group: group, foreign: !d.InProcess}
	s.first, s.how, why = n.Meet(cards, group.Rank(), d.InProcess)
	return s, why, nil
}

// gatherEqual gathers one string of the same length from each rank.
func gatherEqual(group rank.Comm, mine []byte) ([][]byte, error) {
	size := len(mine)
	all, parts := make([]byte, size*group.Size()), make([]rank.Span, group.Size())
	for r := range parts {
		parts[r] = rank.Span{Lo: int64(r * size), Hi: int64((r + 1) * size)}
	}
	copy(all[parts[group.Rank()].Lo:], mine)
	if err := group.Gather(all, parts); err != nil {
		return nil, err
	}
	each := make([][]byte, group.Size())
	for r, p := range parts {
		each[r] = all[p.Lo:p.Hi]
	}
	return each, nil
}

func (w *straight) name() string { return w.how }

// packsFrom: ranks that share a device have no link between them. If one has another device, all
// know one that has.
func (w *straight) packsFrom() int64 {
	for from := range w.group.Size() {
		if from != w.group.Rank() && w.Apart(w.first+from) {
			return packsOverLinks
		}
	}
	return packsNever
}

func (w *straight) gather(r block.Region, parts []rank.Span, met bool) error {
	if err := w.meetUnless(met); err != nil {
		return err
	}
	for from, p := range parts {
		if err := w.take(r, p.Lo, from, r, p); err != nil {
			return err
		}
	}
	return nil
}

func (w *straight) gatherPacked(r block.Region, parts []rank.Span, met bool) error {
	if err := w.meetUnless(met); err != nil {
		return err
	}
	for from, p := range parts {
		if from == w.group.Rank() || p.Size() == 0 {
			continue
		}
		if err := w.Take(r, p, w.first+from); err != nil { // which counts the bytes
			return err
		}
	}
	return nil
}

func (w *straight) exchange(out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error {
	if err := w.meet(); err != nil {
		return err
	}
	for from, p := range inParts {
		if err := w.take(in, p.Lo, from, out, outParts[w.group.Rank()]); err != nil {
			return err
		}
	}
	return nil
}

func (w *straight) meetUnless(met bool) error {
	if met {
		return nil
	}
	return w.meet()
}

// meet waits until all ranks have finished what they were told.
func (w *straight) meet() error {
	if err := w.Sync(); err != nil {
		return err
	}
	return w.group.Barrier()
}

func (w *straight) take(to block.Region, at int64, from int, src block.Region, part rank.Span) error {
	if from == w.group.Rank() {
		return nil
	}
	w.bytes += part.Size()
	return w.Copy(to, at, w.first+from, src, part.Lo, part.Size())
}

func (w *straight) settle() error              { return w.group.Barrier() }
func (w *straight) moved() (bus, direct int64) { return 0, w.bytes }

// close waits for other processes: memory must not go while they have it open.
func (w *straight) close() {
	if w.foreign {
		_ = w.group.Barrier()
	}
}

// carried is the way of NCCL.
type carried struct {
	block.Carrier
	d      *onDevice
	group  rank.Comm
	number int
	bytes  int64
}

func findNCCL(d *onDevice, group rank.Comm) (w way, why, err error) {
	c, ok := d.accelerator.(block.Carrier)
	why = errNotThere
	if ok {
		why = c.CanJoin()
	}
	var secret [128]byte
	if why == nil && group.Rank() == 0 {
		secret, why = c.Secret()
	}
	if all, err := agree(group, why == nil); !all || err != nil {
		return nil, why, err
	}
	secrets, err := gatherEqual(group, secret[:])
	if err != nil {
		return nil, nil, err
	}
	s := &carried{Carrier: c, d: d, group: group}
	s.number, why = c.Join([128]byte(secrets[0]), group.Rank(), group.Size())
	return s, why, nil
}

func (*carried) name() string     { return "NCCL" }
func (*carried) packsFrom() int64 { return packsOverNetwork }

func (w *carried) gather(r block.Region, parts []rank.Span, _ bool) error {
	return w.send(r, toAll(w.group, parts[w.group.Rank()]), r, parts)
}

func (w *carried) gatherPacked(r block.Region, parts []rank.Span, _ bool) error {
	return w.d.viaArrived(w, w.group, r, parts)
}

func (w *carried) exchange(out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error {
	return w.send(out, outParts, in, inParts)
}

func (w *carried) send(out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error {
	w.bytes += received(w.group, inParts)
	return w.Send(w.number, out, outParts, in, inParts)
}

// received is the size of the parts of others.
func received(group rank.Comm, parts []rank.Span) (bytes int64) {
	for from, p := range parts {
		if from != group.Rank() {
			bytes += p.Size()
		}
	}
	return bytes
}

func (*carried) settle() error                { return nil } // what is sent is complete when the device is
func (w *carried) moved() (bus, direct int64) { return 0, w.bytes }
func (*carried) close()                       {}

// passed is the way of an MPI that takes memory of devices.
type passed struct {
	block.Addressed
	d     *onDevice
	group rank.DeviceComm
	bytes int64
}

func findMPI(d *onDevice, group rank.Comm) (w way, why, err error) {
	a, ok := d.accelerator.(block.Addressed)
	c, takes := group.(rank.DeviceComm)
	switch {
	case !ok || a.Memory(block.Front) == nil:
		return nil, errNotThere, nil
	case !takes || !c.TakesDevices():
		return nil, errNoDevices, nil
	}
	return &passed{Addressed: a, d: d, group: c}, nil, nil
}

func (*passed) name() string     { return "MPI from device to device" }
func (*passed) packsFrom() int64 { return packsOverNetwork }

func (w *passed) gather(r block.Region, parts []rank.Span, _ bool) error {
	return w.pass(parts, func() error { return w.group.Gather(w.Memory(r), parts) })
}

func (w *passed) gatherPacked(r block.Region, parts []rank.Span, _ bool) error {
	return w.d.viaArrived(w, w.group, r, parts)
}

func (w *passed) exchange(out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error {
	return w.pass(inParts, func() error { return w.group.ExchangeOthers(w.Memory(out), outParts, w.Memory(in), inParts) })
}

func (w *passed) pass(parts []rank.Span, call func() error) error {
	w.bytes += received(w.group, parts)
	if err := w.Sync(); err != nil {
		return err
	}
	return w.Within(call)
}

func (*passed) settle() error                { return nil }
func (w *passed) moved() (bus, direct int64) { return 0, w.bytes }
func (*passed) close()                       {}
