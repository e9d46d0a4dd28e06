package format

import (
	"context"
	"fmt"
)

// An Error says what is wrong with a file, and where.
type Error struct {
	File string
	// Line counts from 1. It is 0 in a binary file, where Offset counts bytes
	// from 0, and if the file as a whole is meant, where Offset is -1.
	Line   int64
	Offset int64
	What   string
	Err    error // what caused it; nil if the content did
}

// Error implements error.
func (e *Error) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What)
	case e.Offset >= 0:
		return fmt.Sprintf("%s: offset %d: %s", e.File, e.Offset, e.What)
	}
	return fmt.Sprintf("%s: %s", e.File, e.What)
}

// Unwrap returns what caused it.
func (e *Error) Unwrap() error { return e.Err }

// A fault is something wrong at a position in a run of lines. Parsers do not
// know where in the file their lines are.
type fault struct {
	pos  int
	what string
}

func faultAt(pos int, format string, args ...any) *fault {
	return &fault{pos, fmt.Sprintf(format, args...)}
}

// explain prefers the reason for which reading was broken off.
func (f *file) explain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("format: reading %s: %w", f.name, cause)
	}
	return err
}
