package mpi

import "fmt"

// An Op combines words of several ranks into one.
type Op int

const (
	Sum Op = iota
	Max
	Min
	Or
)

func (l *Library) op(o Op) uintptr {
	return [...]uintptr{Sum: l.handles.sum, Max: l.handles.max, Min: l.handles.min, Or: l.handles.or}[o]
}

// Collective operations are started by all ranks of a group in the same order.

// Barrier is done when all ranks have started it.
func (c *Comm) Barrier() (Request, error) { return c.lib.start(ibarrier, c.handle) }

// Broadcast copies buf of rank root to all.
func (c *Comm) Broadcast(buf []byte, root int) (Request, error) {
	if err := checkCount("a broadcast", len(buf)); err != nil {
		return 0, err
	}
	return c.lib.start(ibcast, bytesAt(buf), uintptr(len(buf)), c.lib.handles.byteType, uintptr(root), c.handle)
}

// AllReduce combines the words of all ranks, each with its like, in place.
func (c *Comm) AllReduce(words []uint64, op Op) (Request, error) {
	if err := checkCount("a reduction", len(words)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start(iallreduce, l.inPlace, bytesAt(words), uintptr(len(words)), l.handles.wordType, l.op(op), c.handle)
}

// Reduce combines the words of all ranks in those of rank root; the words of the
// others stay as they are.
func (c *Comm) Reduce(words []uint64, op Op, root int) (Request, error) {
	if err := checkCount("a reduction", len(words)); err != nil {
		return 0, err
	}
	l := c.lib
	from, to := bytesAt(words), uintptr(0)
	if c.Rank == root {
		from, to = l.inPlace, from
	}
	return l.start(ireduce, from, to, uintptr(len(words)), l.handles.wordType, l.op(op), uintptr(root), c.handle)
}

// A Layout says where the parts of the ranks lie in a buffer: Counts bytes from
// Starts on. Both belong to the library while an operation is under way.
type Layout struct{ Counts, Starts []int32 }

func (y Layout) check(size int, buf []byte) error {
	if len(y.Counts) != size || len(y.Starts) != size {
		return fmt.Errorf("mpi: a layout of %d counts and %d starts for %d ranks", len(y.Counts), len(y.Starts), size)
	}
	for r, n := range y.Counts {
		if n < 0 || y.Starts[r] < 0 || int(n)+int(y.Starts[r]) > len(buf) {
			return fmt.Errorf("mpi: part of rank %d: %d bytes from %d on in a buffer of %d", r, n, y.Starts[r], len(buf))
		}
	}
	return nil
}

// AllGather copies the parts of all ranks to all. The own part is in buf already.
func (c *Comm) AllGather(buf []byte, parts Layout) (Request, error) {
	if err := parts.check(c.Size, buf); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start(iallgatherv, l.inPlace, 0, l.handles.byteType,
		bytesAt(buf), bytesAt(parts.Counts), bytesAt(parts.Starts), l.handles.byteType, c.handle)
}

// AllToAll sends every rank its part of out and receives in in a part of each.
func (c *Comm) AllToAll(out []byte, to Layout, in []byte, from Layout) (Request, error) {
	if err := to.check(c.Size, out); err != nil {
		return 0, err
	}
	if err := from.check(c.Size, in); err != nil {
		return 0, err
	}
	l := c.lib
	// MPI wants the buffers apart, even two that are empty, and Go's empty slices
	// may all have one address.
	if len(in) == 0 {
		in = l.out.text[:0]
	}
	return l.start(ialltoallv, bytesAt(out), bytesAt(to.Counts), bytesAt(to.Starts), l.handles.byteType,
		bytesAt(in), bytesAt(from.Counts), bytesAt(from.Starts), l.handles.byteType, c.handle)
}
