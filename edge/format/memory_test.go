package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/topo"
)

// within allows only so many bytes.
func within(available int64) func(int64) error {
	return func(needed int64) error {
		if needed > available {
			return &topo.Shortage{Needed: needed, Available: available}
		}
		return nil
	}
}

// A small file may become any number of edges. Reading ends before memory does, and
// says what it needs and what there is.
func TestPackedBombsAreRefused(t *testing.T) {
	text := bytes.Repeat([]byte("1 2\n"), 1<<19)
	for _, w := range []way{{"gzip", 1 << 16, 2}, {"zstd", 1 << 16, 2}, {"plain", 1 << 16, 2}} {
		_, err := w.open(t, "bomb.el", text, Options{fits: within(2 << 20), memoryStep: 1 << 20})
		var short *topo.Shortage
		if !errors.As(err, &short) || short.Needed <= short.Available || !strings.Contains(err.Error(), "bomb.el:") {
			t.Errorf("%s: %v", w.compression, err)
		}
		if w.compression == "plain" && short != nil && short.Needed < int64(len(text)) {
			t.Errorf("the size of the file is known, but %d bytes are planned for", short.Needed)
		}
	}
	long := bytes.Repeat([]byte("1 "), 1<<20)
	for _, compression := range []string{"gzip", "plain"} {
		_, err := way{compression, 1 << 16, 2}.open(t, "line.graph", append([]byte("5 5\n"), long...), Options{Format: "metis", fits: within(4 << 20), memoryStep: 1 << 20})
		var short *topo.Shortage
		if !errors.As(err, &short) {
			t.Errorf("a line of %d bytes, %s: %v", len(long), compression, err)
		}
	}
}

// Nodes and edges that wait for others are in memory too.
func TestWaitingPartsAreRefused(t *testing.T) {
	nodes := strings.Repeat("node [ id 1 ]\n", 1<<14)
	edges := strings.Repeat("edge [ source 1 target 2 ]\n", 1<<14)
	links := strings.Repeat(`{"source": 1, "target": 2},`, 1<<14)
	names := strings.Repeat(`{"name": "a"},`, 1<<14)
	for name, data := range map[string]string{
		"nodes.gml":  "graph [\n" + nodes,
		"edges.gml":  "graph [\n" + edges,
		"links.json": `{"links": [` + links,
		"names.json": `{"nodes": [` + names,
	} {
		_, err := way{"pipe", 1 << 16, 2}.open(t, name, []byte(data), Options{fits: within(1 << 20), memoryStep: 1 << 19})
		var short *topo.Shortage
		if !errors.As(err, &short) || !strings.Contains(err.Error(), ": reading on needs ") || strings.Contains(err.Error(), "JSON") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Labels of packed edges that are far apart become names, wherever the edges are.
func TestSparsePackedLabels(t *testing.T) {
	edges := [][2]uint64{{7, 1 << 47}, {1 << 40, 7}, {1 << 47, 3}}
	var data, weights []byte
	for i, e := range edges {
		data = binary.LittleEndian.AppendUint32(data, uint32(e[0]))
		data = binary.LittleEndian.AppendUint32(data, uint32(e[1]))
		data = binary.LittleEndian.AppendUint32(data, uint32(e[0]>>32)|uint32(e[1]>>32)<<16)
		weights = binary.LittleEndian.AppendUint32(weights, 0x3f800000+uint32(i)<<23)
	}
	path := filepath.Join(t.TempDir(), "sparse.packed")
	for name, open := range map[string]func() (*Input, error){
		"pipe":    func() (*Input, error) { return way{"pipe", 12, 2}.open(t, "sparse.packed", data, Options{}) },
		"gzip":    func() (*Input, error) { return way{"gzip", 12, 2}.open(t, "sparse.packed", data, Options{}) },
		"file":    func() (*Input, error) { return Open(t.Context(), path, Options{}) },
		"weights": func() (*Input, error) { return Open(t.Context(), path, Options{}) },
	} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(path + ".weights")
		if name == "weights" {
			if err := os.WriteFile(path+".weights", weights, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		in, err := open()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := make([]hops.Edge, 3)
		if n, err := in.edges.EdgesAt(got, 0); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		want := []hops.Edge{{U: 1, V: 3}, {U: 2, V: 1}, {U: 3, V: 0}}
		if in.edges.NumVertices() != 4 || !slices.Equal(got, want) || in.Names.Name(3) != "140737488355328" {
			t.Errorf("%s: %d vertices, %v", name, in.edges.NumVertices(), got)
		}
		if ws, ok := in.edges.(hops.WeightedSource); ok != (name == "weights") {
			t.Errorf("%s: weighted %t", name, ok)
		} else if ok {
			got := make([]float32, 3)
			if _, err := ws.WeightsAt(got, 0); err != nil || !slices.Equal(got, []float32{1, 2, 4}) {
				t.Errorf("weights %v, %v", got, err)
			}
		}
		_ = in.Close()
	}
}

// Names far apart are collected in tables, which grow no further than memory.
func TestSparseNamesAreRefused(t *testing.T) {
	tables := newTable()
	tables.fits = within(10 << 20)
	for x := range uint64(4 << 20) {
		tables.add(x << 20)
	}
	if tables.full == nil || len(tables.slots) > memoryStep/8 {
		t.Errorf("%d slots, %v", len(tables.slots), tables.full)
	}
}
