//go:build !unix

package atomicfile

// Lock does nothing on systems without flock.
func Lock(string) (unlock func(), err error) { return func() {}, nil }
