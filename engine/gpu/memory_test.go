package gpu

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohops/hops/edge"
)

// The tests below start this binary again with an imitation of NVIDIA's driver, whose
// devices have memory but run no kernel. -child names what that process does.
var childWork = flag.String("child", "", "what a process with an imitated driver does")

func TestMain(m *testing.M) {
	flag.Parse()
	work := map[string]func() error{"build": buildTooMuch, "ready": readyForTooMuch}[*childWork]
	if work == nil {
		os.Exit(m.Run())
	}
	if err := work(); err != nil {
		fmt.Print(err)
		os.Exit(1)
	}
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

// imitation is a folder with a library that needs no GPU.
func imitation(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	library := filepath.Join(folder, "libcuda.so.1")
	out, err := exec.Command(cmp.Or(os.Getenv("CC"), "gcc"), "-shared", "-fPIC", "-o", library, "../../internal/device/cuda/testdata/cuda.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

// runChild runs this binary with the driver of a folder and a device of so much memory.
func runChild(folder string, megabytes int, arguments ...string) (string, error) {
	c := exec.Command(os.Args[0], arguments...)
	c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder, "FAKE_CUDA_DEVICES=3", fmt.Sprintf("FAKE_CUDA_MEGABYTES=%d", megabytes))
	out, err := c.CombinedOutput()
	return string(out), err
}

// A graph that does not fit is refused before any work. The error names the bytes that it
// needs and those that are free.
func TestTooLittleMemory(t *testing.T) {
	folder := imitation(t)
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
