//go:build !unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// Lock does nothing on systems without flock.
func Lock(string) (unlock func(), err error) { return func() {}, nil }

// claim fails, so that no file is taken for an abandoned one.
func claim(*os.File) (release func(), err error) { return func() {}, errors.ErrUnsupported }

// giveTo does nothing on systems whose files have no owner by number.
func giveTo(*os.File, fs.FileInfo) {}
