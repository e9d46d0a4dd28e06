package cluster

import (
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/rank"
)

// network is a Comm whose exchanges take a time by its clock, and move nothing.
type network struct {
	rank.Comm
	rank.Clock
	takes, taken time.Duration
}

func (n *network) Exchange([]byte, []int64, []byte, []int64) error {
	n.taken += n.takes
	return nil
}

func (n *network) Now() time.Time { return n.Clock.Now().Add(n.taken) }

// Edges for other hosts are packed if the network is slow, even if it is for one rank alone, and sent
// as they are in memory if it is fast.
func TestNetworkDecidesTheEncoding(t *testing.T) {
	src := kronecker(t, 14)
	for takes, packs := range map[time.Duration]bool{0: false, time.Minute: true} {
		s := mustBuild(t, src, Options{Ranks: 2, Hosts: 2, Threads: 1, Exchange: "messages", Light: true})
		err := s.Together(func(r int) error {
			m := machineOf(s, r)
			comm, clock := m.Comm, m.Clock
			slow := &network{Comm: comm, Clock: clock, takes: time.Duration(r) * takes}
			m.InProcess, m.Comm, m.Clock = false, slow, slow
			defer func() { m.InProcess, m.Comm, m.Clock = true, comm, clock }()
			return m.delivery.(*asynchronous[uint32]).chooseEncoding()
		})
		if err != nil {
			t.Fatal(err)
		}
		trace, err := s.Search(t.Context(), 1, newTree(s))
		if err != nil {
			t.Fatal(err)
		}
		var edges, encoded int64
		for _, l := range trace.Levels {
			edges += l.Exchange.Forward
			encoded += l.Exchange.Encoded
		}
		if perEdge := float64(encoded) / float64(edges); edges < 10_000 || packs != (perEdge < 4) || !packs && perEdge < 8 {
			t.Errorf("an exchange takes %v: %.2f bytes for each of %d edges", takes, perEdge, edges)
		}
	}
}

// Differential edges of a rank that has too many vertices for them are refused, not replaced.
func TestDifferentialEdgesThatDoNotFit(t *testing.T) {
	src := edge.List([]hops.Edge{{U: 0, V: 1}}, 1<<23+1)
	s, err := Build(t.Context(), src, Options{Ranks: 1, Threads: 1, Encoding: "differential"})
	if err == nil || !strings.Contains(err.Error(), "encoding=differential: rank 0 has 8388609 vertices") {
		t.Errorf("error %v", err)
	}
	if err == nil {
		_ = s.Close()
	}
}
