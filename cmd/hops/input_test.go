package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// Errors name their file once, whatever the file is called.
func TestErrorsNameTheirFile(t *testing.T) {
	if ofFile("a", nil) != nil {
		t.Error("no error became one")
	}
	odd := errors.New("csr: a graph of 5 vertices does not fit")
	if err := ofFile("a", odd); err.Error() != "a: a graph of 5 vertices does not fit" || !errors.Is(err, odd) {
		t.Errorf("the file a: %v", err)
	}
	path := filepath.Join(t.TempDir(), "cut.packed")
	if err := os.WriteFile(path, make([]byte, 3*edge.PackedSize), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := edge.OpenPacked(path, 1)
	if err == nil {
		defer p.Close()
		err = os.Truncate(path, 2*edge.PackedSize)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.EdgesAt(make([]hops.Edge, 3), 0)
	var at *edge.FileError
	if !errors.As(err, &at) || at.File != path || at.Edge != 2 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file that was cut: %v", err)
	}
	for _, err := range []error{err, noWeights("elsewhere", false)} {
		if got := ofFile("here", err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}
