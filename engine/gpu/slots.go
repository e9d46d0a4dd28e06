package gpu

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gohops/hops"
)

// A slot holds a tree in the memory of the device, in the labels and the order of the
// source. Searches store parents into the first slot, the array of the state. KeepTree
// copies that tree to another slot. Searches that store straight into the other slots
// lose the array from the cache: 244 instead of 265 GTEPS at scale 20 on an H200.
type slot struct {
	parent buffer // 0: that of the state
	root   hops.Vertex
	filled bool // there is a tree
}

// slotMargin is the device memory in bytes that Slots leaves free, for what the driver
// allocates behind a launch.
const slotMargin = 512 << 20

// Slots makes room for up to want trees on the device, and for VerifyOnDevice, and
// returns for how many there is room: at least one.
func (s *Searcher) Slots(want int) (int, error) {
	if err := s.openVerifier(); err != nil {
		return 0, err
	}
	slots, err := moreSlots(s.dev, s.mem, s.slots, want, 4*32*int64(s.graph.words()))
	s.slots = slots
	return len(slots), err
}

// moreSlots makes room for up to want results of so many bytes.
func moreSlots(d device, m *memory, slots []slot, want int, size int64) ([]slot, error) {
	for len(slots) < want {
		free, _, err := d.Memory()
		if err != nil {
			return slots, err
		}
		if free < size+slotMargin {
			break
		}
		parent := m.make("results", size, 1)
		if m.err != nil {
			m.err = nil // the memory is in pieces; the slots so far suffice
			break
		}
		slots = append(slots, slot{parent: parent})
	}
	return slots, nil
}

// slotAt returns a slot.
func slotAt(slots []slot, number int) (*slot, error) {
	if number < 0 || number >= len(slots) {
		return nil, fmt.Errorf("gpu: slot %d: there is room for %d trees", number, len(slots))
	}
	return &slots[number], nil
}

// filledSlot returns a slot that has a tree.
func filledSlot(slots []slot, number int) (*slot, error) {
	t, err := slotAt(slots, number)
	if err == nil && !t.filled {
		err = fmt.Errorf("gpu: slot %d: there is no tree before a search", number)
	}
	return t, err
}

// keepSlot copies the first slot, whose array is given, to another one.
func keepSlot(d device, slots []slot, number int, array buffer, size int64) error {
	from, err := filledSlot(slots, 0)
	if err != nil {
		return err
	}
	to, err := slotAt(slots, number)
	if err != nil || number == 0 {
		return err
	}
	to.root, to.filled = from.root, true
	if err := d.copy(to.parent, 0, array, 0, size); err != nil {
		return err
	}
	return d.Sync()
}

// SearchOnDevice searches from the root and leaves the tree in the first slot of the
// device, until the next search. It returns when the parents of all vertices are complete
// there, in the labels and the order of the source. The times of the trace are those of
// its Clock: of the device where one launch of CUDA runs all levels, of the host
// otherwise. A clock of the host around the call adds what it takes to start and to wait.
// The trace belongs to the searcher until its next search.
func (s *Searcher) SearchOnDevice(ctx context.Context, root hops.Vertex) (hops.Trace, error) {
	if err := s.turn.Begin("gpu"); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	if err := checkRoot(s.n, root); err != nil {
		return hops.Trace{}, err
	}
	return s.search(ctx, root)
}

func (s *Searcher) search(ctx context.Context, root hops.Vertex) (trace hops.Trace, err error) {
	s.slots[0] = slot{root: root}
	defer s.dev.until(ctx)()
	if s.options.Stepped != nil {
		trace, err = s.machine.search(ctx, s.options.Stepped, uint32(root))
	} else {
		trace, err = s.fused.search(ctx, uint32(root))
	}
	s.slots[0].filled = err == nil
	return trace, err
}

// KeepTree copies the tree of the last search to a slot, where the next search leaves it
// alone, and returns when that is done.
func (s *Searcher) KeepTree(slot int) error {
	from, err := filledSlot(s.slots, 0)
	if err != nil || slot == 0 {
		return err
	}
	return keepSlot(s.dev, s.slots, slot, s.parents(from), 4*int64(s.n))
}

// parents is the array of a slot.
func (s *Searcher) parents(t *slot) buffer { return cmp.Or(t.parent, s.state.parent) }

// CopyTree copies the tree of a slot to the host.
func (s *Searcher) CopyTree(slot int, t *hops.Tree) error {
	from, err := filledSlot(s.slots, slot)
	if err != nil {
		return err
	}
	if err := checkTree(s.n, from.root, t); err != nil {
		return err
	}
	t.Root = from.root
	return s.dev.read(bytesOf(t.Narrow), s.parents(from), 0)
}

// LoadTree copies a tree from the host into a slot, right or wrong, so that
// VerifyOnDevice can check trees of other origin.
func (s *Searcher) LoadTree(slot int, t *hops.Tree) error {
	to, err := slotAt(s.slots, slot)
	if err != nil {
		return err
	}
	if err := checkTree(s.n, 0, t); err != nil {
		return err
	}
	to.root, to.filled = t.Root, true
	return s.dev.write(s.parents(to), 0, bytesOf(t.Narrow))
}
