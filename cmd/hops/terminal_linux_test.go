package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// Names on a terminal have no characters that it would obey. Files and pipes have the
// names as they are.
func TestNamesOnATerminal(t *testing.T) {
	const hostile, text = "\x1b]0;owned\a", "a\x1b]0;owned\acsi\u009b2J"
	g, err := csr.Build(context.Background(), edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}}, 3), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.Names, err = graph.TextNames([]byte(text), []uint64{1, uint64(1 + len(hostile)), uint64(len(text))}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rows.csv")
	for _, rows := range []string{"csv", "jsonl"} {
		write := func(path string, stdout io.Writer) error {
			c := column{name: "parent", vertex: true, value: func(v hops.Vertex) (uint64, bool) { return 2 - uint64(v), true }}
			return writeRows(path, rows, &stickyWriter{Writer: stdout}, g, c)
		}
		shown := onTerminal(t, func(terminal io.Writer) error { return write("-", terminal) })
		if strings.ContainsAny(shown, "\x1b\a\u009b") || strings.Count(shown, "owned") != 2 {
			t.Errorf("%s: a terminal gets %q", rows, shown)
		}
		if rows == "jsonl" {
			continue // which is the same everywhere
		}
		var pipe strings.Builder
		if err := write("-", &pipe); err != nil {
			t.Fatal(err)
		}
		if err := write(file, io.Discard); err != nil {
			t.Fatal(err)
		}
		if written, err := os.ReadFile(file); err != nil || pipe.String() != string(written) || strings.Count(pipe.String(), hostile) != 2 {
			t.Errorf("a file gets %q, a pipe %q (%v)", written, pipe.String(), err)
		}
	}
}

// onTerminal calls write with a terminal and returns what that got.
func onTerminal(t *testing.T, write func(terminal io.Writer) error) string {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer control.Close()
	if err := unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	if err := write(terminal); err != nil {
		t.Fatal(err)
	}
	const end = "(end)"
	fmt.Fprint(terminal, end)
	var all []byte
	for chunk := make([]byte, 4096); !strings.HasSuffix(string(all), end); {
		n, err := control.Read(chunk)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, chunk[:n]...)
	}
	return string(all)
}
