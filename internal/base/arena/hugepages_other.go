//go:build !linux

package arena

// preferHugePages asks for huge pages, where the system has them to give.
func preferHugePages([]byte) {}
