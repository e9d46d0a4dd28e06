package gpu

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/testing/tooltest"
)

// TestPTX holds the embedded PTX to its sources: by their sum everywhere, and by
// compiling them again where the compiler is the one that made it.
func TestPTX(t *testing.T) {
	const stale = "kernels/module.ptx.gz is not up to date: run make generate"
	made, err := os.ReadFile("kernels/module.sum")
	if err != nil {
		t.Fatal(err)
	}
	compiler, sum, _ := strings.Cut(string(made), "\n")
	if sum != fmt.Sprintf("from sources with SHA-256 %x\n", sumOfKernels(t)) {
		t.Fatal(stale)
	}
	version, err := exec.Command("clang-19", "--version").Output()
	if err != nil {
		tooltest.Missing(t, "clang-19 is not installed: ", err)
	}
	if first, _, _ := strings.Cut(string(version), "\n"); compiler != "compiled by "+first {
		t.Skipf("%s did not make this text", first)
	}
	fresh := t.TempDir()
	if text, err := exec.Command("sh", "../../scripts/generate-ptx.sh", fresh).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !bytes.Equal(unpack(t, filepath.Join(fresh, "module.ptx.gz")), unpack(t, "kernels/module.ptx.gz")) {
		t.Error(stale)
	}
}

// unpack is the text of a file that gzip packed.
func unpack(t *testing.T, name string) []byte {
	t.Helper()
	text, err := exec.Command("gzip", "-dc", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The PTX that the program loads is the whole text of the file.
func TestPTXUnpacks(t *testing.T) {
	ptx, err := modulePTX()
	if err != nil {
		t.Fatal(err)
	}
	if ptx != string(unpack(t, "kernels/module.ptx.gz")) {
		t.Error("the PTX in the program is not the PTX of the file")
	}
}

// sumOfKernels is the SHA-256 of the sources, .cu before .h, each in order of
// their names.
func sumOfKernels(t *testing.T) []byte {
	t.Helper()
	sum := sha256.New()
	for _, pattern := range []string{"kernels/*.cu", "kernels/*.h"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sum.Write(text)
		}
	}
	return sum.Sum(nil)
}
