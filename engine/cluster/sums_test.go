package cluster

import (
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/distributed"
)

// Gathering takes as long as for the rank that comes last; the others wait for it.
func TestLastToGather(t *testing.T) {
	s := mustBuild(t, kronecker(t, 8), Options{Ranks: 3, Threads: 1, Exchange: "allgather"})
	if _, err := s.Search(t.Context(), 3, newTree(s)); err != nil {
		t.Fatal(err)
	}
	took := []time.Duration{5 * time.Millisecond, 2 * time.Millisecond, 11 * time.Millisecond}
	for _, x := range []struct {
		sent               bool
		gathering, waiting time.Duration
	}{
		{true, 2 * time.Millisecond, 4 * time.Millisecond},
		{false, 6 * time.Millisecond, 0},
	} {
		exchanges := mustConclude(t, s, func(r int, m *machine[uint32]) { m.clock.gathering, m.clock.sent = took[r], x.sent })
		for r, e := range exchanges {
			if e.Gathering != x.gathering || e.Waiting != x.waiting {
				t.Errorf("rank %d, sent %v: gathering %v and waiting %v, want %v and %v", r, x.sent, e.Gathering, e.Waiting, x.gathering, x.waiting)
			}
		}
	}
}

// The trace tells how unequal the ranks were.
func TestBalance(t *testing.T) {
	s := mustBuild(t, kronecker(t, 8), Options{Ranks: 3, Threads: 1})
	if _, err := s.Search(t.Context(), 3, newTree(s)); err != nil {
		t.Fatal(err)
	}
	exchanges := mustConclude(t, s, func(r int, m *machine[uint32]) {
		m.workers[0].tally.counts[sumExamined] = int64([]int{20, 10, 60}[r])
		m.workers[0].tally.counts[sumWaiting] = int64([]int{3, 0, 0}[r])
		m.clock.gathering, m.clock.sent = []time.Duration{0, 3, 0}[r], false
	})
	for r, e := range exchanges {
		if got, want := e.Work, (hops.Spread{Least: 10, Mean: 30, Most: 60}); got != want {
			t.Errorf("rank %d: work %+v, want %+v", r, got, want)
		}
		if got, want := e.Waits, (hops.Spread{Least: 0, Mean: 2, Most: 3}); got != want {
			t.Errorf("rank %d: waiting %+v, want %+v", r, got, want)
		}
	}
}

// mustConclude concludes a level in which every rank did what did says, and returns what
// each tells of it.
func mustConclude(t *testing.T, s *distributed.Searcher, did func(rank int, m *machine[uint32])) []*hops.Exchange {
	t.Helper()
	exchanges := make([]*hops.Exchange, len(s.Ranks))
	err := s.Together(func(r int) error {
		m := machineOf(s, r)
		m.Forget()
		m.workers[0].tally = tally{}
		did(r, m)
		_, done, err := m.conclude(time.Now())
		if err != nil {
			return err
		}
		exchanges[r] = done.Exchange
		return m.CompleteLevels([]hops.Level{{Exchange: done.Exchange}})
	})
	if err != nil {
		t.Fatal(err)
	}
	return exchanges
}
