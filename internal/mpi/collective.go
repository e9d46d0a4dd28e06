package mpi

// An Op is the operator of a reduction.
type Op int

const (
	Sum Op = iota
	Max
	Or
)

func (l *Library) op(o Op) uintptr {
	return [...]uintptr{Sum: l.handles.sum, Max: l.handles.max, Or: l.handles.or}[o]
}

// Collective operations are started by all ranks of a group in the same order.

// Barrier starts a barrier, which is done when all ranks have started it.
func (c *Comm) Barrier() (Request, error) { return c.lib.start(ibarrier, c.handle) }

// Broadcast starts copying buf of rank root to all ranks.
func (c *Comm) Broadcast(buf []byte, root int) (Request, error) {
	if err := checkCount("a broadcast", len(buf)); err != nil {
		return 0, err
	}
	return c.lib.start(ibcast, bytesAt(buf), uintptr(len(buf)), c.lib.handles.byteType, uintptr(root), c.handle)
}

// AllReduce starts reducing the words of all ranks element by element, in place.
func (c *Comm) AllReduce(words []uint64, op Op) (Request, error) {
	if err := checkCount("a reduction", len(words)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start(iallreduce, l.inPlace, bytesAt(words), uintptr(len(words)), l.handles.wordType, l.op(op), c.handle)
}
