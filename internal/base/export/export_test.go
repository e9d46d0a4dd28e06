package export_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/export"
)

// weighted is the path 0–1–2 with two weights.
func weighted(t *testing.T, first, second float32) *graph.Graph {
	t.Helper()
	edges := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}}, 3)
	g, err := csr.BuildWeighted(t.Context(), edge.WithWeights(edges, []float32{first, second}), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// METIS has integers for weights. Those that it is given come back, and others are refused.
func TestWeightsOfMetis(t *testing.T) {
	for _, w := range []float32{1, 7, 1 << 24, 1 << 40, math.Nextafter32(1<<63, 0)} {
		var out bytes.Buffer
		if err := export.Write(t.Context(), &out, weighted(t, w, 1), "metis"); err != nil {
			t.Fatalf("%g: %v", w, err)
		}
		path := filepath.Join(t.TempDir(), "a.graph")
		if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		g, err := format.Load(context.Background(), path, format.Options{})
		if err != nil {
			t.Fatalf("%g: %v", w, err)
		}
		if got := g.Out.Weights[0]; got != w {
			t.Errorf("weight %g came back as %g", w, got)
		}
		_ = g.Close()
	}
	for _, w := range []float32{0, 0.5, 1.5, 1 << 63, math.MaxFloat32} {
		err := export.Write(t.Context(), new(bytes.Buffer), weighted(t, 1, w), "metis")
		if err == nil || !strings.Contains(err.Error(), "whole numbers from 1 to 2^63-1") {
			t.Errorf("weight %g: error %v", w, err)
		}
	}
}
