//go:build unix

package atomicfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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

// isAt tells whether f is the file of that name.
func isAt(f *os.File, name string) bool {
	mine, err := f.Stat()
	there, thereErr := os.Stat(name)
	return err == nil && thereErr == nil && os.SameFile(mine, there)
}

// giveTo gives a file the owner and group of another, as far as this process may.
func giveTo(f *os.File, like fs.FileInfo) {
	if owner, ok := like.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(owner.Uid), int(owner.Gid)) != nil {
			_ = f.Chown(-1, int(owner.Gid))
		}
	}
}
