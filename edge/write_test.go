package edge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/atomicfile"
)

// withThreads runs f with several numbers of threads.
func withThreads(t *testing.T, f func(t *testing.T, threads int)) {
	for _, size := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("workers=%d", size), func(t *testing.T) {
			f(t, size)
		})
	}
}

func TestWrittenListsOfTheReference(t *testing.T) {
	withThreads(t, func(t *testing.T, threads int) {
		for _, want := range listVectors {
			k := kronecker(t, want.scale)
			edges, weights := sha256.New(), sha256.New()
			if err := WritePacked(t.Context(), edges, k, threads, nil); err != nil {
				t.Fatal(err)
			}
			if err := WriteWeights(t.Context(), weights, k, threads, nil); err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(edges.Sum(nil)); got != want.edges {
				t.Errorf("scale %d: edges hash to %s, want %s", want.scale, got, want.edges)
			}
			if got := hex.EncodeToString(weights.Sum(nil)); got != want.weights {
				t.Errorf("scale %d: weights hash to %s, want %s", want.scale, got, want.weights)
			}
		}
	})
}

func TestTextIsOneLineAnEdge(t *testing.T) {
	k := kronecker(t, 13)
	var want bytes.Buffer
	for _, e := range all(t, k) {
		fmt.Fprintf(&want, "%d %d\n", e.U, e.V)
	}
	withThreads(t, func(t *testing.T, threads int) {
		var got bytes.Buffer
		var last int64
		err := WriteText(t.Context(), &got, k, threads, func(done, total int64) {
			if done < last || total != k.NumEdges() {
				t.Errorf("progress %d of %d after %d", done, total, last)
			}
			last = done
		})
		if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("the text differs, error %v", err)
		}
		if last != k.NumEdges() {
			t.Errorf("progress ended at %d", last)
		}
	})
}

func TestEmptyListWritesNothing(t *testing.T) {
	var got bytes.Buffer
	if err := WritePacked(t.Context(), &got, List(nil, 0), 1, nil); err != nil || got.Len() != 0 {
		t.Errorf("%d bytes, error %v", got.Len(), err)
	}
}

// limited accepts some bytes and then fails.
type limited struct{ left int }

var errNoRoom = errors.New("no room")

func (l *limited) Write(b []byte) (int, error) {
	if len(b) > l.left {
		n := l.left
		l.left = 0
		return n, errNoRoom
	}
	l.left -= len(b)
	return len(b), nil
}

func TestWriteErrorsEndTheWork(t *testing.T) {
	withThreads(t, func(t *testing.T, threads int) {
		for _, room := range []int{0, 1000, 1_000_000} {
			err := WritePacked(t.Context(), &limited{room}, kronecker(t, 16), threads, nil)
			if !errors.Is(err, errNoRoom) || !strings.Contains(err.Error(), fmt.Sprint(room)) {
				t.Errorf("room for %d bytes: %v", room, err)
			}
		}
	})
}

func TestWriteReportsBrokenSources(t *testing.T) {
	edges := make([]hops.Edge, 100_000)
	edges[77_777].V = 10
	withThreads(t, func(t *testing.T, threads int) {
		err := WriteText(t.Context(), io.Discard, List(edges, 10), threads, nil)
		if err == nil || !strings.Contains(err.Error(), "edge 77777") {
			t.Errorf("error %v", err)
		}
	})
	if err := WritePacked(t.Context(), io.Discard, List(nil, MaxPackedVertices+1), 1, nil); err == nil {
		t.Error("2^48+1 vertices: no error")
	}
}

func TestCancelledWriteLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := atomicfile.Write(filepath.Join(dir, "edges"), func(w io.Writer) error {
		return WritePacked(ctx, w, kronecker(t, 16), 1, func(done, _ int64) {
			if done > 0 {
				cancel()
			}
		})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files left", len(left))
	}
}

func TestFullDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is Linux's")
	}
	err := atomicfile.Write("/dev/full", func(w io.Writer) error {
		return WritePacked(t.Context(), w, kronecker(t, 10), 1, nil)
	})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "/dev/full") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkWritePacked(b *testing.B) {
	k := kronecker(b, 18)
	b.SetBytes(k.NumEdges() * PackedSize)
	for b.Loop() {
		if err := WritePacked(b.Context(), io.Discard, k, 0, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteText(b *testing.B) {
	k := kronecker(b, 18)
	for b.Loop() {
		if err := WriteText(b.Context(), io.Discard, k, 0, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(k.NumEdges())/b.Elapsed().Seconds(), "edges/s")
}
