package mpi

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/device/dynlib"
)

// A library is asked in its own way, and one that knows none takes no memory of
// devices.
func TestTakesDevices(t *testing.T) {
	for _, name := range deviceVariables {
		t.Setenv(name, "")
	}
	for defines, want := range map[string]bool{
		"":                       false,
		"-DOPENMPI=1":            true,
		"-DOPENMPI=0":            false,
		"-DMPICH=1":              true,
		"-DMPICH=0":              false,
		"-DMPICH=-1":             false,
		"-DOPENMPI=0 -DMPICH=1":  true,
		"-DOPENMPI=0 -DMPICH=-1": false,
	} {
		file := filepath.Join(t.TempDir(), "libmpi.so")
		args := append(strings.Fields(defines), "-shared", "-fPIC", "-o", file, "testdata/device.c")
		text, err := exec.Command(cmp.Or(os.Getenv("CC"), "gcc"), args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		handle, err := dynlib.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		l := &Library{lib: handle, out: new(out)}
		if got := l.TakesDevices(); got != want {
			t.Errorf("%q: %v", defines, got)
		}
	}
}

func TestSwitchedOn(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true} {
		for _, name := range deviceVariables {
			got := switchedOn(func(asked string) string {
				if asked == name {
					return value
				}
				return ""
			})
			if got != want {
				t.Errorf("%s=%s: %v", name, value, got)
			}
		}
	}
}
