package grid

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/alltoall"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/partition"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A rank takes the parents of its own vertices, and refuses those of others, parents that
// are no vertices, and messages that are too short or too long.
func TestParentsThatOthersSend(t *testing.T) {
	const n = 100
	parts := partition.Even(n, 2, 1)
	first, end := parts.Rank(1)
	last := end - first - 1 // of the vertices of rank 1
	if last >= 63 {
		t.Fatalf("rank 1 has %d vertices, which leave no bit of its word", last+1)
	}
	for name, message := range map[string]struct {
		words []uint64
		ok    bool
	}{
		"the last vertex":              {[]uint64{1 << last, 5}, true},
		"none":                         {[]uint64{0}, true},
		"a vertex behind the last one": {[]uint64{1 << (last + 1), 5}, false},
		"a parent of another graph":    {[]uint64{1, 1 << 20}, false},
		"no parents":                   {[]uint64{3}, false},
		"too many parents":             {[]uint64{1, 5, 6}, false},
		"nothing":                      {nil, false},
	} {
		comms, err := rank.Local(2, 2)
		if err != nil {
			t.Fatal(err)
		}
		sent := make(chan error)
		go func() {
			m := &distributed.Member{Comm: comms[0]}
			sent <- alltoall.New(comms[0], 1, &m.Memory).Send(message.words, []int64{0, 0, int64(len(message.words))})
		}()
		member := &distributed.Member{Comm: comms[1], Parts: parts, N: n}
		at := gridRank{Member: member, rows: 1, columns: 2, j: 1, row: comms[1], numbers: newNumbers(parts, 1, 2)}
		p := newPredecessors(&machine{gridRank: at, tree: hops.NewTreePart(n, hops.Vertex(first), hops.Vertex(end-first))})
		if err := p.exchange.Send(nil, make([]int64, 3)); err != nil {
			t.Fatal(err)
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		if err := p.takeSent(); (err == nil) != message.ok {
			t.Errorf("%s: error %v", name, err)
		}
		if got := p.tree.Parent(hops.Vertex(end - 1)); name == "the last vertex" && got != 5 {
			t.Errorf("the parent of the last vertex is %d, want 5", got)
		}
		_ = member.Memory.Close()
	}
}
