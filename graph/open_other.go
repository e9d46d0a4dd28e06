//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package graph

import (
	"io"
	"os"
)

// mapFile reads the file: slower to open, and not shared, but the same graph.
func mapFile(f *os.File, _ int64) (*mapping, error) {
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return inMemory(b), nil
}
