package cuda

import (
	"fmt"
	"runtime"

	"github.com/ebitengine/purego"
)

// Within calls f on a thread that has the context: libraries that are given memory
// of the device look there for whose it is.
func (c *Context) Within(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if code, _, _ := purego.SyscallN(c.calls["cuCtxSetCurrent"], c.handle); code != 0 {
		return fmt.Errorf("cuda: cuCtxSetCurrent: %w", describe(c.calls, code))
	}
	return f()
}
