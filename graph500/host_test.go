package graph500

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/topo"
)

// A host reads and writes JSON as the facts it was made from do, so that results of
// earlier versions can be read.
func TestHostAsJSON(t *testing.T) {
	facts := topo.Facts{
		Model: "Abacus", Kernel: "6.1", HugePages: "always", Online: topo.CPUs{0, 1, 2, 8}, CPUs: topo.CPUs{0, 1}, Cores: 2, Sockets: 1,
		Nodes: []topo.Node{{ID: 1, CPUs: topo.CPUs{0, 1, 2}, Memory: 3}}, L1d: topo.Cache{Size: 4, CPUs: 5}, L3: topo.Cache{Size: 6, CPUs: 7},
		Memory: topo.Memory{Total: 8, Available: 9, Limit: 10, Cgroup: "/here"},
	}
	want, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	h := hostOf(facts)
	got, err := json.Marshal(h)
	if err != nil || string(got) != string(want) {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
	var back Host
	if err := json.Unmarshal(want, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h, back); diff != "" {
		t.Error(diff)
	}
}
