package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops/edge"
)

// TestMain runs the process that a test starts with imitations of NVIDIA's
// libraries, whose devices have memory but run no kernel. HOPS_GPU_PTX names a file with
// another build of the kernels.
func TestMain(m *testing.M) {
	if path := os.Getenv("HOPS_GPU_PTX"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		modulePTX = string(text)
	}
	work := map[string]func() error{"exchange": exchangeOwnWords, "build": buildTooMuch, "ready": readyForTooMuch}[os.Getenv("GPU_TEST_CHILD")]
	if work == nil {
		os.Exit(m.Run())
	}
	if err := work(); err != nil {
		fmt.Print(err)
		os.Exit(1)
	}
}

// exchangeOwnWords lets three parts, each on a device of its own, give each other
// the words of their labels.
func exchangeOwnWords() error {
	const n, parts = 1000, 3
	var all []*part
	for i := range parts {
		d, err := openCUDA(i)
		if err != nil {
			return err
		}
		defer d.Close()
		g := &graph{dev: d, n: n}
		g.first, g.end = partOf(n, i, parts)
		m := newMemory(d)
		s := &state{graph: g, mem: m}
		s.visited[1] = m.make("visited", int64(g.words()), 4)
		words := make([]uint32, g.words())
		for w := range words {
			words[w] = uint32(100*i + w)
		}
		if err := d.write(s.visited[1], 0, bytesOf(words)); err != nil {
			return err
		}
		all = append(all, &part{state: s})
	}
	e, err := newExchange(all, os.Getenv("GPU_TEST_EXCHANGE"))
	if err != nil {
		return err
	}
	if err := e.unite(1, true); err != nil {
		return err
	}
	for i, one := range all {
		got, want := make([]uint32, one.words()), make([]uint32, one.words())
		if err := one.dev.read(bytesOf(got), one.visited[1], 0); err != nil {
			return err
		}
		for w := range want {
			owner := slices.IndexFunc(all, func(p *part) bool { return uint32(w)*32 < p.end })
			want[w] = uint32(100*owner + w)
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("part %d has %v, not %v", i, got, want)
		}
	}
	fmt.Printf("%T", e.mover)
	return e.close()
}

func buildTooMuch() error {
	src, err := edge.NewKronecker(20, 16, 2, 3)
	if err != nil {
		return err
	}
	_, err = Build(context.Background(), src, Options{Driver: "cuda"})
	return err
}

func readyForTooMuch() error { return Ready(Options{Driver: "cuda"}, 1<<20, 16<<20) }

// imitations is a folder with libraries that need no GPU.
func imitations(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for library, source := range map[string]string{
		"libcuda.so.1": "../../internal/cuda/testdata/cuda.c",
		"libnccl.so.2": "../../internal/nccl/testdata/nccl.c",
	} {
		out, err := exec.Command(cmp.Or(os.Getenv("CC"), "gcc"), "-shared", "-fPIC", "-o", filepath.Join(folder, library), source).CombinedOutput()
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("no C compiler: ", err)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return folder
}

func child(folder string, environment ...string) (string, error) {
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), "LD_LIBRARY_PATH="+folder, "FAKE_CUDA_DEVICES=3"), environment...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// Devices exchange by NCCL where it is there, and by copies where it is not or where
// these are asked for.
func TestExchangeBetweenDevices(t *testing.T) {
	folder := imitations(t)
	for name, c := range map[string]struct{ exchange, library, want string }{
		"nccl":         {"nccl", "", "*gpu.byNCCL"},
		"by default":   {"", "", "*gpu.byNCCL"},
		"copies":       {"copies", "", "*gpu.copies"},
		"without nccl": {"", "/nowhere/libnccl.so.2", "*gpu.copies"},
	} {
		out, err := child(folder, "GPU_TEST_CHILD=exchange", "GPU_TEST_EXCHANGE="+c.exchange, "HOPS_NCCL="+c.library)
		if err != nil || out != c.want {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	out, err := child(folder, "GPU_TEST_CHILD=exchange", "GPU_TEST_EXCHANGE=nccl", "HOPS_NCCL=/nowhere/libnccl.so.2")
	if err == nil || !strings.Contains(out, "gpu: exchange by NCCL: nccl: not available: /nowhere/libnccl.so.2 cannot be opened") {
		t.Errorf("%v: %s", err, out)
	}
}

// A graph that does not fit is refused before any work, with the bytes that it needs
// and that are free.
func TestTooLittleMemory(t *testing.T) {
	folder := imitations(t)
	want := fmt.Sprintf("need up to %d bytes, %d of %d are free", Need(1<<20, 16<<20), 100<<20, 100<<20)
	for _, name := range []string{"build", "ready"} {
		out, err := child(folder, "GPU_TEST_CHILD="+name, "FAKE_CUDA_MEGABYTES=100")
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v: %q does not say %q", name, err, out, want)
		}
	}
	if out, err := child(folder, "GPU_TEST_CHILD=ready", "FAKE_CUDA_MEGABYTES=10000"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
