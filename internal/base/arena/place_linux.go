package arena

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Flags of mbind(2), which x/sys does not name.
const (
	preferred  = 1 // MPOL_PREFERRED: elsewhere if the node is full
	interleave = 3 // MPOL_INTERLEAVE: pages on the nodes in turn
	move       = 2 // MPOL_MF_MOVE: also what is there already
	maxNode    = 1024
)

// Place moves the whole pages within b to a NUMA node, and has those to come
// made there. Over several nodes they are interleaved.
func Place(b []byte, nodes ...int) error {
	var mask [maxNode / 64]uint64
	for _, node := range nodes {
		if node < 0 || node >= maxNode {
			return fmt.Errorf("arena: node %d: numbers must be in [0, %d)", node, maxNode)
		}
		mask[node/64] |= 1 << (node % 64)
	}
	policy := uintptr(preferred)
	if len(nodes) > 1 {
		policy = interleave
	}
	page := uintptr(os.Getpagesize())
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	end := (start + uintptr(len(b))) / page * page
	start = (start + page - 1) / page * page
	if start >= end {
		return nil
	}
	_, _, errno := unix.Syscall6(unix.SYS_MBIND, start, end-start, policy,
		uintptr(unsafe.Pointer(&mask)), maxNode, move)
	if errno != 0 {
		return fmt.Errorf("arena: place %d bytes on nodes %v: %w", end-start, nodes, errno)
	}
	return nil
}
