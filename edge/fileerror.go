package edge

import (
	"errors"
	"io/fs"
)

// A FileError says what is wrong with a file of edges or weights, and where.
type FileError struct {
	File string
	// Edge counts from 0. It is -1 if the file as a whole is meant.
	Edge int64
	Err  error // what is wrong; its text names the edge
}

// Error implements error.
func (e *FileError) Error() string { return "edge: " + e.File + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// wholeFile is an error about a file as a whole.
func wholeFile(name string, err error) error { return &FileError{File: name, Edge: -1, Err: err} }

// reason returns why a call of the system failed, without the name of the file, which a
// FileError has.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
