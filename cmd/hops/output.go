package main

import (
	"io"

	"github.com/gohops/hops/internal/atomicfile"
)

// writeTo calls write with the file at path, or with stdout for "-". A file is
// opened before the work starts, so that one that cannot be written fails at
// once, and appears under its name when write has succeeded.
func writeTo(path string, stdout io.Writer, write func(io.Writer) error) error {
	if path == "-" {
		return write(stdout)
	}
	return atomicfile.Write(path, write)
}

// writeBoth is writeTo with a second file, which is nil if its path is empty.
func writeBoth(path, second string, stdout io.Writer, write func(w, second io.Writer) error) error {
	return writeTo(path, stdout, func(w io.Writer) error {
		if second == "" {
			return write(w, nil)
		}
		return atomicfile.Write(second, func(other io.Writer) error { return write(w, other) })
	})
}
