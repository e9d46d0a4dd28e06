package cluster

import (
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// A slow lookup takes its time for every block.
type slow struct{ lookup[uint32] }

func (s *slow) block(me, w *worker[uint32], next bitset.Set, lo, hi int64) int64 {
	time.Sleep(3 * time.Millisecond)
	return s.lookup.block(me, w, next, lo, hi)
}

// helped counts the blocks of a rank that others have finished in the last level.
func helped(m *machine[uint32]) (blocks int) {
	x := m.lookup.(*slow).lookup.(*headsAndTails).helping
	for i := range x.own {
		for b := range x.own[i].finished {
			if x.own[i].finished[b].Load()-m.gatherings*finishes-byHelper < finishes-byHelper {
				blocks++
			}
		}
	}
	return blocks
}

// Ranks take blocks of one that is slow, and what they find there is in its tree. All
// levels are bottom-up, so that in the first of them rows are scanned to their ends.
func TestRanksHelpEachOther(t *testing.T) {
	src := kronecker(t, 16)
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{
		{Ranks: 2, Threads: 1},
		{Ranks: 3, Threads: 2},
		{Ranks: 4, Threads: 1, Hosts: 2},
	} {
		o.helping, o.Exchange, o.reference = true, "allgather", testing.Short()
		s := mustBuild(t, src, o)
		for r := range s.Ranks {
			s.Ranks[r].Policy = level.Fixed{Direction: level.BottomUp}
		}
		m := machineOf(s, 0)
		m.lookup = &slow{lookup: m.lookup}
		tree := newTree(s)
		for _, root := range []uint32{1, 31} {
			tree.Reset()
			if _, err := near.Search(t.Context(), s, tree, root); err != nil {
				t.Errorf("%+v: %v", o, err)
			}
			validate(t, s, src, tree)
			if helped(m) == 0 {
				t.Errorf("%+v: no rank has helped a slow one", o)
			}
		}
	}
}

// Ranks that have trees of their own help each other with the first of them, and leave the
// others alone: what they can reach is the first.
func TestHelpWithTheFirstTree(t *testing.T) {
	src := kronecker(t, 15)
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	comms, err := rank.Local(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	blocks, procs := [2]int{}, runtime.GOMAXPROCS(0)
	err = together(comms, func(c rank.Comm) error {
		r, err := distributed.Join(t.Context(), c, src, Options{Threads: 1, helping: true, Exchange: "allgather"}.engine())
		if err != nil {
			return err
		}
		defer r.Close()
		if now := runtime.GOMAXPROCS(0); now != procs {
			t.Errorf("Go has %d processors, had %d: a rank has confined a process that it shares with others", now, procs)
		}
		r.Policy = level.Fixed{Direction: level.BottomUp}
		m := r.Machine.(*machine[uint32])
		if c.Rank() == 0 {
			m.lookup = &slow{lookup: m.lookup}
		}
		for i := range blocks {
			if err := near.SearchPart(t.Context(), r, 1); err != nil {
				return err
			}
			if c.Rank() == 0 {
				blocks[i] = helped(m)
			}
		}
		return nil
	})
	if err != nil || blocks[0] == 0 || blocks[1] != 0 {
		t.Errorf("%d and %d blocks, %v, want some and none", blocks[0], blocks[1], err)
	}
}

// together runs f for every rank.
func together(comms []rank.Comm, f func(rank.Comm) error) error {
	errs := make([]error, len(comms))
	var ranks sync.WaitGroup
	for i, c := range comms {
		ranks.Go(func() { errs[i] = f(c) })
	}
	ranks.Wait()
	return errors.Join(errs...)
}

// An owner that waits for a block of a rank that has failed returns with that failure.
func TestHelperFails(t *testing.T) {
	s := mustBuild(t, kronecker(t, 15), Options{Ranks: 2, Threads: 1, helping: true})
	m := machineOf(s, 0)
	h := m.lookup.(*headsAndTails)
	m.gatherings++
	cause := errors.New("it broke")
	s.Ranks[1].Comm.Abort(cause)
	_, err := h.awaitBlock(&h.helping.own[0].finished[0])
	if f := (*rank.Failure)(nil); !errors.As(err, &f) || f.Rank != 1 || !errors.Is(err, cause) {
		t.Errorf("%v, want the failure of rank 1", err)
	}
}

// Ranks that share cores do not help each other: they would wait for one that is not running.
func TestWhoHelps(t *testing.T) {
	m := machineOf(mustBuild(t, kronecker(t, 8), Options{Ranks: 64, Threads: 1}), 0)
	for o, want := range map[Options]bool{
		{}:                                  false,
		{helping: true}:                     true,
		{helping: true, Gather: "per-rank"}: false,
	} {
		if got := m.canHelp(o); got != want {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
	}
	m.OwnCores = true
	if !m.canHelp(Options{}) {
		t.Error("ranks with a core each do not help each other")
	}
}
