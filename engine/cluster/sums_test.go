package cluster

import (
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
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
		outcomes := make([]level.Outcome, len(s.Ranks))
		err := s.Together(func(r int) (err error) {
			m := machineOf(s, r)
			m.workers[0].tally = tally{}
			m.clock.gathering, m.clock.sent = took[r], x.sent
			_, outcomes[r], err = m.conclude(time.Now())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for r, o := range outcomes {
			if e := o.Exchange; e.Gathering != x.gathering || e.Waiting != x.waiting {
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
	outcomes := make([]level.Outcome, len(s.Ranks))
	err := s.Together(func(r int) (err error) {
		m := machineOf(s, r)
		m.workers[0].tally = tally{}
		m.workers[0].tally.counts[sumExamined] = int64([]int{20, 10, 60}[r])
		m.workers[0].tally.counts[sumWaiting] = int64([]int{3, 0, 0}[r])
		m.clock.gathering = []time.Duration{0, 3, 0}[r]
		_, outcomes[r], err = m.conclude(time.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for r, o := range outcomes {
		if got, want := o.Exchange.Work, (hops.Spread{Least: 10, Mean: 30, Most: 60}); got != want {
			t.Errorf("rank %d: work %+v, want %+v", r, got, want)
		}
		if got, want := o.Exchange.Waits, (hops.Spread{Least: 0, Mean: 2, Most: 3}); got != want {
			t.Errorf("rank %d: waiting %+v, want %+v", r, got, want)
		}
	}
}
