package format

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/compression"
	"github.com/gohops/hops/internal/base/export"
)

var scaleFlag = flag.Int("scale", 14, "of the graph of BenchmarkSpeed; 19 has 8 M edges")

// processorTime is what all threads of this process have used.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSpeed writes a benchmark graph in every format and reads it again. Speeds are
// by processor time, so that other work on the machine counts little.
func BenchmarkSpeed(b *testing.B) {
	k, err := edge.NewKronecker(*scaleFlag, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	g, err := csr.Build(b.Context(), k, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	dir := b.TempDir()
	for _, name := range []string{
		"x.el", "x.el.gz", "x.el.zst", "x.csv", "x.parquet", "x.mtx", "x.graph", "x.graphml", "x.dot",
	} {
		path := filepath.Join(dir, name)
		b.Run("write/"+name, func(b *testing.B) {
			perSecond(b, path, func() (int64, error) { return g.NumEdges(), writeFile(b, g, path) })
		})
		b.Run("read/"+name, func(b *testing.B) {
			if err := writeFile(b, g, path); err != nil {
				b.Fatal(err)
			}
			perSecond(b, path, func() (int64, error) { return readFile(b, path) })
		})
		_ = os.Remove(path)
	}
}

// BenchmarkSpeedOfFile reads the file of -file.
func BenchmarkSpeedOfFile(b *testing.B) {
	if *fileFlag == "" {
		b.Skip("-file names none")
	}
	perSecond(b, *fileFlag, func() (int64, error) { return readFile(b, *fileFlag) })
}

func readFile(b *testing.B, path string) (edges int64, err error) {
	in, err := Open(b.Context(), path, Options{})
	if err != nil {
		return 0, err
	}
	return in.edges.NumEdges(), in.Close()
}

func writeFile(b *testing.B, g *graph.Graph, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	name, _ := export.FormatOf(path)
	return compression.Write(path, f, func(w io.Writer) error { return export.Write(b.Context(), w, g, name) })
}

// perSecond reports the speed of work, which returns a number of edges.
func perSecond(b *testing.B, path string, work func() (int64, error)) {
	before, edges := processorTime(), int64(0)
	for b.Loop() {
		n, err := work()
		if err != nil {
			b.Fatal(err)
		}
		edges += n
	}
	seconds := (processorTime() - before).Seconds()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(edges)/seconds/1e6, "Medges/cpu-s")
	b.ReportMetric(float64(info.Size())*float64(b.N)/seconds/1e6, "MB/cpu-s")
	b.ReportMetric(float64(info.Size())/1e6, "MB")
}
