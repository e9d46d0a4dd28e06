package cuda

import (
	"fmt"
	"runtime"

	"github.com/ebitengine/purego"
)

// Within calls f on a thread on which the context is current. A library that is given
// memory of the device finds the device by the current context.
func (c *Context) Within(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if code, _, _ := purego.SyscallN(c.calls["cuCtxSetCurrent"], c.handle); code != 0 {
		return fmt.Errorf("cuda: cuCtxSetCurrent: %w", describe(c.calls, code))
	}
	return f()
}
