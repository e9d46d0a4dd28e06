package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Names on a terminal have no characters that it would obey. Files, and pipes, have the
// names as they are.
func TestNamesOnATerminal(t *testing.T) {
	const hostile = "\x1b]0;owned\a"
	dir := t.TempDir()
	graph, file := filepath.Join(dir, "graph.csv"), filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(graph, []byte("source,target\na,"+hostile+"\n"+hostile+",csi\u009b2J\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var problem strings.Builder
	for _, args := range [][]string{
		{"bfs", graph, "--root", "a", "--ids", "string", "--quiet", "--levels"},
		{"bfs", graph, "--root", "a", "--ids", "string", "--quiet", "--parents"},
		{"bfs", graph, "--root", "a", "--ids", "string", "--quiet", "--rows", "jsonl", "--levels"},
		{"components", graph, "--ids", "string", "--quiet", "--output"},
	} {
		var pipe strings.Builder
		if rc := run(append(args, "-"), &pipe, &problem); rc != 0 {
			t.Fatalf("%q: exit code %d: %s", args, rc, problem.String())
		}
		shown := onTerminal(t, append(args, "-"))
		if strings.ContainsAny(shown, "\x1b\a\u009b") || !strings.Contains(shown, `owned`) {
			t.Errorf("%q: a terminal gets %q", args, shown)
		}
		if strings.Contains(strings.Join(args, " "), "jsonl") {
			continue // which is the same everywhere
		}
		if rc := run(append(args, file), io.Discard, io.Discard); rc != 0 {
			t.Fatalf("%q: exit code %d", args, rc)
		}
		written, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(written), hostile) || !strings.Contains(pipe.String(), string(written)) {
			t.Errorf("%q: a file gets %q, a pipe %q (%v)", args, written, pipe.String(), err)
		}
	}
}

// onTerminal runs the program with a terminal as its standard output, and returns what
// the terminal got.
func onTerminal(t *testing.T, args []string) string {
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
	if rc := run(args, terminal, io.Discard); rc != 0 {
		t.Fatalf("%q: exit code %d", args, rc)
	}
	const end = "(end)"
	fmt.Fprint(terminal, end)
	defer terminal.Close()
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
