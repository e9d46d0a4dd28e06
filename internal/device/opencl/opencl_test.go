package opencl

import (
	"errors"
	"strings"
	"testing"
)

func open(t *testing.T) *Context {
	t.Helper()
	c, err := Open(0)
	if errors.Is(err, ErrNoLoader) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestOpenFails(t *testing.T) {
	_, err := Open(1 << 20)
	if err == nil {
		t.Fatal("device 1048576 was opened")
	}
	if !strings.Contains(err.Error(), "OpenCL") && !strings.Contains(err.Error(), "no such device") {
		t.Errorf("the error does not say what is missing: %v", err)
	}
}

func TestLaunch(t *testing.T) {
	c := open(t)
	p, err := c.Build("__kernel void twice(__global uint *data, uint add) { data[get_global_id(0)] = 2 * data[get_global_id(0)] + add; }", "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("twice")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Kernel("thrice"); err == nil {
		t.Error("a kernel that does not exist was found")
	}
	b, err := c.Alloc(8)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Zero(b, 8); err != nil {
		t.Fatal(err)
	}
	if err := c.Write(b, 4, []byte{20, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(1, 2, []uint64{uint64(b), 2}, []uint8{8, 4}); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 8)
	if err := c.Read(got, b, 0); err != nil || got[0] != 2 || got[4] != 42 {
		t.Errorf("got %v, %v", got, err)
	}
}

// The error of a program that does not compile includes the messages of the compiler.
func TestBuildFails(t *testing.T) {
	c := open(t)
	_, err := c.Build("__kernel void broken(", "")
	if err == nil || !strings.Contains(err.Error(), "error") {
		t.Errorf("error %v", err)
	}
}

// The host reads what a kernel writes to shared memory without a copy, and the kernel
// reads what the host writes.
func TestShare(t *testing.T) {
	c := open(t)
	if shares, err := c.SharesMemory(); err != nil || !shares {
		t.Skipf("%s has memory of its own: %v", c.Name(), err)
	}
	p, err := c.Build("__kernel void twice(__global uint *data) { data[get_global_id(0)] *= 2; }", "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("twice")
	if err != nil {
		t.Fatal(err)
	}
	host := make([]byte, 4096)
	b, err := c.Share(host)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := c.Map(b, host); err != nil {
			t.Fatal(err)
		}
		if got, want := host[4], byte(21*i*2); got != want {
			t.Errorf("the host reads %d, want %d", got, want)
		}
		host[4] = byte(21 * (i + 1))
		if err := c.Unmap(b, host); err != nil {
			t.Fatal(err)
		}
		if err := k.Launch(1, 32, []uint64{uint64(b)}, []uint8{8}); err != nil {
			t.Fatal(err)
		}
	}
}
