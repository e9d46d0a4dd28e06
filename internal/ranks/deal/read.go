package deal

import (
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/intake"
)

// A pass is one reading of the edges of this rank. A Source that yields other edges when it is
// read again would make a graph that is none of both: rows out of vertices that differ from the
// rows into them, or rows with room to spare. So every pass adds up a digest of its edges, which
// must equal the digest of the first pass.
type pass struct {
	digest atomic.Uint64
	first  uint64 // digest of the first pass
	later  bool   // this is not the first pass
}

// finishPass ends a pass in which all edges of this rank were to be read.
func (e *Edges) finishPass() error {
	if err := e.failure(); err != nil {
		return err
	}
	p := &e.pass
	sum := p.digest.Swap(0)
	if !p.later {
		p.first, p.later = sum, true
	}
	if sum != p.first {
		return fmt.Errorf("%s: the source gave other edges from %d to %d when they were read again: it must yield the same list every time", e.Engine, e.first, e.end)
	}
	return nil
}

// read fills edges from the source, with their weights unless these are nil, and checks
// them.
func (e *Edges) read(edges []hops.Edge, weights []float32, off int64) error {
	if err := intake.Checked(e.src, e.N, edges, weights, off); err != nil {
		return fmt.Errorf("%s: %w", e.Engine, err)
	}
	e.pass.digest.Add(intake.Digest(edges))
	return nil
}
