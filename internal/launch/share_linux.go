package launch

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// The shared memory of a host is an anonymous file (memfd) of the first rank of the
// host, which the other ranks open through /proc. The kernel frees it with the last
// process, so processes that are killed leave nothing behind. Rejected: MPI's shared
// windows, of which some implementations then leave files in /dev/shm.

func (c *comm) Share(size int64) ([]byte, error) {
	mine, err := c.createFile(size)
	if err != nil {
		c.Abort(err)
		return nil, err
	}
	if mine != nil {
		defer mine.Close()
	}
	path, err := c.sharedPath(mine)
	if err != nil {
		return nil, err
	}
	memory, err := mapFile(path, mine, size)
	if err != nil {
		err = fmt.Errorf("launch: sharing memory on this host: %w", err)
		c.Abort(err)
		return nil, err
	}
	c.shared = append(c.shared, memory)
	// The file must stay open until all ranks have mapped it.
	return memory[:size:size], c.Barrier()
}

// createFile creates the file if this rank is the first of its host, and otherwise
// returns nil.
func (c *comm) createFile(size int64) (*os.File, error) {
	me := c.Comm.Rank
	if slices.Index(c.hosts, c.hosts[me]) != me {
		return nil, nil
	}
	fd, err := unix.MemfdCreate("hops", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("launch: shared memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), "hops")
	return f, f.Truncate(max(size, 1))
}

// sharedPath returns the path of this host's file. All ranks call it.
func (c *comm) sharedPath(mine *os.File) (string, error) {
	size, me := c.Comm.Size, c.Comm.Rank
	all := make([]byte, 16*size)
	if mine != nil {
		binary.LittleEndian.PutUint64(all[16*me:], uint64(os.Getpid()))
		binary.LittleEndian.PutUint64(all[16*me+8:], uint64(mine.Fd()))
	}
	if err := c.gather(all, even(size, 16)); err != nil {
		return "", err
	}
	first := 16 * slices.Index(c.hosts, c.hosts[me])
	return fmt.Sprintf("/proc/%d/fd/%d", binary.LittleEndian.Uint64(all[first:]), binary.LittleEndian.Uint64(all[first+8:])), nil
}

func mapFile(path string, f *os.File, size int64) ([]byte, error) {
	if f == nil {
		var err error
		if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	memory, err := unix.Mmap(int(f.Fd()), 0, int(max(size, 1)), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE) // where the kernel allows it for shared memory
	return memory, nil
}

func unmap(memory []byte) { _ = unix.Munmap(memory) }
