package graph_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
)

// same are all exported parts of a graph.
var same = cmp.Options{cmpopts.IgnoreUnexported(graph.Graph{}), cmpopts.EquateEmpty()}

func fileOf(t fataler, g *graph.Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := g.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d bytes: %v", n, b.Len(), err)
	}
	return b.Bytes()
}

func namesOf(t fataler, count hops.Vertex) *graph.Names {
	t.Helper()
	var text []byte
	var ends []uint64
	for v := range count {
		text = fmt.Appendf(text, "n%x", 7*v)
		ends = append(ends, uint64(len(text)))
	}
	l, err := graph.TextNames(text, ends)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// What is written is what is opened, mapped or read, by whatever way.
func TestFilesKeepGraphs(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		src, _ := drawSource(t)
		g := buildGraph(t, src)
		defer g.Close()
		switch rapid.IntRange(0, 2).Draw(t, "names") {
		case 1:
			g.Names = namesOf(t, g.NumVertices())
		case 2:
			numbers := make([]uint64, g.NumVertices())
			for v := range numbers {
				numbers[v] = 1<<40 + 3*uint64(v)
			}
			var err error
			if g.Names, err = graph.NamesFrom(graph.NameSections{Count: uint64(len(numbers)), Wide: numbers}); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, "graph.hops")
		if err := os.WriteFile(path, fileOf(t, g), 0o600); err != nil {
			t.Fatal(err)
		}
		mapped, err := graph.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer mapped.Close()
		read, err := graph.ReadGraph(bytes.NewReader(fileOf(t, g)), "stream")
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []*graph.Graph{mapped, read} {
			for v := range g.NumVertices() { // before all is verified
				if u, ok := got.Lookup(g.Name(v)); !ok || u != v || !slices.Equal(slices.Collect(got.InNeighbors(v)), slices.Collect(g.InNeighbors(v))) {
					t.Fatalf("vertex %d is called %s and found as %d, %t", v, g.Name(v), u, ok)
				}
			}
			if _, ok := got.Lookup("nobody"); ok || got.Err() != nil {
				t.Fatalf("found nobody, %v", got.Err())
			}
			if err := got.Verify(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(g, got, same); diff != "" {
				t.Fatalf("%s", diff)
			}
		}
	})
}

func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.hops")
	g := buildGraph(t, random(1000, 5000))
	if err := graph.Save(path, g); err != nil {
		t.Fatal(err)
	}
	got, err := graph.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if diff := cmp.Diff(g, got, same); diff != "" {
		t.Error(diff)
	}
	if finished, _ := got.Memory(); finished < 4*got.NumEntries() {
		t.Errorf("%d bytes for %d entries", finished, got.NumEntries())
	}
}

func TestRefusedFiles(t *testing.T) {
	g := buildGraph(t, random(30_000, 100_000))
	good := fileOf(t, g)
	changed := func(at int, to ...byte) []byte { b := slices.Clone(good); copy(b[at:], to); return b }
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":     {nil, "the file is empty"},
		"foreign":   {[]byte("0 1\n1 2\n"), "not a graph file of hops"},
		"header":    {good[:1000], "cut short: 1000 bytes, the header alone has 4096"},
		"truncated": {good[:len(good)-1], "cut short: "},
		"longer":    {append(slices.Clone(good), 0), "1 more than were written"},
		"version":   {changed(graph.VersionAt, 2), "version 2 of the format; this program reads version 1"},
		"damaged":   {changed(20, 99), "the header is damaged"},
		"sums":      {changed(len(good)-6, good[len(good)-6]^1), "the checksums are damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.hops")
			if err := os.WriteFile(path, c.file, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := graph.Open(path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "a.hops") {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if _, err := graph.Open(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(unwrap(err)) {
		t.Errorf("no file: %v", err)
	}
}

func unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return err
}

// A flipped bit anywhere in the sections is found before anyone searches, and a
// row that is handed out nevertheless is right.
func TestDamagedSections(t *testing.T) {
	g := buildGraph(t, hops.Directed(random(30_000, 100_000)))
	g.Names = namesOf(t, g.NumVertices())
	good := fileOf(t, g)
	r := rand.New(rand.NewPCG(1, 1))
	for number, s := range graph.Sections(good) {
		if s[0] == s[1] {
			continue
		}
		bad := slices.Clone(good)
		at := s[0] + r.Uint64N(s[1]-s[0])
		bad[at] ^= 1 << r.IntN(8)
		h, err := graph.ReadGraph(bytes.NewReader(bad), "bad.hops")
		if err != nil {
			t.Fatalf("section %d: %v", number, err)
		}
		for v := hops.Vertex(0); v < h.NumVertices(); v += 97 {
			if row, err := h.OutRow(v); err == nil && !slices.Equal(row, g.Out.Row(uint32(v))) {
				t.Fatalf("section %d: a wrong row of %d", number, v)
			}
			if name := h.Name(v); name != "" && name != g.Name(v) {
				t.Fatalf("section %d: %d is called %s", number, v, name)
			}
		}
		if err := h.Verify(); err == nil || !strings.Contains(err.Error(), "bad.hops: damaged between bytes") {
			t.Errorf("section %d, byte %d: %v", number, at, err)
		}
		if s, err := cpu.New(h, cpu.Options{}); err == nil {
			_ = s.Close()
			t.Errorf("section %d: searched a damaged graph", number)
		}
		if _, err := h.WriteTo(&bytes.Buffer{}); err == nil {
			t.Errorf("section %d: damage was written again", number)
		}
	}
}

// The methods that cannot return an error keep it.
func TestErrTellsOfDamage(t *testing.T) {
	g := buildGraph(t, random(30_000, 100_000))
	bad := fileOf(t, g)
	entries := graph.Sections(bad)[1]
	bad[entries[0]] ^= 1
	h, err := graph.ReadGraph(bytes.NewReader(bad), "bad.hops")
	if err != nil {
		t.Fatal(err)
	}
	first := hops.Vertex(0)
	for g.Degree(first) == 0 {
		first++
	}
	if h.Err() != nil || h.Degree(first) != 0 || h.Err() == nil {
		t.Errorf("degree %d, error %v", h.Degree(first), h.Err())
	}
	if err := graph.Walk(h, first, func(hops.Vertex, int) bool { return true }); err == nil {
		t.Error("walked over damage")
	}
}

// However a file is changed, if its checksums are right, no search crashes.
func FuzzOpen(f *testing.F) {
	g := buildGraph(f, random(300, 500))
	g.Names = namesOf(f, g.NumVertices())
	base := [][]byte{fileOf(f, g), fileOf(f, buildGraph(f, hops.Directed(random(100, 300))))}
	f.Add([]byte{})
	for at := range 400 / 4 { // the header, field by field
		f.Add([]byte{byte(4 * at), byte(4 * at >> 8), 0, 0xff})
	}
	f.Fuzz(func(t *testing.T, edits []byte) {
		for _, b := range base {
			tryFile(t, edit(b, edits))
		}
	})
}

// edit changes bytes of a file: two bytes and a bit of a third say where, one
// what is there then. Positions favour the header.
func edit(base, edits []byte) []byte {
	b := slices.Clone(base)
	for ; len(edits) >= 4; edits = edits[4:] {
		at := int(binary.LittleEndian.Uint16(edits))
		if edits[2]&1 == 0 {
			at %= 400
		}
		b[at%len(b)] = edits[3]
	}
	graph.Reseal(b)
	return b
}

func tryFile(t *testing.T, b []byte) {
	g, err := graph.ReadGraph(bytes.NewReader(b), "fuzz")
	if err != nil {
		return
	}
	defer g.Close()
	for v := range min(g.NumVertices(), 400) {
		for u := range g.Neighbors(v) {
			_ = g.Name(u)
		}
		_, _ = g.Lookup(g.Name(v))
	}
	if g.NumVertices() == 0 {
		return
	}
	_ = graph.Walk(g, 0, func(hops.Vertex, int) bool { return true })
	s, err := cpu.New(g, cpu.Options{Threads: 1})
	if err != nil {
		return
	}
	defer s.Close()
	if _, err := s.Search(context.Background(), 0, hops.NewTree(g.NumVertices())); err != nil {
		t.Fatal(err)
	}
}
