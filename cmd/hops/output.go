package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gohops/hops/internal/base/atomicfile"
	"github.com/gohops/hops/internal/base/compression"
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

// writeCompressed is writeTo for a file that is compressed if its name says so.
func writeCompressed(path string, stdout io.Writer, write func(io.Writer) error) error {
	return writeTo(path, stdout, func(w io.Writer) error { return compression.Write(path, w, write) })
}

// withPage calls work, which writes a result, and then writes a page to a file, unless
// its path is empty. The file of the page is opened first, so that one that cannot be
// written fails at once; when it fails later, the result is safe.
func withPage(path string, work func() error, page func(io.Writer) error) error {
	if path == "" {
		return work()
	}
	var workErr error
	err := atomicfile.Write(path, func(w io.Writer) error {
		if workErr = work(); workErr != nil {
			return errTried
		}
		return page(w)
	})
	if workErr != nil {
		return workErr
	}
	return err
}

// outputFlags are the flags whose values are files that a command writes, fileFlags those of files that it reads.
var (
	outputFlags = []string{"output", "html", "json", "levels", "parents", "distances", "eccentricities", "resume", "state"}
	fileFlags   = []string{"pairs", "avoid", "only"}
)

// distinctFiles refuses a command line that names one file twice, as two of its outputs
// or as an input and an output: one would replace the other.
func distinctFiles(c *cobra.Command, args []string) error {
	value := func(flag string) string {
		if f := c.Flags().Lookup(flag); f != nil && f.Value.Type() == "string" {
			return f.Value.String()
		}
		return ""
	}
	named := slices.Clone(args)
	for _, flag := range fileFlags {
		named = append(named, value(flag))
	}
	for _, flag := range outputFlags {
		path := value(flag)
		if path == "" {
			continue
		}
		if slices.ContainsFunc(named, func(other string) bool { return sameFile(path, other) }) {
			return usageError{fmt.Errorf("--%s %s: the command line names this file already", flag, path)}
		}
		named = append(named, path)
	}
	return nil
}

// sameFile tells whether two paths are those of one regular file, or would be.
func sameFile(a, b string) bool {
	if a == "-" || b == "-" || b == "" {
		return false
	}
	inA, errA := os.Stat(a)
	inB, errB := os.Stat(b)
	switch {
	case errA == nil && errB == nil:
		return os.SameFile(inA, inB) && inA.Mode().IsRegular()
	case errA == nil || errB == nil:
		return false
	}
	return filepath.Base(a) == filepath.Base(b) && sameFolder(filepath.Dir(a), filepath.Dir(b))
}

func sameFolder(a, b string) bool {
	inA, errA := os.Stat(a)
	inB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(inA, inB)
}

// isTerminal tells whether standard output is a terminal.
func isTerminal(stdout io.Writer) bool {
	if sticky, ok := stdout.(*stickyWriter); ok {
		stdout = sticky.Writer
	}
	f, ok := stdout.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// printable returns a name for a line of text. Control characters, which a terminal
// would obey, become escapes; a name without any stays as it is.
func printable(name string) string {
	if !strings.ContainsFunc(name, unicode.IsControl) {
		return name
	}
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}
