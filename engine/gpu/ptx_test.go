package gpu

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPTX: the embedded PTX is what the sources compile to.
func TestPTX(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("clang-19 must be installed: ", err)
		}
		t.Skip("clang-19 is not installed")
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
		t.Error("kernels/module.ptx is not up to date: run go generate ./engine/gpu")
	}
}
