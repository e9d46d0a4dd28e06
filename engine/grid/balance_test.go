package grid

import (
	"testing"

	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
)

// What each of two ranks examined and sent adds up to what both did, on every shape, and
// on devices.
func TestBalanceAddsUp(t *testing.T) {
	for _, o := range []Options{
		{Shape: "1x2"},
		{Shape: "2x1"},
		{Shape: "1x2", Row: "prefix"},
		{Shape: "2x1", Predecessors: "level"},
		{Shape: "1x2", Labels: "wide"},
		{Shape: "1x2", Device: on(addressedDevice)},
	} {
		o.Ranks, o.Hosts, o.Threads, o.reference = 2, 2, 1, testing.Short()
		s := mustBuild(t, kronecker(t, 10), o)
		trace, err := s.Search(t.Context(), 1, newTree(s))
		if err != nil {
			t.Fatal(err)
		}
		if err := ranktest.Balanced(trace.Levels); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
		sent := int64(0)
		for _, l := range trace.Levels {
			sent += l.Exchange.Sent.Most
		}
		if sent == 0 {
			t.Errorf("%+v: no rank has sent anything", o)
		}
	}
}

// From a frontier of one vertex, all work is that of the rank that has its column.
func TestOneRankHasAllWork(t *testing.T) {
	path, err := edge.NewGrid(100, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := mustBuild(t, path, Options{Ranks: 2, Shape: "1x2", Threads: 1, Direction: "top-down"})
	trace, err := s.Search(t.Context(), 0, newTree(s))
	if err != nil || len(trace.Levels) != 100 {
		t.Fatal(len(trace.Levels), err)
	}
	for i, l := range trace.Levels {
		if x := l.Exchange.Work; l.Examined == 0 || x.Least != 0 || x.Most != l.Examined {
			t.Errorf("level %d: %d entries examined, %+v by ranks", i, l.Examined, x)
		}
	}
	if err := ranktest.Balanced(trace.Levels); err != nil {
		t.Error(err)
	}
}
