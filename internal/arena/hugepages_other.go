//go:build !linux

package arena

// PreferHugePages asks for huge pages, where the system has them to give.
func PreferHugePages[T any]([]T) {}
