package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openUnnamed opens a file in the folder of path that has no name until link gives it
// one, so that a process that is killed leaves nothing behind. It is an error where the
// file system, or the kernel, has no such files.
func openUnnamed(path string) (f *os.File, link func(name string) error, err error) {
	fd, err := unix.Open(filepath.Dir(path), unix.O_WRONLY|unix.O_TMPFILE|unix.O_CLOEXEC, 0o666)
	if err != nil {
		return nil, nil, err
	}
	f = os.NewFile(uintptr(fd), path)
	self := fmt.Sprintf("/proc/self/fd/%d", fd)
	if _, err := os.Stat(self); err != nil { // link would fail, after the work
		_ = f.Close()
		return nil, nil, err
	}
	return f, func(name string) error {
		return unix.Linkat(unix.AT_FDCWD, self, unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	}, nil
}
