package cluster

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
)

// levelsOf are the levels of a search by two ranks, on hosts of their own.
func levelsOf(t *testing.T, src hops.Source, root hops.Vertex, o Options) []hops.Level {
	t.Helper()
	o.Ranks, o.Hosts = 2, 2
	s := mustBuild(t, src, o)
	trace, err := s.Search(t.Context(), root, newTree(s))
	if err != nil {
		t.Fatal(err)
	}
	return trace.Levels
}

// What each of two ranks examined and sent adds up to what both did, in every exchange.
func TestBalanceAddsUp(t *testing.T) {
	for _, o := range []Options{
		{Threads: 2},
		{Threads: 1, Labels: "wide"},
		{Threads: 2, Sync: "bulk", Exchange: "probe"},
		{Threads: 1, Exchange: "messages"},
		{Threads: 2, Exchange: "probe"},
		{Threads: 2, Exchange: "allgather"},
	} {
		levels := levelsOf(t, kronecker(t, 10), 1, o)
		if err := ranktest.Balanced(levels); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
		bytes := int64(0)
		for _, l := range levels {
			bytes += l.Exchange.Sent.Most
		}
		if bytes == 0 {
			t.Errorf("%+v: no rank has sent anything", o)
		}
	}
}

// From a frontier of one vertex, all work is that of the rank that owns it.
func TestOneRankHasAllWork(t *testing.T) {
	path, err := edge.NewGrid(100, 1)
	if err != nil {
		t.Fatal(err)
	}
	levels := levelsOf(t, path, 0, Options{Threads: 1, Exchange: "messages", Light: true})
	if len(levels) != 100 {
		t.Fatalf("%d levels", len(levels))
	}
	for i, l := range levels {
		if x := l.Exchange.Work; l.Examined == 0 || x.Least != 0 || x.Most != l.Examined {
			t.Errorf("level %d: %d entries examined, %+v by ranks", i, l.Examined, x)
		}
	}
	if err := ranktest.Balanced(levels); err != nil {
		t.Error(err)
	}
}

// From the middle of a star its owner sends an edge for each vertex of the other rank, which
// sends next to nothing; in the next level each rank examines the rows of its own vertices.
func TestOneRankSendsAllEdges(t *testing.T) {
	const leaves = 4000
	star := make([]hops.Edge, leaves)
	for i := range star {
		star[i].V = hops.Vertex(i + 1)
	}
	levels := levelsOf(t, edge.List(star, leaves+1), 0, Options{Threads: 1, Exchange: "messages", Light: true})
	if err := ranktest.Balanced(levels); err != nil {
		t.Error(err)
	}
	from, back := levels[0].Exchange, levels[1].Exchange
	if from.Forward == 0 || from.Sent.Most < from.Encoded || 10*from.Sent.Least > from.Encoded {
		t.Errorf("%d edges of %d bytes were sent, %+v bytes by ranks", from.Forward, from.Encoded, from.Sent)
	}
	if want := max(from.Forward, leaves-from.Forward); from.Work.Most != leaves || back.Work.Most != want || back.Work.Least != leaves-want {
		t.Errorf("entries examined by ranks: %+v and %+v, want %d, then %d and %d", from.Work, back.Work, leaves, leaves-want, want)
	}
}
