package format

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrNoEdges is what is wrong with an edge list without a line that is one.
var ErrNoEdges = errors.New("the file has no edges")

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

// A failure is the first thing that is wrong with a file. Blocks are handed out
// in order, so whatever precedes the block of a failure has been, or is being,
// parsed: the failure of the lowest block is the first in the file.
type failure struct {
	mu    sync.Mutex
	block int64
	pos   int64 // within the block
	lines int64 // before it in the block
	what  string
	err   error
}

func (f *failure) at(b block, pos int, what string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if b.index < f.block {
		f.block, f.pos, f.lines, f.what, f.err = b.index, int64(pos), countLines(b.text[:pos]), what, err
	}
}

// precedes tells whether something went wrong before the block.
func (f *failure) precedes(block int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.block < block
}

// locate says where in the file the failure is: its blocks before that of the
// failure are those of the list.
func (r *reading) locate(l *list) error {
	f := &r.failed
	e := &Error{File: r.f.name, What: f.what, Err: f.err}
	if r.records {
		e.Offset = r.start + f.block*r.size + f.pos
		return e
	}
	e.Line = r.f.lines + f.lines + 1
	for i := range l.segments {
		if l.segments[i].index < f.block {
			e.Line += l.segments[i].lines
		}
	}
	return e
}

// wrongRow is an error about a row, given by its number in its segment.
func (l *list) wrongRow(f *file, seg int, row uint64, what string) error {
	line := int64(row)
	for _, skipped := range l.segments[seg].skipped {
		if int64(skipped) <= line {
			line++
		}
	}
	for k := range seg {
		line += l.segments[k].lines
	}
	return &Error{File: f.name, Line: f.lines + line + 1, What: what}
}
