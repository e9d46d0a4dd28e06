//go:build !linux

package par

// Threads sleep in the kernel on Linux only: see apart_linux.go.
type threadsApart struct{}

func (*threadsApart) keep([]share) {}

func (*threadsApart) release([]share) {}

func thisThread() int32 { return 0 }
