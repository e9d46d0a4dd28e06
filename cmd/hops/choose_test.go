package main

import (
	"errors"
	"strings"
	"testing"
)

// The choice depends on the size of the work, the graph and the GPU, in this order, and
// the driver is not started where it does not matter.
func TestChoose(t *testing.T) {
	h200 := func() (string, int64, error) { return "NVIDIA H200", 40 << 30, nil }
	none := func() (string, int64, error) { return "", 0, errors.New("no CUDA driver") }
	never := func() (string, int64, error) { t.Error("started the driver"); return "", 0, nil }
	large := workload{vertices: 1 << 24, edges: 1 << 28, searches: 1024}
	huge := workload{vertices: 1 << 30, edges: 1 << 34, searches: 1 << 30}
	whole := workload{vertices: 1 << 30, edges: 1 << 34, searches: 1}
	one, ranks, directed, shared := large, large, large, large
	one.searches, ranks.processes, directed.directed = 1, 4, true
	shared.edges, shared.searches = 1<<22, 600
	for _, c := range []struct {
		name   string
		load   workload
		probe  func() (string, int64, error)
		engine string
		why    string
	}{
		{"small", workload{vertices: 10, edges: 20, searches: 64}, never, "cpu", "20 edges"},
		{"one search", one, never, "cpu", "1 × 268 M edges"},
		{"one search of a huge graph", whole, never, "cpu", "1 × 17.2 G edges"},
		{"ranks", ranks, never, "cluster", "4 processes"},
		{"no GPU", large, none, "cpu", "no CUDA driver"},
		{"too large", huge, h200, "cpu", "40 GiB free of"},
		{"large", large, h200, "gpu", "1024 × 268 M edges to search; NVIDIA H200, 40 GiB free"},
		{"directed", directed, h200, "gpu", "1024 × 268 M edges to search; NVIDIA H200, 40 GiB free"},
		{"many searches of a small graph", shared, never, "cpu", "600 × 4.19 M edges"},
	} {
		engine, why := choose(c.load, 16, c.probe)
		if engine != c.engine || !strings.HasPrefix(why, engine+": ") || !strings.Contains(why, c.why) {
			t.Errorf("%s: %s, because %q", c.name, engine, why)
		}
	}
}
