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
	"github.com/gohops/hops/edge/export"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/packing"
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
			perSecond(b, g, path, func() error { return writeFile(b, g, path) })
		})
		b.Run("read/"+name, func(b *testing.B) {
			if err := writeFile(b, g, path); err != nil {
				b.Fatal(err)
			}
			perSecond(b, g, path, func() error {
				in, err := Open(b.Context(), path, Options{})
				if err == nil {
					err = in.Close()
				}
				return err
			})
		})
		_ = os.Remove(path)
	}
}

func writeFile(b *testing.B, g *graph.Graph, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	name, _ := export.FormatOf(path)
	return packing.Write(path, f, func(w io.Writer) error { return export.Write(b.Context(), w, g, name) })
}

func perSecond(b *testing.B, g *graph.Graph, path string, work func() error) {
	before := processorTime()
	for b.Loop() {
		if err := work(); err != nil {
			b.Fatal(err)
		}
	}
	seconds := (processorTime() - before).Seconds() / float64(b.N)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(g.NumEdges())/seconds/1e6, "Medges/cpu-s")
	b.ReportMetric(float64(info.Size())/seconds/1e6, "MB/cpu-s")
	b.ReportMetric(float64(info.Size())/1e6, "MB")
}
