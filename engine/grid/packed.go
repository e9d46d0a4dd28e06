package grid

import (
	"fmt"
	"math"

	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Bitmaps in their short form. A device packs its part of a bitmap, only that goes to the other
// devices, and each unpacks it where the bitmap would have been: see internal/ranks/block. The device
// chooses between list and words for each chunk of its part. Devices that read the memory of
// others read there how long parts are. On other ways the hosts tell each other.

// A bitmap is packed if each rank receives at least so many bytes of it. Four ranks that
// shared an H200 took 8 µs longer for each bitmap that they packed, 0.1 ms in a search
// (docs/results/h200.md). So packing pays where that many bytes take longer than that over a link:
// one of 450 GB/s between the devices of a host, or 50 GB/s between hosts, where the hosts must
// also tell each other the lengths.
const (
	packsOverLinks   = 4 << 20
	packsOverNetwork = 2 << 20
	packsNever       = math.MaxInt64
)

// choosePacking chooses whether the bitmaps of rows and columns are packed.
func (d *onDevice) choosePacking() {
	d.packs.row, d.packs.column = d.packsIn(d.row, d.outParts), d.packsIn(d.column, d.inParts)
}

// packsIn: all ranks of a group choose alike.
func (d *onDevice) packsIn(w way, parts []rank.Span) bool {
	if _, single := w.(alone); single {
		return false
	}
	switch d.bitmaps {
	case "dense":
		return false
	case "packed":
		return true
	}
	all := int64(0)
	for _, p := range parts {
		all += p.Size()
	}
	return all-all/int64(len(parts)) >= w.packsFrom()
}

// layPacked finds where the packed parts are: the part of this rank where it was packed, and
// all of them in the region Arrived.
func (d *onDevice) layPacked(group rank.Comm, r block.Region, parts []rank.Span) (mine rank.Span, arrived []rank.Span, err error) {
	sizes := make([]uint64, group.Size())
	if parts[group.Rank()].Size() > 0 {
		if mine.Hi, err = d.accelerator.PackedBytes(r); err != nil {
			return mine, nil, err
		}
	}
	sizes[group.Rank()] = uint64(mine.Hi)
	if err := rank.Reduced(group, rank.Sum, sizes); err != nil {
		return mine, nil, err
	}
	at := int64(0)
	for _, size := range sizes {
		arrived = append(arrived, rank.Span{Lo: at, Hi: at + int64(size)})
		at += int64(size)
	}
	if most := d.block.Bytes(block.Arrived); at > most {
		return mine, nil, fmt.Errorf("grid: %d bytes of packed bitmaps: there is room for %d", at, most)
	}
	return mine, arrived, nil
}

// viaArrived brings the short forms of all ranks to the region Arrived by a way, and unpacks them.
func (d *onDevice) viaArrived(w way, group rank.Comm, r block.Region, parts []rank.Span) error {
	mine, arrived, err := d.layPacked(group, r, parts)
	if err != nil {
		return err
	}
	if err := w.exchange(r.Packed(), toAll(group, mine), block.Arrived, arrived); err != nil {
		return err
	}
	return d.unpack(group, r, parts, arrived)
}

// unpack unpacks what has arrived from others.
func (d *onDevice) unpack(group rank.Comm, r block.Region, parts, arrived []rank.Span) error {
	for from, p := range parts {
		if from == group.Rank() || p.Size() == 0 {
			continue
		}
		if err := d.accelerator.Unpack(r, p, arrived[from].Lo); err != nil {
			return err
		}
	}
	return nil
}

// toAll is a part that goes to each rank of a group.
func toAll(group rank.Comm, part rank.Span) []rank.Span {
	all := make([]rank.Span, group.Size())
	for to := range all {
		all[to] = part
	}
	return all
}
