//go:build !unix

package atomicfile

import (
	"errors"
	"os"
)

// Lock does nothing on systems without flock.
func Lock(string) (unlock func(), err error) { return func() {}, nil }

// claim fails, so that no file is taken for an abandoned one.
func claim(*os.File) (release func(), err error) { return func() {}, errors.ErrUnsupported }
