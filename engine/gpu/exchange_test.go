package gpu

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops/edge"
)

// The tests below start this binary again with imitations of NVIDIA's libraries, whose
// devices have memory but run no kernel. -child names what that process does.
var (
	childWork     = flag.String("child", "", "what a process with imitated libraries does")
	childExchange = flag.String("exchange", "", "how its parts exchange their bitmaps")
)

func TestMain(m *testing.M) {
	flag.Parse()
	work := map[string]func() error{"exchange": exchangeOwnWords, "build": buildTooMuch, "ready": readyForTooMuch}[*childWork]
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
		g := &graph{kernels: kernels{d}, n: n}
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
	e, err := newExchange(all, *childExchange)
	if err != nil {
		return err
	}
	if err := e.shareOwn(1); err != nil {
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

func readyForTooMuch() error { return Ready(Options{Driver: "cuda"}, 1<<20, 16<<20, false) }

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

// runChild runs this binary with the libraries of a folder and a device of so much memory.
func runChild(folder string, megabytes int, arguments ...string) (string, error) {
	c := exec.Command(os.Args[0], arguments...)
	c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder, "FAKE_CUDA_DEVICES=3", fmt.Sprintf("FAKE_CUDA_MEGABYTES=%d", megabytes))
	out, err := c.CombinedOutput()
	return string(out), err
}

// Parts on devices of their own exchange by NCCL where the library can be opened, and by
// copies where it cannot or where copies are asked for.
func TestExchangeBetweenDevices(t *testing.T) {
	with, without := imitations(t), imitations(t)
	if err := os.WriteFile(filepath.Join(without, "libnccl.so.2"), []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ exchange, folder, want string }{
		"nccl":         {"nccl", with, "*gpu.byNCCL"},
		"by default":   {"", with, "*gpu.byNCCL"},
		"copies":       {"copies", with, "*gpu.copies"},
		"without nccl": {"", without, "*gpu.copies"},
	} {
		out, err := runChild(c.folder, 1000, "-child=exchange", "-exchange="+c.exchange)
		if err != nil || out != c.want {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	out, err := runChild(without, 1000, "-child=exchange", "-exchange=nccl")
	if err == nil || !strings.Contains(out, "gpu: exchange by NCCL: nccl: not available: libnccl.so.2 cannot be opened") {
		t.Errorf("%v: %s", err, out)
	}
}

// A graph that does not fit is refused before any work. The error names the bytes that it
// needs and those that are free.
func TestTooLittleMemory(t *testing.T) {
	folder := imitations(t)
	want := fmt.Sprintf("need up to %d bytes, %d of %d are free", Need(1<<20, 16<<20, false), 100<<20, 100<<20)
	for _, work := range []string{"build", "ready"} {
		out, err := runChild(folder, 100, "-child="+work)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v: %q does not say %q", work, err, out, want)
		}
	}
	if out, err := runChild(folder, 10000, "-child=ready"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
