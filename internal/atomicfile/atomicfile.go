// Package atomicfile writes files that are whole or not there.
//
// The content goes to a file beside the final one, which takes its name when
// everything is on disk. A reader never sees half a file, and a run that fails
// leaves what was there before.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// Write calls write with a writer whose content becomes the file at path if
// write succeeds. The file is opened first, so a path that cannot be written is
// found out before write does its work.
//
// What is not a regular file, such as a pipe or a device, is written directly.
// A link is followed. The writer is not buffered.
func Write(path string, write func(io.Writer) error) error {
	final := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		final = target
	}
	var err error
	switch info, statErr := os.Stat(final); {
	case statErr == nil && info.IsDir():
		err = syscall.EISDIR
	case statErr == nil && !info.Mode().IsRegular():
		err = writeFile(final, os.O_WRONLY, write)
	default:
		err = replace(final, write)
	}
	if err != nil {
		return named(path, err)
	}
	return nil
}

func replace(path string, write func(io.Writer) error) error {
	dir, base := filepath.Split(path)
	temp := fmt.Sprintf("%s.%s.%08x", dir, base, rand.Uint32())
	err := writeFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, func(w io.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		return w.(*os.File).Sync() // some file systems only now notice that the disk is full
	})
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
}

func writeFile(path string, flag int, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return err
	}
	err = write(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// named makes errors of the file system speak of the path that the caller knows.
// Other errors are the writer's own and stay as they are.
func named(path string, err error) error {
	var inPath *fs.PathError
	var inLink *os.LinkError
	var number syscall.Errno
	switch {
	case errors.As(err, &inPath):
		err = inPath.Err
	case errors.As(err, &inLink):
		err = inLink.Err
	case !errors.As(err, &number):
		return err
	}
	return fmt.Errorf("atomicfile: %s: %w", path, err)
}
