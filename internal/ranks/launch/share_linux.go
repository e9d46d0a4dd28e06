package launch

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The shared memory of a host is an anonymous file (memfd) of the first rank of the
// host, which the other ranks open through /proc. The kernel frees it with the last
// process, so processes that are killed leave nothing behind. Rejected: MPI's shared
// windows, of which some implementations then leave files in /dev/shm.

// share is Share. Memory in huge pages is all there from the beginning.
func (c *comm) share(size int64, huge bool) ([]byte, error) {
	mine, err := c.createFile(size, huge)
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
	memory, err := mapFile(path, mine)
	if err != nil {
		err = fmt.Errorf("launch: sharing memory on this host: %w", err)
		c.Abort(err)
		return nil, err
	}
	c.shared = append(c.shared, memory)
	if huge {
		c.touch(memory)
	}
	// The file must stay open until all ranks have mapped it.
	if err := c.Barrier(); err != nil {
		return nil, err
	}
	if huge {
		_ = unix.Madvise(memory, unix.MADV_COLLAPSE) // a kernel that declines gives small pages
	}
	return memory[:size:size], nil
}

// touch makes this rank's share of the pages of which the kernel makes huge ones: it
// collapses what has pages, one is enough for each huge page, and the rank that made it
// is where the huge one will be. Most systems have huge pages turned off for shared
// memory, and collapse it all the same if they are told to.
func (c *comm) touch(memory []byte) {
	ranks, me := 0, 0
	for r, host := range c.hosts {
		if r == c.Comm.Rank {
			me = ranks
		}
		if host == c.hosts[c.Comm.Rank] {
			ranks++
		}
	}
	pages := len(memory) / hugePage
	for page := pages * me / ranks; page < pages*(me+1)/ranks; page++ {
		memory[page*hugePage] = 0
	}
}

// createFile creates the file if this rank is the first of its host, and otherwise
// returns nil.
func (c *comm) createFile(size int64, huge bool) (*os.File, error) {
	me := c.Comm.Rank
	if slices.Index(c.hosts, c.hosts[me]) != me {
		return nil, nil
	}
	return newSharedFile(size, huge)
}

// newSharedFile creates a file of a size, in huge pages of at least that.
func newSharedFile(size int64, huge bool) (*os.File, error) {
	fd, err := unix.MemfdCreate("hops", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("launch: shared memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), "hops")
	if !huge {
		return f, f.Truncate(max(size, 1))
	}
	return f, f.Truncate((size + hugePage - 1) &^ (hugePage - 1))
}

const hugePage = 1 << 21

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

// mapFile maps a file, of which the first rank of the host has f. A file in huge pages is
// mapped at a boundary of these.
func mapFile(path string, f *os.File) ([]byte, error) {
	if f == nil {
		var err error
		if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	const prot = unix.PROT_READ | unix.PROT_WRITE
	size := uintptr(info.Size())
	if size%hugePage != 0 {
		at, err := unix.MmapPtr(int(f.Fd()), 0, nil, size, prot, unix.MAP_SHARED)
		if err != nil {
			return nil, err
		}
		return unsafe.Slice((*byte)(at), size), nil
	}
	room, err := unix.MmapPtr(-1, 0, nil, size+hugePage, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	front := -uintptr(room) & (hugePage - 1)
	at, err := unix.MmapPtr(int(f.Fd()), 0, unsafe.Add(room, front), size, prot, unix.MAP_SHARED|unix.MAP_FIXED)
	if err != nil {
		return nil, err
	}
	if front > 0 {
		_ = unix.MunmapPtr(room, front)
	}
	_ = unix.MunmapPtr(unsafe.Add(at, size), hugePage-front)
	return unsafe.Slice((*byte)(at), size), nil
}

func unmap(memory []byte) { _ = unix.MunmapPtr(unsafe.Pointer(&memory[0]), uintptr(len(memory))) }
