package nccl

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// The tests start this binary again with an imitation of the library, since a process
// opens the library once.
var isChild = flag.Bool("child", false, "use the imitated library and exit")

func TestMain(m *testing.M) {
	flag.Parse()
	if !*isChild {
		os.Exit(m.Run())
	}
	if err := gather(); err != nil {
		os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
}

// gather lets three members, each with its own thread, fill memory from their parts,
// twice. The second has nothing to bring.
func gather() error {
	const members = 3
	secret, err := Secret()
	if err != nil {
		return err
	}
	parts := []Part{{0, 4}, {4, 0}, {6, 2}}
	want := [8]byte{'a', 'a', 'a', 'a', 0, 0, 'c', 'c'}
	errs := make([]error, members)
	var all sync.WaitGroup
	for me := range members {
		all.Go(func() { errs[me] = gatherAs(secret, me, parts, want) })
	}
	all.Wait()
	if _, err := Join([SecretSize]byte{}, 0, members); err == nil {
		return errors.New("a secret that nobody made was accepted")
	}
	return errors.Join(errs...)
}

func gatherAs(secret [SecretSize]byte, me int, parts []Part, want [8]byte) error {
	m, err := Join(secret, me, len(parts))
	if err != nil {
		return err
	}
	mine := make([]Part, len(parts))
	for r := range mine {
		mine[r] = parts[me]
	}
	for range 2 {
		memory := new([8]byte)
		var pinned runtime.Pinner // memory of a device stays where it is, and so does this
		pinned.Pin(memory)
		for i := range parts[me].Bytes {
			memory[parts[me].At+i] = 'a' + byte(me)
		}
		if err := m.Exchange(uintptr(unsafe.Pointer(&memory[0])), mine, uintptr(unsafe.Pointer(&memory[0])), parts, uintptr(me+1)); err != nil {
			return err
		}
		pinned.Unpin()
		if *memory != want {
			return fmt.Errorf("member %d has %q", me, *memory)
		}
	}
	if err := m.Exchange(0, mine, 0, parts[:2], 1); err == nil {
		return errors.New("parts of two for three members")
	}
	return m.Close()
}

// imitation is a folder with the library in testdata.
func imitation(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, fileName)
	out, err := exec.Command(cmp.Or(os.Getenv("CC"), "gcc"), "-shared", "-fPIC", "-pthread", "-o", file, "testdata/nccl.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

// child runs gather with the library of a folder. The settings are those of
// testdata/nccl.c.
func child(folder string, settings ...string) (string, error) {
	c := exec.Command(os.Args[0], "-child")
	c.Env = append(append(os.Environ(), "LD_LIBRARY_PATH="+folder), settings...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func TestPartsArrive(t *testing.T) {
	if out, err := child(imitation(t)); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// A version may be too old. NCCL refuses members that share a device.
func TestRefused(t *testing.T) {
	folder := imitation(t)
	for setting, want := range map[string]string{
		"FAKE_NCCL_VERSION=22005": "version code 22005, at least 22300",
		"FAKE_NCCL_ONE_DEVICE=1":  "invalid usage (5) (member ",
	} {
		out, err := child(folder, setting)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v: %s", setting, err, out)
		}
	}
}

func TestMissing(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, fileName), []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := child(folder)
	if err == nil || !strings.Contains(out, "nccl: not available: libnccl.so.2 cannot be opened") {
		t.Errorf("%v: %s", err, out)
	}
}
