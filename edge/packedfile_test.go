package edge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

// store writes the list of src, and its weights if asked to, into a new folder.
func store(t testing.TB, src hops.WeightedSource, weights bool) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "edges")
	var b bytes.Buffer
	if err := WritePacked(t.Context(), &b, src, 1, nil); err != nil {
		t.Fatal(err)
	}
	storeBytes(t, path, b.Bytes())
	if weights {
		b.Reset()
		if err := WriteWeights(t.Context(), &b, src, 1, nil); err != nil {
			t.Fatal(err)
		}
		storeBytes(t, path+WeightsSuffix, b.Bytes())
	}
	return path
}

func storeBytes(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestPackedFileReadsAnywhere(t *testing.T) {
	k := kronecker(t, 9)
	want := all(t, k)
	wantWeights := make([]float32, len(want))
	if _, err := k.WeightsAt(wantWeights, 0); err != nil {
		t.Fatal(err)
	}
	p := must[*PackedFile](t)(OpenPacked(store(t, k, true), 1<<9))
	defer p.Close()
	if p.NumEdges() != k.NumEdges() || p.NumVertices() != 1<<9 || !p.HasWeights() {
		t.Fatalf("%d edges, %d vertices, weights %v", p.NumEdges(), p.NumVertices(), p.HasWeights())
	}
	rapid.Check(t, func(t *rapid.T) {
		off := rapid.IntRange(0, len(want)+1).Draw(t, "offset")
		length := rapid.IntRange(0, 2*blockEdges+1).Draw(t, "length")
		edges, weights := make([]hops.Edge, length), make([]float32, length)
		n, err := p.EdgesAt(edges, int64(off))
		m, errW := p.WeightsAt(weights, int64(off))
		end := max(off, min(len(want), off+length))
		if n != end-off || m != n || err != errW || (err == io.EOF) != (n < length) {
			t.Fatalf("%d edges, %v and %d weights, %v at %d", n, err, m, errW, off)
		}
		if n > 0 && (!slices.Equal(edges[:n], want[off:end]) || !slices.Equal(weights[:n], wantWeights[off:end])) {
			t.Fatalf("edges at %d differ", off)
		}
	})
}

func TestScanFindsTheLargestLabel(t *testing.T) {
	edges := make([]hops.Edge, 3*blockEdges)
	edges[2*blockEdges+1] = hops.Edge{U: 3, V: 1<<40 + 7}
	var b bytes.Buffer
	if err := WritePacked(t.Context(), &b, List(edges, 1<<41), 1, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "edges")
	storeBytes(t, path, b.Bytes())
	p := must[*PackedFile](t)(OpenPacked(path, 0))
	defer p.Close()
	if p.NumVertices() != 1<<40+8 || !slices.Equal(all(t, p), edges) {
		t.Errorf("%d vertices", p.NumVertices())
	}
	if _, err := p.WeightsAt(make([]float32, 1), 0); !errors.Is(err, ErrNoWeights) {
		t.Errorf("weights: %v", err)
	}
}

func TestEmptyPackedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "edges")
	storeBytes(t, path, nil)
	p := must[*PackedFile](t)(OpenPacked(path, 0))
	defer p.Close()
	if p.NumEdges() != 0 || p.NumVertices() != 0 {
		t.Errorf("%d edges, %d vertices", p.NumEdges(), p.NumVertices())
	}
}

func TestLabelsOutOfRangeAreNamed(t *testing.T) {
	k := kronecker(t, 10)
	path := store(t, k, false)
	bound := hops.Vertex(0)
	first := 0
	for i, e := range all(t, k) {
		if label := max(e.U, e.V); label > bound {
			bound, first = label, i
		}
	}
	p := must[*PackedFile](t)(OpenPacked(path, bound))
	defer p.Close()
	n, err := p.EdgesAt(make([]hops.Edge, k.NumEdges()), 0)
	if n != first || err == nil || err == io.EOF {
		t.Fatalf("read %d edges, want %d: %v", n, first, err)
	}
	for _, part := range []string{"edge: ", path, fmt.Sprintf("edge %d ", first), fmt.Sprintf("%d vertices", bound)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %q", err, part)
		}
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	k := kronecker(t, 4)
	spoil := map[string]func(t *testing.T, path string){
		"bytes more":    func(t *testing.T, path string) { truncate(t, path, 256*12-5) },
		"9 bytes":       func(t *testing.T, path string) { truncate(t, path+WeightsSuffix, 9) },
		"2 weights":     func(t *testing.T, path string) { truncate(t, path+WeightsSuffix, 8) },
		"no such file":  func(t *testing.T, path string) { remove(t, path) },
		"not a regular": func(t *testing.T, path string) { remove(t, path); mkdir(t, path) },
	}
	for message, damage := range spoil {
		path := store(t, k, true)
		damage(t, path)
		p, err := OpenPacked(path, 16)
		if err == nil || p != nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), message) {
			t.Errorf("want an error with %q, got %v", message, err)
		}
	}
}

func TestFileCutWhileOpen(t *testing.T) {
	path := store(t, kronecker(t, 10), false)
	p := must[*PackedFile](t)(OpenPacked(path, 1<<10))
	defer p.Close()
	truncate(t, path, 5000*12+3)
	_, err := p.EdgesAt(make([]hops.Edge, 8000), 0)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "edge 5000") {
		t.Errorf("error %v", err)
	}
	if _, err := OpenPacked(path, 0); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening the cut file: %v", err)
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
}

// Any file is refused or is a list that is written back byte by byte.
func FuzzPackedFile(f *testing.F) {
	f.Add([]byte{}, uint64(0))
	f.Add([]byte("123456789abc"), uint64(0))
	f.Add([]byte("123456789abc123456789abc"), uint64(100))
	f.Add(make([]byte, 25), uint64(1))
	f.Fuzz(func(t *testing.T, content []byte, vertices uint64) {
		path := filepath.Join(t.TempDir(), "edges")
		storeBytes(t, path, content)
		p, err := OpenPacked(path, hops.Vertex(vertices))
		if err != nil {
			if len(content)%PackedSize == 0 {
				t.Fatalf("%d bytes refused: %v", len(content), err)
			}
			return
		}
		defer p.Close()
		edges := make([]hops.Edge, p.NumEdges())
		n, err := p.EdgesAt(edges, 0)
		for _, e := range edges[:n] {
			if max(e.U, e.V) >= p.NumVertices() {
				t.Fatalf("edge %v of %d vertices", e, p.NumVertices())
			}
		}
		if n < len(edges) {
			if err == nil || vertices == 0 {
				t.Fatalf("read %d of %d edges: %v", n, len(edges), err)
			}
			return
		}
		var back bytes.Buffer
		if err := WritePacked(t.Context(), &back, List(edges, min(p.NumVertices(), MaxPackedVertices)), 1, nil); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back.Bytes(), content) {
			t.Fatalf("%x came back as %x", content, back.Bytes())
		}
	})
}

func BenchmarkPackedFile(b *testing.B) {
	p := must[*PackedFile](b)(OpenPacked(store(b, kronecker(b, 16), false), 1<<16))
	defer p.Close()
	benchmarkEdges(b, p)
}
