package main

import (
	"io"
	"os"
	"path/filepath"
)

// writeTo calls write with the file at path, or with stdout for "-". A file is
// opened before the work starts, so that one that cannot be written fails at
// once, and appears under its name when write has succeeded.
func writeTo(path string, stdout io.Writer, write func(io.Writer) error) error {
	if path == "-" {
		return write(stdout)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".hops-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
