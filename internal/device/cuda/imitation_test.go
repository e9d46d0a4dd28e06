package cuda

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A test starts this binary again with an imitation of the driver, since a process opens
// the driver once.
var isChild = flag.Bool("child", false, "use the imitated driver and exit")

func TestMain(m *testing.M) {
	flag.Parse()
	if !*isChild {
		os.Exit(m.Run())
	}
	if err := useImitation(); err != nil {
		fmt.Print(err)
		os.Exit(1)
	}
}

// useImitation copies between two devices, then allocates more memory than there is.
func useImitation() error {
	var both [2]*Context
	var buffers [2]Buffer
	for i := range both {
		c, err := Open(i)
		if err != nil {
			return err
		}
		defer c.Close()
		if buffers[i], err = c.Alloc(64); err != nil {
			return err
		}
		both[i] = c
	}
	if err := both[0].Write(buffers[0], 8, []byte("hops")); err != nil {
		return err
	}
	for range 2 { // a second time changes nothing
		if err := both[1].AllowPeer(0); err != nil {
			return err
		}
	}
	if err := both[1].CopyFrom(buffers[1], 16, both[0], buffers[0], 8, 4); err != nil {
		return err
	}
	got := make([]byte, 4)
	if err := both[1].Read(got, buffers[1], 16); err != nil || string(got) != "hops" {
		return fmt.Errorf("%q arrived, %w", got, err)
	}
	pinned, err := both[0].HostAlloc(64)
	if err != nil || strings.Trim(string(pinned), "\x00") != "" {
		return fmt.Errorf("pinned memory has %q, %w", pinned, err)
	}
	if err := takeOver(both[0], buffers[0]); err != nil {
		return err
	}
	_, err = both[0].Alloc(1 << 40)
	return err
}

// takeOver reads a buffer as another process would.
func takeOver(c *Context, b Buffer) error {
	handle, offset, err := c.Export(b)
	if err != nil {
		return err
	}
	first, err := c.Import(handle)
	if err != nil {
		return err
	}
	got := make([]byte, 4)
	if err := c.Read(got, first, offset+8); err != nil || string(got) != "hops" {
		return fmt.Errorf("%q in the memory of another process, %w", got, err)
	}
	return c.Unimport(first)
}

// imitation is a folder with a libcuda.so.1 that needs no GPU.
func imitation(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	out, err := exec.Command(cmp.Or(os.Getenv("CC"), "gcc"), "-shared", "-fPIC", "-o", filepath.Join(folder, "libcuda.so.1"), "testdata/cuda.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

// An error names what is wrong with a machine, before any work, and what is needed.
func TestErrorsNameTheFault(t *testing.T) {
	folder := imitation(t)
	for environment, want := range map[string]string{
		"FAKE_CUDA_INIT=100":        "no CUDA driver: cuInit: CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected",
		"FAKE_CUDA_VERSION=11040":   "the driver supports CUDA 11.4, at least 11.8 is needed",
		"FAKE_CUDA_DEVICES=0":       "device 0 of 0: no such device",
		"FAKE_CUDA_DEVICES=1":       "device 1 of 1: no such device",
		"FAKE_CUDA_CAPABILITY=75":   "compute capability 7.5, at least 8.0 is needed",
		"FAKE_CUDA_MEGABYTES=32":    "1099511627776 bytes of device memory asked for, 33554304 of 33554432 free",
		"FAKE_CUDA_IS_ALL_RIGHT=is": "1099511627776 bytes of device memory asked for",
	} {
		c := exec.Command(os.Args[0], "-child")
		c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder, environment)
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %q does not say %q", environment, err, out, want)
		}
	}
}
