//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package graph

import (
	"errors"
	"fmt"
	"math"
	"os"
	"syscall"
)

// mapFile maps a whole file, to be read only. The mapping owns the file, which stays
// open: its size tells whether the mapped pages are still there.
func mapFile(f *os.File, size int64) (*mapping, error) {
	if size > math.MaxInt {
		return nil, fmt.Errorf("%d bytes: too large for the address space", size)
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping %d bytes: %w", size, err)
	}
	return &mapping{
		bytes:   b,
		release: func(b []byte) error { return errors.Join(syscall.Munmap(b), f.Close()) },
		size: func() (int64, error) {
			info, err := f.Stat()
			if err != nil {
				return 0, err
			}
			return info.Size(), nil
		},
	}, nil
}
