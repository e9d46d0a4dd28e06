//go:build unix

package atomicfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// Lock keeps other processes that lock the same path out until unlock is called or the
// process ends, however it does. It is an error if another has the lock.
//
// The file at the path is replaced by Write, so the lock is on a hidden file
// beside it, which unlock removes.
func Lock(path string) (unlock func(), err error) {
	dir, base := filepath.Split(path)
	name := dir + "." + base + ".lock"
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, named(path, err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("atomicfile: %s: another run writes to this file (%w)", path, err)
		}
		if isAt(f, name) {
			return func() { _ = os.Remove(name); _ = f.Close() }, nil
		}
		_ = f.Close() // its owner has removed it since
	}
}

// claim locks a file until release is called, or the process ends, even if the file is
// closed before.
func claim(f *os.File) (release func(), err error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return func() {}, err
	}
	if err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == unix.EWOULDBLOCK {
		err = errOwned
	}
	return func() { _ = unix.Close(fd) }, err
}

// giveTo gives a file the owner and group of another, as far as this process may.
func giveTo(f *os.File, like fs.FileInfo) {
	if owner, ok := like.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(owner.Uid), int(owner.Gid)) != nil {
			_ = f.Chown(-1, int(owner.Gid))
		}
	}
}
