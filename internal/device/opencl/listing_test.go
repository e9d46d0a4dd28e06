package opencl

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ebitengine/purego"
)

// No two goroutines are in the library at once to list devices.
func TestDevicesAreListedByOneAtATime(t *testing.T) {
	var inside, most atomic.Int32
	visit := purego.NewCallback(func() uintptr {
		if now := inside.Add(1); now > most.Load() {
			most.Store(now)
		}
		for range 100 {
			runtime.Gosched()
		}
		inside.Add(-1)
		return 0
	})
	calls := map[string]uintptr{"clGetPlatformIDs": visit, "clGetDeviceIDs": visit}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if _, err := devices(calls); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
}
