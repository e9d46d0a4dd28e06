package projection

import (
	"math"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
)

// A search takes 10 % longer than its nodes work with every doubling of the nodes: then
// so it does beyond the sizes that were seen, and a projection with it.
func TestImbalanceGrowsWithTheNodes(t *testing.T) {
	runs := TwinRuns(18)
	var searches [][]graph500.Search
	for _, r := range runs {
		took := math.Pow(1.1, math.Log2(float64(r.Nodes)))
		searches = append(searches, []graph500.Search{{Levels: []hops.Level{{
			Time:     time.Duration(1e9 * took),
			Exchange: &hops.Exchange{Computing: 5e8, Sending: 4e8, Switching: 1e8},
		}}}})
	}
	var m Model
	if got := m.Imbalance.of(1 << 16); got != 1 {
		t.Errorf("%g before anything was learned", got)
	}
	m.LearnImbalance(runs, searches)
	for _, nodes := range []float64{1, 64, 65536} {
		if got, want := m.Imbalance.of(nodes), math.Pow(1.1, math.Log2(nodes)); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%g nodes: %g, want %g", nodes, got, want)
		}
	}
}
