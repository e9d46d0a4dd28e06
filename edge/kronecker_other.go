//go:build !amd64

package edge

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
)

// Elsewhere edges are made one by one.

type bulk struct{}

func newBulk(*Kronecker) *bulk { return nil }

func (*bulk) generate(*Kronecker, []hops.Edge, []uint32, mrg.State) {}

func (*bulk) makesPairs(int) bool { return false }

func (*bulk) pairs(*Kronecker, []uint64, mrg.State) {}
