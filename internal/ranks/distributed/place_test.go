package distributed

import (
	"sync"
	"testing"

	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Ranks that are processes count the threads of all ranks of their host against the CPUs
// that these ranks may use.
func TestRanksKnowWhetherTheyShareCPUs(t *testing.T) {
	for _, x := range []struct {
		name  string
		hosts int
		cpus  []topo.CPUs // of each rank
		own   bool
	}{
		{"a CPU for each", 1, []topo.CPUs{{0, 1}, {0, 1}}, true},
		{"three on two CPUs", 1, []topo.CPUs{{0, 1}, {0, 1}, {0, 1}}, false},
		{"three on two CPUs of two hosts", 2, []topo.CPUs{{0, 1}, {0, 1}, {0, 1}}, true},
		{"bound to a CPU each", 1, []topo.CPUs{{3}, {5}}, true},
		{"bound to the same CPU", 1, []topo.CPUs{{3}, {3}}, false},
	} {
		comms, err := rank.Local(len(x.cpus), x.hosts)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for r, c := range comms {
			wg.Go(func() {
				e := Engine{Name: "test", Threads: 1, MaxThreads: 1, Nodes: []topo.Node{{CPUs: x.cpus[r], Memory: 1}}}
				m, err := newMember(c, edge.List(nil, 1), e)
				if err != nil {
					t.Error(err)
					return
				}
				if got := m.Backoff(); got.OwnCore != x.own || !got.Processes {
					t.Errorf("%s: rank %d waits as %+v", x.name, r, got)
				}
				_ = m.close()
			})
		}
		wg.Wait()
	}
}
