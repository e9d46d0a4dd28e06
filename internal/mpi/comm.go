package mpi

import "fmt"

// A Comm is an MPI communicator: a group of ranks whose messages are separate from
// those of other groups.
type Comm struct {
	Rank, Size int

	lib    *Library
	handle uintptr
}

// World returns the group of all processes that the launcher started.
func (l *Library) World() (*Comm, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.comm(l.handles[world])
}

// comm returns the Comm of a handle.
func (l *Library) comm(handle uintptr) (*Comm, error) {
	c := &Comm{lib: l, handle: handle}
	for name, result := range map[string]*int{"MPI_Comm_rank": &c.Rank, "MPI_Comm_size": &c.Size} {
		if err := l.call(name, handle, address(&l.out.number)); err != nil {
			return nil, err
		}
		*result = int(l.out.number)
	}
	return c, nil
}

// Split makes one group of all ranks that give the same color, in the order of
// their keys. All ranks of c must call it. It is the only operation of this package
// that blocks, and is meant for the start of a program.
func (c *Comm) Split(color, key int) (*Comm, error) {
	l := c.lib
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.handle = 0
	if err := l.call("MPI_Comm_split", c.handle, uintptr(color), uintptr(key), address(&l.out.handle)); err != nil {
		return nil, err
	}
	return l.comm(uintptr(l.out.handle))
}

// Free frees a group that Split made.
func (c *Comm) Free() error {
	c.lib.mu.Lock()
	defer c.lib.mu.Unlock()
	c.lib.out.handle = uint64(c.handle)
	return c.lib.call("MPI_Comm_free", address(&c.lib.out.handle))
}

// maxCount is the largest number of elements of a message: MPI counts in C ints.
const maxCount = 1<<31 - 1

func checkCount(what string, n int) error {
	if n > maxCount {
		return fmt.Errorf("mpi: %s of %d bytes: the most is %d", what, n, maxCount)
	}
	return nil
}
