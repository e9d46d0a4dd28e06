package grid

import (
	"context"
	"errors"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Trees that stay on the devices of the ranks, each of which has the parents of its own piece.
// To validate a tree the ranks gather it on every device, by the ways of a search. A device
// then holds its share of the edges against the whole tree.

// keeps tells whether trees may stay on the device of this rank.
func (m *machine) keeps() bool { return m.source != nil && !m.Wide }

// judge returns the device of this rank, ready to validate trees.
func (m *machine) judge() (*onDevice, block.Judge, error) {
	d, ok := m.side.(*onDevice)
	if !ok || !m.keeps() {
		return nil, nil, distributed.Agreed(errors.New("grid: no trees were to stay on devices"))
	}
	j, ok := d.accelerator.(block.Judge)
	if !ok {
		return nil, nil, errors.New("grid: this device validates no trees")
	}
	if d.all != nil {
		return d, j, nil
	}
	edges, me, ranks := m.source.NumEdges(), int64(m.Comm.Rank()), int64(m.Comm.Size())
	first, end := edges*me/ranks, edges*(me+1)/ranks
	if err := j.OpenVerifier(m.source, first, end-first, reducer{m.Comm}); err != nil {
		return nil, nil, err
	}
	var err error
	d.all, err = d.chooseWay(m.Comm, d.exchange)
	return d, j, err
}

// reducer reduces over the ranks of a Comm.
type reducer struct{ rank.Comm }

func (r reducer) Sum(v []uint64) error { return rank.Reduced(r.Comm, rank.Sum, v) }
func (r reducer) Or(v []uint64) error  { return rank.Reduced(r.Comm, rank.Or, v) }

// Slots implements distributed.Keeper.
func (m *machine) Slots(want int) (have int, err error) {
	_, j, err := m.judge()
	if err != nil {
		return 0, err
	}
	if have, err = j.Slots(want); err != nil {
		return 0, err
	}
	missing := []uint64{uint64(want - have)}
	err = rank.Reduced(m.Comm, rank.Max, missing)
	return want - int(missing[0]), err
}

// KeepTree implements distributed.Keeper.
func (m *machine) KeepTree(slot int) error {
	_, j, err := m.judge()
	if err != nil {
		return err
	}
	return j.KeepTree(slot)
}

// VerifyTree implements distributed.Keeper.
func (m *machine) VerifyTree(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error) {
	d, j, err := m.judge()
	if err != nil {
		return nil, 0, 0, err
	}
	parts := d.wholeParts()
	if err = j.ShowTree(slot, parts[m.Comm.Rank()].Lo); err == nil {
		err = d.all.gather(block.Whole, parts, false)
	}
	if err == nil {
		err = j.Sync()
	}
	if err == nil {
		err = d.all.settle() // no rank shows another tree while others read this one
	}
	if err != nil {
		return nil, 0, 0, err
	}
	levels, edges, loops, err = j.VerifyTree(ctx, slot)
	if invalid := (interface{ InvalidTree() })(nil); errors.As(err, &invalid) {
		err = distributed.Agreed(err)
	}
	return levels, edges, loops, err
}

// wholeParts are the pieces of all ranks in a whole tree, in bytes.
func (d *onDevice) wholeParts() (parts []rank.Span) {
	for r := range d.Comm.Size() {
		lo, hi := d.Parts.Words(r)
		parts = append(parts, rank.Span{Lo: 4 * 64 * lo, Hi: 4 * 64 * hi})
	}
	return parts
}

// Joined implements distributed.Keeper.
func (m *machine) Joined(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	_, j, err := m.judge()
	if err != nil {
		return nil, err
	}
	return j.Joined(ctx, candidates)
}

// CopyTree implements distributed.Keeper.
func (m *machine) CopyTree(slot int, t *hops.Tree) error {
	d, _, err := m.judge()
	if err != nil {
		return err
	}
	return d.copyTree(slot, t)
}

// copyTree copies this rank's piece of a tree to the host.
func (d *onDevice) copyTree(slot int, t *hops.Tree) error {
	first, end := d.Parts.Rank(d.Comm.Rank())
	root, err := d.accelerator.Tree(slot, t.Narrow[hops.Vertex(first)-t.First:][:end-first])
	t.Root = hops.Vertex(root)
	return err
}
