package arena

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Flags of mbind(2), which x/sys does not name.
const (
	preferred = 1 // MPOL_PREFERRED: elsewhere if the node is full
	move      = 2 // MPOL_MF_MOVE: also what is there already
	maxNode   = 1024
)

// Place moves the whole pages within b to a NUMA node, and has those to come
// made there.
func Place(b []byte, node int) error {
	if node < 0 || node >= maxNode {
		return fmt.Errorf("arena: node %d: numbers must be in [0, %d)", node, maxNode)
	}
	page := uintptr(os.Getpagesize())
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	end := (start + uintptr(len(b))) / page * page
	start = (start + page - 1) / page * page
	if start >= end {
		return nil
	}
	var mask [maxNode / 64]uint64
	mask[node/64] = 1 << (node % 64)
	_, _, errno := unix.Syscall6(unix.SYS_MBIND, start, end-start, preferred,
		uintptr(unsafe.Pointer(&mask)), maxNode, move)
	if errno != 0 {
		return fmt.Errorf("arena: place %d bytes on node %d: %w", end-start, node, errno)
	}
	return nil
}
