package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func content(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// alone fails if anything but the named files lies in dir.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	if strings.Join(found, " ") != strings.Join(names, " ") {
		t.Errorf("folder holds %q, want %q", found, names)
	}
}

func TestWriteAndReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result")
	for _, text := range []string{"one", "", "two"} {
		if err := Write(path, content(text)); err != nil {
			t.Fatal(err)
		}
		if got := mustRead(t, path); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	alone(t, dir, "result")
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result")
	if err := Write(path, content("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half of the n")
		if got := mustRead(t, path); got != "old" {
			t.Errorf("%q is visible too early", got)
		}
		return broken
	})
	if err != broken {
		t.Errorf("error %v, want the writer's own", err)
	}
	if got := mustRead(t, path); got != "old" {
		t.Errorf("%q", got)
	}
	alone(t, dir, "result")
}

func TestUnwritablePathsAreFoundFirst(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "no", "where"), dir} {
		err := Write(path, func(io.Writer) error { t.Errorf("%s was written", path); return nil })
		if err == nil || !strings.HasPrefix(err.Error(), "atomicfile: "+path+": ") {
			t.Errorf("%s: error %v", path, err)
		}
	}
	alone(t, dir)
}

// A process that is killed while it writes leaves nothing beside the old file.
func TestNothingLiesThereUntilTheEnd(t *testing.T) {
	dir := t.TempDir()
	f, _, err := openUnnamed(filepath.Join(dir, "x"))
	if err != nil {
		t.Skip("the file system has no files without a name: ", err)
	}
	f.Close()
	path := filepath.Join(dir, "result")
	for range 2 {
		err := Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, "half")
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				if e.Name() != "result" {
					t.Errorf("%s lies there before the end", e.Name())
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		alone(t, dir, "result")
	}
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result")
	unlock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(path, content("replaced")); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path); err == nil || !strings.Contains(err.Error(), path+": another run") {
		t.Errorf("locked twice: %v", err)
	}
	unlock()
	alone(t, dir, "result")
	unlock, err = Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := Write(filepath.Join(dir, "file"), content("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, content("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info.Mode(), err)
	}
	if got := mustRead(t, filepath.Join(dir, "file")); got != "new" {
		t.Errorf("%q", got)
	}
}

// A link to a file that is not there yet stays a link, and the file comes to be.
func TestDanglingLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"one": "two", "two": filepath.Join("sub", "three"), filepath.Join("sub", "three"): filepath.Join("..", "file"), "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := Write(filepath.Join(dir, "one"), content("new")); err != nil {
		t.Fatal(err)
	}
	if got := mustRead(t, filepath.Join(dir, "file")); got != "new" {
		t.Errorf("%q", got)
	}
	alone(t, dir, "file", "loop", "one", "sub", "two")
	if info, err := os.Lstat(filepath.Join(dir, "one")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info.Mode(), err)
	}
	if err := Write(filepath.Join(dir, "loop"), content("new")); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a loop of links: %v", err)
	}
}

// A file that is replaced keeps its mode, from before anything is written to it.
func TestReplacedFilesKeepTheirMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes")
	}
	path := filepath.Join(t.TempDir(), "result")
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666} {
		if err := errors.Join(Write(path, content("old")), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		earlier, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range []unnamed{openUnnamed, noUnnamed} {
			err := replace(path, earlier, open, func(w io.Writer) error {
				if info, err := w.(*os.File).Stat(); err != nil || info.Mode() != mode {
					t.Errorf("%v while it is written, want %v: %v", info.Mode(), mode, err)
				}
				return content("secret")(w)
			})
			if err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode() != mode {
				t.Errorf("%v afterwards, want %v: %v", info.Mode(), mode, err)
			}
		}
	}
	if os.Geteuid() != 0 {
		return
	}
	if err := os.Chown(path, 1234, 5678); err != nil {
		t.Skip(err)
	}
	if err := Write(path, content("given")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); owned(t, info) != [2]int{1234, 5678} {
		t.Errorf("belongs to %v", owned(t, info))
	}
}

// owned returns the owner and group of a file.
func owned(t *testing.T, info os.FileInfo) (ids [2]int) {
	t.Helper()
	sys := reflect.ValueOf(info.Sys()).Elem()
	for i, field := range []string{"Uid", "Gid"} {
		ids[i] = int(sys.FieldByName(field).Uint())
	}
	return ids
}

func TestDevicesAreWrittenDirectly(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is Linux's")
	}
	err := Write("/dev/full", content("no room"))
	if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "atomicfile: /dev/full: ") {
		t.Errorf("error %v", err)
	}
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode().IsRegular() {
		t.Fatalf("the device is no longer one: %v, %v", info.Mode(), err)
	}
}

// noUnnamed is a file system on which every file has a name.
func noUnnamed(string) (*os.File, func(string) error, error) {
	return nil, nil, errors.ErrUnsupported
}
