package distributed

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
)

// Trees that stay in the memory of devices: what the benchmark calls OnDevice.

// A Keeper is an OnDevice whose searches may leave their trees on the devices, in slots, and
// which validates them there. All ranks call its methods in the same order. Errors that all of
// them return are Agreed.
type Keeper interface {
	OnDevice
	// Slots makes room for up to want trees and for their validation, and returns for how
	// many there is room: at least one.
	Slots(want int) (have int, err error)
	// KeepTree copies the tree of the last search from slot 0 to another one.
	KeepTree(slot int) error
	// VerifyTree validates the tree of a slot by the edges of the source.
	VerifyTree(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error)
	// Joined tells which vertices have an edge to another one, by the edges of the source.
	Joined(ctx context.Context, candidates []hops.Vertex) ([]bool, error)
	// CopyTree copies this rank's piece of the tree of a slot to a tree of the host.
	CopyTree(slot int, t *hops.Tree) error
}

// A RankOnDevice is a Rank whose searches may leave trees on its device.
type RankOnDevice struct {
	*Rank
	keeper Keeper
}

// OnDevice returns the rank as one that may leave trees on its device.
func (r *Rank) OnDevice() (*RankOnDevice, error) {
	k, ok := r.Machine.(Keeper)
	if !ok || k.DeviceName() == "" || r.Wide {
		return nil, fmt.Errorf("%s: trees stay on devices that search, in graphs whose labels take 32 bits", r.Engine)
	}
	return &RankOnDevice{r, k}, nil
}

// together runs what all ranks do, and tells the others of an error that they do not know.
func (r *RankOnDevice) together(f func() error) error {
	if err := r.turn.Begin(r.Engine); err != nil {
		return err
	}
	defer r.turn.End()
	defer r.enter()()
	err := f()
	if err != nil && !errors.Is(err, errAgreed) {
		r.Comm.Abort(err)
	}
	return err
}

// SearchOnDevice is a search whose tree stays in slot 0, in pieces on the devices of all ranks.
func (r *RankOnDevice) SearchOnDevice(ctx context.Context, root hops.Vertex) (trace hops.Trace, err error) {
	err = r.together(func() (err error) {
		trace, err = r.search(ctx, root, nil)
		return err
	})
	return trace, err
}

// Slots makes room for up to want trees, and returns for how many there is room.
func (r *RankOnDevice) Slots(want int) (have int, err error) {
	err = r.together(func() (err error) {
		have, err = r.keeper.Slots(want)
		return err
	})
	return have, err
}

// KeepTree copies the tree in slot 0 to another slot.
func (r *RankOnDevice) KeepTree(slot int) error {
	return r.together(func() error { return r.keeper.KeepTree(slot) })
}

// VerifyOnDevice validates the tree of a slot.
func (r *RankOnDevice) VerifyOnDevice(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error) {
	err = r.together(func() (err error) {
		levels, edges, loops, err = r.keeper.VerifyTree(ctx, slot)
		return err
	})
	return levels, edges, loops, err
}

// JoinedOnDevice tells which candidates have an edge to another vertex.
func (r *RankOnDevice) JoinedOnDevice(ctx context.Context, candidates []hops.Vertex) (joined []bool, err error) {
	err = r.together(func() (err error) {
		joined, err = r.keeper.Joined(ctx, candidates)
		return err
	})
	return joined, err
}

// CopyTree copies this rank's piece of the tree of a slot to the host.
func (r *RankOnDevice) CopyTree(slot int, t *hops.Tree) error {
	return r.together(func() error {
		if err := r.fits(t); err != nil {
			return err
		}
		return r.keeper.CopyTree(slot, t)
	})
}

// A SearcherOnDevice is a Searcher whose searches may leave trees on the devices of its ranks.
type SearcherOnDevice struct {
	*Searcher
	ranks []*RankOnDevice
}

// OnDevice returns the searcher as one that may leave trees on the devices of its ranks.
func (s *Searcher) OnDevice() (*SearcherOnDevice, error) {
	d := &SearcherOnDevice{Searcher: s}
	for _, r := range s.Ranks {
		on, err := r.OnDevice()
		if err != nil {
			return nil, err
		}
		d.ranks = append(d.ranks, on)
	}
	return d, nil
}

// SearchOnDevice is a search whose tree stays in slot 0.
func (s *SearcherOnDevice) SearchOnDevice(ctx context.Context, root hops.Vertex) (hops.Trace, error) {
	return first(s, func(r *RankOnDevice) (hops.Trace, error) { return r.SearchOnDevice(ctx, root) })
}

// Slots makes room for up to want trees, and returns for how many there is room.
func (s *SearcherOnDevice) Slots(want int) (int, error) {
	return first(s, func(r *RankOnDevice) (int, error) { return r.Slots(want) })
}

// KeepTree copies the tree in slot 0 to another slot.
func (s *SearcherOnDevice) KeepTree(slot int) error {
	return s.Together(func(r int) error { return s.ranks[r].KeepTree(slot) })
}

// VerifyOnDevice validates the tree of a slot.
func (s *SearcherOnDevice) VerifyOnDevice(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error) {
	type counts struct {
		levels       []int64
		edges, loops int64
	}
	c, err := first(s, func(r *RankOnDevice) (c counts, err error) {
		c.levels, c.edges, c.loops, err = r.VerifyOnDevice(ctx, slot)
		return c, err
	})
	return c.levels, c.edges, c.loops, err
}

// JoinedOnDevice tells which candidates have an edge to another vertex.
func (s *SearcherOnDevice) JoinedOnDevice(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	return first(s, func(r *RankOnDevice) ([]bool, error) { return r.JoinedOnDevice(ctx, candidates) })
}

// CopyTree copies the tree of a slot to the host.
func (s *SearcherOnDevice) CopyTree(slot int, t *hops.Tree) error {
	roots := make([]hops.Vertex, len(s.ranks))
	err := s.Together(func(r int) error {
		part := hops.Tree{Narrow: t.Narrow, Wide: t.Wide, First: t.First}
		err := s.ranks[r].CopyTree(slot, &part)
		roots[r] = part.Root
		return err
	})
	t.Root = roots[0]
	return err
}

// first returns what the first rank returns, when all ranks are done.
func first[T any](s *SearcherOnDevice, f func(*RankOnDevice) (T, error)) (T, error) {
	all := make([]T, len(s.ranks))
	err := s.Together(func(r int) (err error) {
		all[r], err = f(s.ranks[r])
		return err
	})
	return all[0], err
}
