package gpu

import (
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
	const stale = "kernels/module.ptx is not up to date: run make generate"
	if !strings.HasSuffix(modulePTX, fmt.Sprintf("// from sources with SHA-256 %x\n", sumOfKernels(t))) {
		t.Fatal(stale)
	}
	version, err := exec.Command("clang-19", "--version").Output()
	if err != nil {
		tooltest.Missing(t, "clang-19 is not installed: ", err)
	}
	first, _, _ := strings.Cut(string(version), "\n")
	if !strings.Contains(modulePTX, "// compiled by "+first+"\n") {
		t.Skipf("%s did not make this text", first)
	}
	out := filepath.Join(t.TempDir(), "module.ptx")
	if err := os.WriteFile(out, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("sh", "../../scripts/generate-ptx.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	fresh, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(fresh) != modulePTX {
		t.Error(stale)
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
