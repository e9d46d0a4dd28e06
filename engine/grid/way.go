package grid

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A way carries what the devices of a row or of a column of ranks tell each other. Every
// group of ranks has the first of these ways that all of its ranks can go:
//
//	direct  a device reads the memory of the others by its address: memory of the same
//	        device, of a peer, or of another process of the host by CUDA IPC
//	nccl    NCCL carries it
//	mpi     an MPI that takes addresses of device memory carries it
//	host    through the memory of the hosts, and between ranks as the host's own bitmaps
type way interface {
	name() string
	// gather brings parts of a region to all ranks: rank r of the group has part r. met: all
	// ranks have finished their parts, and have met since.
	gather(r block.Region, parts []rank.Span, met bool) error
	// gatherPacked does the same for parts of a bitmap, which all ranks have packed.
	gatherPacked(r block.Region, parts []rank.Span, met bool) error
	// packsFrom is how many bytes of a bitmap a rank must receive for packing to pay.
	packsFrom() int64
	// exchange brings part r of region out of every other rank to rank r, which receives
	// what comes from rank s at part s of region in.
	exchange(out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error
	// settle returns when no rank reads what others have brought.
	settle() error
	// moved is the number of bytes that this rank has moved through the bus to the host
	// and from there, and that it has received from other devices.
	moved() (bus, direct int64)
	close()
}

// A wayKind finds a way for the ranks of a group, or says why there is none. All ranks of
// the group call find; it returns an error only if they cannot go on.
type wayKind struct {
	name string
	find func(d *onDevice, group rank.Comm) (w way, why, err error)
}

var wayKinds = []wayKind{
	{"direct", findDirect}, {"nccl", findNCCL}, {"mpi", findMPI}, {"host", findHost},
}

// Exchanges are the names of the ways.
var Exchanges = []string{"direct", "nccl", "mpi", "host"}

// chooseWay chooses the way of a group: the one that is wanted, or the first there is.
func (d *onDevice) chooseWay(group rank.Comm, wanted string) (way, error) {
	if group.Size() == 1 {
		return alone{}, nil
	}
	var reasons []error
	for _, kind := range wayKinds {
		if wanted != "" && wanted != kind.name {
			continue
		}
		w, why, err := kind.find(d, group)
		if err != nil {
			return nil, err
		}
		all, err := agree(group, why == nil)
		if all || err != nil {
			return w, err
		}
		if w != nil {
			w.close()
		}
		if why == nil {
			why = errors.New("other ranks of the group cannot")
		}
		reasons = append(reasons, fmt.Errorf("exchange=%s: %w", kind.name, why))
	}
	return nil, errors.Join(reasons...)
}

// agree tells whether all ranks of a group say yes.
func agree(group rank.Comm, yes bool) (bool, error) {
	no := []uint64{0}
	if !yes {
		no[0] = 1
	}
	err := rank.Reduced(group, rank.Sum, no)
	return no[0] == 0, err
}

// describeWays names the device, and says how the devices of rows and of columns exchange.
func (d *onDevice) describeWays() string {
	ways := []string{d.accelerator.DeviceName()}
	for _, of := range []struct {
		group string
		way   way
	}{{"rows", d.row}, {"columns", d.column}} {
		if name := of.way.name(); name != "" {
			ways = append(ways, fmt.Sprintf("%s by %s", of.group, name))
		}
	}
	if d.row.name() != "" && d.row.name() == d.column.name() {
		ways = append(ways[:1], "rows and columns by "+d.row.name())
	}
	return fmt.Sprintf("%s, %d x %d ranks, %s", ways[0], d.rows, d.columns, strings.Join(ways[1:], ", "))
}

// alone is the way of a rank that is alone in its group.
type alone struct{}

func (alone) name() string                                                        { return "" }
func (alone) gather(block.Region, []rank.Span, bool) error                        { return nil }
func (alone) packsFrom() int64                                                    { return packsNever }
func (alone) gatherPacked(block.Region, []rank.Span, bool) error                  { return nil }
func (alone) exchange(block.Region, []rank.Span, block.Region, []rank.Span) error { return nil }
func (alone) settle() error                                                       { return nil }
func (alone) moved() (bus, direct int64)                                          { return 0, 0 }
func (alone) close()                                                              {}

// staged is the way through the memory of the hosts.
type staged struct {
	*onDevice
	group rank.Comm
	room  []uint64 // a region, or a part of one, in the memory of the host
	bytes int64
}

func findHost(d *onDevice, group rank.Comm) (way, error, error) {
	w := &staged{onDevice: d, group: group}
	words := int64(0)
	for r := range block.Regions {
		words = max(words, (d.block.Bytes(r)+7)/8)
	}
	var err error
	w.room, err = arena.Make[uint64](&d.Memory, int(words))
	return w, nil, err
}

func (*staged) name() string { return "the host's memory" }

// packsFrom is 0: a bitmap would go over the bus twice, and between the hosts.
func (*staged) packsFrom() int64 { return 0 }

func (w *staged) gather(r block.Region, parts []rank.Span, _ bool) error {
	return w.share(r, parts[w.group.Rank()], r, parts)
}

func (w *staged) gatherPacked(r block.Region, parts []rank.Span, _ bool) error {
	mine, arrived, err := w.layPacked(w.group, r, parts)
	if err != nil {
		return err
	}
	if err := w.share(r.Packed(), mine, block.Arrived, arrived); err != nil {
		return err
	}
	return w.unpack(w.group, r, parts, arrived)
}

// share brings a part of region out of every rank to all others: the part of rank r is parts[r] of
// region in.
func (w *staged) share(out block.Region, mine rank.Span, in block.Region, parts []rank.Span) error {
	all, me := arena.Bytes(w.room)[:w.block.Bytes(in)], w.group.Rank()
	if err := w.read(all[parts[me].Lo:parts[me].Hi], out, mine.Lo); err != nil {
		return err
	}
	if err := w.group.Gather(all, parts); err != nil {
		return err
	}
	for from, p := range parts {
		if from == me {
			continue
		}
		if err := w.write(in, p.Lo, all[p.Lo:p.Hi]); err != nil {
			return err
		}
	}
	return nil
}

func (w *staged) exchange(out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error {
	sent := make([]byte, w.block.Bytes(out)) // the region of parents is sent once a search
	outCuts, inCuts := make([]int64, len(outParts)+1), make([]int64, len(inParts)+1)
	for r, me := 0, w.group.Rank(); r < len(outParts); r++ {
		outCuts[r], outCuts[r+1], inCuts[r+1] = outParts[r].Lo, outParts[r].Hi, inParts[r].Hi
		if r == me {
			continue
		}
		if err := w.read(sent[outParts[r].Lo:outParts[r].Hi], out, outParts[r].Lo); err != nil {
			return err
		}
	}
	received := arena.Bytes(w.room)[:w.block.Bytes(in)]
	if err := w.group.Exchange(sent, outCuts, received, inCuts); err != nil {
		return err
	}
	for r, p := range inParts {
		if r == w.group.Rank() {
			continue
		}
		if err := w.write(in, p.Lo, received[p.Lo:p.Hi]); err != nil {
			return err
		}
	}
	return nil
}

func (w *staged) read(dst []byte, from block.Region, at int64) error {
	w.bytes += int64(len(dst))
	return w.accelerator.Read(dst, from, at)
}

func (w *staged) write(to block.Region, at int64, src []byte) error {
	w.bytes += int64(len(src))
	return w.accelerator.Write(to, at, src)
}

func (*staged) settle() error                { return nil } // ranks read what they were sent
func (w *staged) moved() (bus, direct int64) { return w.bytes, 0 }
func (*staged) close()                       {}
