package cuda

import (
	"errors"
	"strings"
	"testing"
)

func open(t *testing.T) *Context {
	t.Helper()
	c, err := Open(0)
	if errors.Is(err, ErrNoDriver) {
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

// Without a driver the error names the library; with one, a device that does not
// exist is refused by its number.
func TestOpenFails(t *testing.T) {
	_, err := Open(1 << 20)
	if err == nil {
		t.Fatal("device 1048576 was opened")
	}
	if !strings.Contains(err.Error(), "libcuda.so.1") && !strings.Contains(err.Error(), "no such device") {
		t.Errorf("the error does not say what is missing: %v", err)
	}
}

func TestBuffer(t *testing.T) {
	c := open(t)
	b, err := c.Alloc(1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Zero(b, 1000); err != nil {
		t.Fatal(err)
	}
	if err := c.Write(b, 500, []byte("hops")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 6)
	if err := c.Read(got, b, 499); err != nil {
		t.Fatal(err)
	}
	if string(got) != "\x00hops\x00" {
		t.Errorf("read %q back", got)
	}
	if err := c.Free(b); err != nil {
		t.Fatal(err)
	}
}

// Too large an allocation says how much was asked for and how much is free.
func TestOutOfMemory(t *testing.T) {
	c := open(t)
	_, total, err := c.Memory()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Alloc(2 * total); err == nil || !strings.Contains(err.Error(), "free") {
		t.Errorf("twice the memory of the device: error %v", err)
	}
}

const doublePTX = `
.version 7.8
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 data) {
	.reg .b64 %rd<4>;
	.reg .b32 %r<4>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.u32 %r2, [%rd3];
	add.u32 %r3, %r2, %r2;
	st.u32 [%rd3], %r3;
	ret;
}`

func TestLaunch(t *testing.T) {
	c := open(t)
	m, err := c.Load(doublePTX)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Function("twice")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Function("thrice"); err == nil {
		t.Error("a kernel that does not exist was found")
	}
	b, err := c.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write(b, 0, []byte{21, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if err := f.Launch(Shape{Blocks: 1, Threads: 1}, uint64(b)); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if err := c.Read(got, b, 0); err != nil || got[0] != 42 {
		t.Errorf("got %d, %v", got[0], err)
	}
}
