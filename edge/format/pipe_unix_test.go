//go:build unix

package format

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A context that has ended is enough: a pipe without a writer cannot be opened, and one whose
// writer is silent has no first byte.
func TestSilentPipesEndWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe.csv")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, silent := range []bool{false, true} {
		if silent {
			writer, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer writer.Close()
		}
		if _, err := Open(ctx, path, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("with a silent writer: %v: %v", silent, err)
		}
	}
}
