package opencl

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gohops/hops/internal/device/dynlib"
)

// collect collects garbage and fills what has become free with something else.
func collect() {
	runtime.GC()
	var rest [4096]*[16]byte
	for i := range rest {
		rest[i] = &[16]byte{'?', '?', '?', '?'}
	}
	runtime.KeepAlive(rest)
}

// What the library is given lives until the library returns, also if garbage is collected
// meanwhile.
func TestArgumentsLiveAsLongAsTheCall(t *testing.T) {
	var got []string
	read := func(text uintptr) {
		got = append(got, dynlib.Text(*(**byte)(unsafe.Pointer(&text))))
	}
	calls := map[string]uintptr{
		"clCreateProgramWithSource": purego.NewCallback(func(_, _, texts, _, _ uintptr) uintptr {
			collect()
			read(**(**uintptr)(unsafe.Pointer(&texts)))
			return 1
		}),
		"clBuildProgram": purego.NewCallback(func(_, _, _, options, _, _ uintptr) uintptr {
			collect()
			read(options)
			return 0
		}),
		"clCreateKernel": purego.NewCallback(func(_, name, _ uintptr) uintptr {
			collect()
			read(name)
			return 1
		}),
	}
	c := &Context{calls: calls, out: new([2]uint64)}
	for range 100 {
		got = nil
		p, err := c.Build("source", "options")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Kernel("kernel"); err != nil {
			t.Fatal(err)
		}
		if want := []string{"source", "options", "kernel"}; !slices.Equal(got, want) {
			t.Fatalf("the library read %q, want %q", got, want)
		}
	}
}
