package gpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
)

// Results that stay on the device, as graph500.DevicePaths asks for. As in slots.go, but a slot
// has states of vertices instead of parents.

// Slots makes room for up to want results on the device, and for VerifyOnDevice, and
// returns for how many there is room: at least one.
func (s *Paths) Slots(want int) (int, error) {
	if err := s.openVerifier(); err != nil {
		return 0, err
	}
	slots, err := moreSlots(s.dev, s.mem, s.slots, want, 8*int64(s.n))
	s.slots = slots
	return len(slots), err
}

// KeepTree copies the result of the last search to a slot, where the next search leaves it
// alone, and returns when that is done.
func (s *Paths) KeepTree(slot int) error {
	return keepSlot(s.dev, s.slots, slot, s.machine.place, 8*int64(s.n))
}

// CopyTree copies the parents of a slot to the host.
func (s *Paths) CopyTree(slot int, t *hops.Tree) error {
	p := &hops.Paths{Tree: *t, Single: make([]float32, s.n)}
	err := s.CopyPaths(slot, p)
	t.Root = p.Root
	return err
}

// LoadPaths copies a result from the host into a slot, right or wrong, so that
// VerifyOnDevice can check results of other origin.
func (s *Paths) LoadPaths(slot int, p *hops.Paths) error {
	to, err := slotAt(s.slots, slot)
	if err == nil {
		err = s.fits(p)
	}
	if err != nil {
		return err
	}
	places := make([]uint64, s.n)
	for v := range places {
		places[v] = placeOf(p.Single[v], p.Narrow[v])
	}
	to.root, to.filled = p.Root, true
	return s.dev.write(s.places(to), 0, bytesOf(places))
}

// openVerifier makes the verifier, if there is none yet.
func (s *Paths) openVerifier() error {
	if s.machine.wide {
		return fmt.Errorf("gpu: distances of 64 bits cannot be verified on the device")
	}
	if s.verifier != nil {
		return nil
	}
	v := newBareVerifier(s.graph.in.kernels, s.source)
	free, _, err := s.dev.Memory()
	if err == nil {
		v.loader, err = newTupleLoader(s.dev, v.mem, s.source, free/verifierShare)
	}
	if err != nil {
		_ = v.mem.close()
		return err
	}
	s.verifier = v
	return nil
}

// JoinedOnDevice tells which of some vertices have an edge to another vertex, by the edges of
// the source.
func (s *Paths) JoinedOnDevice(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	if err := s.openVerifier(); err != nil {
		return nil, err
	}
	return s.verifier.joinedTo(ctx, candidates)
}

// VerifyOnDevice checks the result of a slot where it is, against all edges of the source and
// their weights. It returns what package check tells of a result. The error is a TreeError
// if the result is at fault.
func (s *Paths) VerifyOnDevice(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error) {
	t, err := filledSlot(s.slots, slot)
	if err != nil {
		return nil, 0, 0, err
	}
	if err := s.openVerifier(); err != nil {
		return nil, 0, 0, err
	}
	if t.root >= hops.Vertex(s.n) {
		return nil, 0, 0, &TreeError{Root: t.root, NoTree: uint64(s.n), Weighted: true}
	}
	v, places, root := s.verifier, s.places(t), uint32(t.root)
	return v.verifyBy(ctx, root, true,
		func() error { return v.verifyPlaces(places, v.n, root, v.node, v.tally) },
		func(edges buffer, n int64) error {
			return v.verifyTuples(edges, v.loader.weights, n, v.directed, places, v.joined, v.tally)
		})
}
