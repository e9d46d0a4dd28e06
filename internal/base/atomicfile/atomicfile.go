// Package atomicfile writes files that are whole or not there.
//
// The content goes to a file in the folder of the final one, which takes its name when
// everything is on disk; on Linux it has no name until then. Where files without a name do
// not exist it has a hidden name, and a process that is killed leaves it there. A reader
// never sees half a file, and a run that fails leaves what was there before.
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
// A file that is not regular, such as a pipe or a device, is written directly. A link is
// followed, also to a file that does not exist yet. A file that is replaced keeps its mode
// and, where this process may give files away, its owner and group. The writer is not buffered.
func Write(path string, write func(io.Writer) error) error {
	final, err := followed(path)
	if err == nil {
		switch info, statErr := os.Stat(final); {
		case statErr == nil && info.IsDir():
			err = syscall.EISDIR
		case statErr == nil && !info.Mode().IsRegular():
			err = writeDirectly(final, write)
		default:
			err = replace(final, info, openUnnamed, write)
		}
	}
	if err != nil {
		return named(path, err)
	}
	return nil
}

// maxLinks is how many links may follow one another, as in Linux.
const maxLinks = 40

// followed returns the file that a path leads to, by links or not, whether it exists or not.
func followed(path string) (string, error) {
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link; whatever else is wrong shows when it is opened
		}
		if !filepath.IsAbs(target) {
			dir, _ := filepath.Split(path)
			target = dir + target // without filepath.Clean: dir/.. need not be where dir lies
		}
		path = target
	}
	return "", syscall.ELOOP
}

// An unnamed function opens a file without a name, and returns a function that names it.
type unnamed func(path string) (f *os.File, link func(name string) error, err error)

// replace writes a file without a name, where there are such files, and else one with a
// hidden name. It gets the final name at the end, by way of the hidden one: a link
// cannot replace a file. earlier is the file that has the name now, nil if none has.
func replace(path string, earlier fs.FileInfo, open unnamed, write func(io.Writer) error) error {
	dir, base := filepath.Split(path)
	temp := fmt.Sprintf("%s.%s.%08x", dir, base, rand.Uint32())
	f, link, err := open(path)
	if err != nil {
		link = func(string) error { return nil }
		f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		return err
	}
	if earlier != nil {
		giveTo(f, earlier) // first, because it takes mode bits away
		err = f.Chmod(earlier.Mode().Perm())
	}
	if err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Sync() // some file systems only now notice that the disk is full
	}
	if err == nil {
		err = link(temp)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
}

// writeDirectly writes to what is not a regular file.
func writeDirectly(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0o666)
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
