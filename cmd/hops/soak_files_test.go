//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops/report"
)

// A writing is a command that writes one file into a folder.
type writing struct {
	name string
	args []string // FILE stands for the file
	// whole tells whether the file is complete. nil: its content is the same every time.
	whole func(path string) error
	takes time.Duration
}

// randomWriting draws a command of a verb that writes files, for a graph of a scale below
// the given one.
func randomWriting(t *testing.T, r *rand.Rand, folder string, below int) writing {
	t.Helper()
	scale := strconv.Itoa(below - 1 - r.IntN(5))
	input := filepath.Join(folder, "input.el")
	mustRun(t, "generate", "--scale", scale, "--to", "el", "--quiet", "--output", input)
	bench := []string{"graph500", "--scale", scale, "--roots", "6", "--engine", "cpu"}
	w := pick(
		r,
		writing{"convert", []string{"convert", "--quiet", input, "FILE.hops"}, nil, 0},
		writing{"generate packed", []string{"generate", "--quiet", "--scale", scale, "--output", "FILE.packed"}, nil, 0},
		writing{"generate el", []string{"generate", "--quiet", "--scale", scale, "--to", "el", "--output", "FILE.el"}, nil, 0},
		writing{"bfs", []string{"bfs", "--quiet", "--root", "1", "--levels", "FILE.csv", input}, nil, 0},
		writing{"graph500 --resume", append(bench, "--resume", "FILE.json"), readableResult, 0},
		writing{"graph500 --output", append(bench, "--to", "json", "--output", "FILE.json"), readableResult, 0},
		writing{"graph500 --html", append(bench, "--html", "FILE.html"), wholePage, 0},
	)
	args, path := w.command(folder)
	start := time.Now()
	mustRun(t, args...)
	w.takes = time.Since(start)
	if w.whole == nil {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w.whole = sameContent(want)
	}
	return w
}

// command is the command with the file in a folder, and the path of that file.
func (w writing) command(folder string) (args []string, path string) {
	for _, a := range w.args {
		if rest, ok := strings.CutPrefix(a, "FILE"); ok {
			a = filepath.Join(folder, "result"+rest)
			path = a
		}
		args = append(args, a)
	}
	return args, path
}

// panicked matches what a Go program says that dies of its own fault.
var panicked = regexp.MustCompile(`(?m)^(panic|fatal error|unexpected fault address|SIG[A-Z]+): `)

// soakDisk writes a file to a disk that is too small for it, or large enough: the file
// is whole, or the program says that there is no space and leaves no file.
func soakDisk(t *testing.T, r *rand.Rand, c counts) {
	folder := t.TempDir()
	w := randomWriting(t, r, folder, 15)
	disk, copied := filepath.Join(folder, "disk"), filepath.Join(folder, "copied")
	if err := errors.Join(os.Mkdir(disk, 0o777), os.Mkdir(copied, 0o777)); err != nil {
		t.Fatal(err)
	}
	args, path := w.command(disk)
	size := 4096 << r.IntN(12)
	const script = `mount -t tmpfs -o size=$1 soak "$2" || exit 77; to=$3; from=$2; shift 3; code=0; "$@" || code=$?; cp -a "$from/." "$to"; exit $code`
	cmd := exec.Command("unshare", append([]string{"--mount", "--map-root-user", "sh", "-c", script, "sh", strconv.Itoa(size), disk, copied, program(t)}, args...)...)
	out, err := cmd.CombinedOutput()
	if code := exitCode(err); code == 77 {
		t.Skipf("no small disk here: %s", out)
	}
	t.Logf("%s on %d bytes: %v", w.name, size, err)
	switch found := mustBeTidy(t, w, copied, filepath.Base(path), out); {
	case err == nil && !found:
		t.Errorf("success without a file:\n%s", out)
	case err == nil:
		c["disks that were large enough"]++
	case !bytes.Contains(out, []byte("no space left on device")):
		t.Errorf("the error does not say that the disk is full:\n%s", out)
	default:
		c["full disks"]++
	}
}

// soakKill kills a program while it writes: the file that was there before stays, or the
// new one is whole, and the next run succeeds.
func soakKill(t *testing.T, r *rand.Rand, c counts) {
	folder := t.TempDir()
	w := randomWriting(t, r, folder, 18)
	target := filepath.Join(folder, "target")
	if err := os.Mkdir(target, 0o777); err != nil {
		t.Fatal(err)
	}
	args, path := w.command(target)
	if chance(r, 2) {
		mustRun(t, args...) // the file is there, and is replaced
	}
	var out bytes.Buffer
	cmd := exec.Command(program(t), args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	delay := time.Duration(r.Int64N(int64(w.takes)))
	time.Sleep(delay)
	_ = cmd.Process.Kill()
	err := cmd.Wait()
	t.Logf("%s killed after %v: %v", w.name, delay, err)
	mustBeTidy(t, w, target, filepath.Base(path), out.Bytes())
	if exitCode(err) == 0 {
		c["done before the kill"]++
	} else {
		c["kills during "+w.name]++
	}
	mustRun(t, args...)
	if err := w.whole(path); err != nil {
		t.Errorf("after the next run: %v", err)
	}
}

// mustBeTidy checks that the folder has nothing but the file, and all of it. A locked file of a
// killed process may be there: the next run takes it over. It reports whether the file is there.
func mustBeTidy(t *testing.T, w writing, folder, name string, out []byte) (found bool) {
	t.Helper()
	if panicked.Match(out) {
		t.Errorf("it panicked:\n%s", out)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch e.Name() {
		case name:
			found = true
			if err := w.whole(filepath.Join(folder, name)); err != nil {
				t.Errorf("part of a file under its final name: %v", err)
			}
		case "." + name + ".lock":
		default:
			t.Errorf("%s lies there", e.Name())
		}
	}
	return found
}

func program(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("hops")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(program(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("hops %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func sameContent(want []byte) func(path string) error {
	return func(path string) error {
		got, err := os.ReadFile(path)
		if err == nil && !bytes.Equal(got, want) {
			err = fmt.Errorf("%d bytes, want %d others", len(got), len(want))
		}
		return err
	}
}

func readableResult(path string) error {
	_, err := report.ReadFile(path)
	return err
}

func wholePage(path string) error {
	text, err := os.ReadFile(path)
	if err == nil && !strings.HasSuffix(strings.TrimSpace(string(text)), "</html>") {
		err = fmt.Errorf("%d bytes that do not end a page", len(text))
	}
	return err
}
