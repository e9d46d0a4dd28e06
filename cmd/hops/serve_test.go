package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// The memory of searchers is planned before a graph is opened: a file of 2³¹ vertices is
// refused for want of memory, although all but its header is a hole.
func TestServePlansBeforeItOpens(t *testing.T) {
	const (
		header   = 4096
		size     = 16 // where the header has the size of the file
		vertices = 24
		claimed  = 1 << 31
	)
	g, err := csr.Build(t.Context(), edge.List([]hops.Edge{{U: 0, V: 1}}, 2), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	var file bytes.Buffer
	if _, err := g.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	page := file.Bytes()[:header]
	if got := binary.LittleEndian.Uint64(page[vertices:]); got != 2 {
		t.Fatalf("the header says %d vertices", got)
	}
	binary.LittleEndian.PutUint64(page[size:], 1<<36)
	binary.LittleEndian.PutUint64(page[vertices:], claimed)
	binary.LittleEndian.PutUint32(page[header-4:], crc32.Checksum(page[:header-4], crc32.MakeTable(crc32.Castagnoli)))
	name := filepath.Join(t.TempDir(), "huge.hops")
	if err := os.WriteFile(name, page, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 1<<36); err != nil {
		t.Fatal(err)
	}
	if n, ok := graph.CountVertices(name); n != claimed || !ok {
		t.Fatalf("%d vertices, %v", n, ok)
	}
	var stderr bytes.Buffer
	code := run([]string{"serve", name, "--listen", ":0", "--searchers", "1024"}, &stderr, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "huge.hops: its searchers need") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}
