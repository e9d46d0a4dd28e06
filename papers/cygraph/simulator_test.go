package cygraph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/testing/tooltest"
	"github.com/gohops/hops/papers/hdl"
)

// A design holds the parameters that are fixed when the hardware is built: see Options.
type design struct {
	Kernels, FPGAs, Hop, Depth int
	Filter                     int // labels that each FPGA's filter holds; 0: no filter
}

// A simulator is a design that Verilator has compiled to a program.
type simulator struct {
	program string
}

// errNoVerilator means that there is no Verilator to build simulators with.
var errNoVerilator = errors.New("cygraph: verilator is not installed (Debian: apt-get install verilator g++ make)")

// buildSimulator compiles the simulator of a design from sources: hdl.Sources, or a
// variation of them. Programs are kept in the user's cache folder, and one that was built from the
// same sources is reused.
func buildSimulator(ctx context.Context, sources fs.FS, d design) (*simulator, error) {
	verilator, err := exec.LookPath("verilator")
	if err != nil {
		return nil, errNoVerilator
	}
	flags := d.flags()
	key, err := fingerprint(sources, flags)
	if err != nil {
		return nil, fmt.Errorf("cygraph: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("cygraph: %w", err)
	}
	s := &simulator{program: filepath.Join(cache, "hops", "hdl", key)}
	if _, err := os.Stat(s.program); err == nil {
		return s, nil
	}
	return s, s.build(ctx, verilator, sources, flags)
}

func (d design) flags() []string {
	return []string{
		fmt.Sprintf("-GKERNELS=%d", d.Kernels), fmt.Sprintf("-GFPGAS=%d", d.FPGAs),
		fmt.Sprintf("-GHOP=%d", d.Hop), fmt.Sprintf("-GDEPTH=%d", d.Depth), fmt.Sprintf("-GFILTER=%d", d.Filter),
		"-CFLAGS", fmt.Sprintf("-O2 -std=c++17 -DKERNELS=%d", d.Kernels),
	}
}

// fingerprint returns a hash of sources and flags.
func fingerprint(sources fs.FS, flags []string) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", flags)
	err := fs.WalkDir(sources, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(sources, path)
		fmt.Fprintf(sum, "%q %d\n%s\n", path, len(text), text)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:12]), err
}

// build compiles in a temporary folder and renames the finished program, so that
// processes that build the same design do not disturb each other.
func (s *simulator) build(ctx context.Context, verilator string, sources fs.FS, flags []string) error {
	if err := os.MkdirAll(filepath.Dir(s.program), 0o755); err != nil {
		return fmt.Errorf("cygraph: %w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(s.program), "build")
	if err != nil {
		return fmt.Errorf("cygraph: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(filepath.Join(dir, "src"), sources); err != nil {
		return fmt.Errorf("cygraph: %w", err)
	}
	modules, err := fs.Glob(sources, "*.sv")
	if err != nil {
		return fmt.Errorf("cygraph: %w", err)
	}
	args := []string{
		"--cc", "--exe", "--build", "-j", "2", "-O3", "--assert", "-Wall", "--top-module", hdl.Top,
		"--Mdir", filepath.Join(dir, "obj"), "-o", "simulator",
	}
	args = append(append(args, flags...), modules...)
	cmd := exec.CommandContext(ctx, verilator, append(args, filepath.Join(dir, "src", "sim", "main.cpp"))...)
	cmd.Dir = filepath.Join(dir, "src")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cygraph: verilator: %w\n%s", err, out)
	}
	if err := os.Rename(filepath.Join(dir, "obj", "simulator"), s.program); err != nil {
		return fmt.Errorf("cygraph: %w", err)
	}
	return nil
}

func TestHardwareLint(t *testing.T) {
	verilator, err := exec.LookPath("verilator")
	if err != nil {
		tooltest.Missing(t, errNoVerilator)
	}
	modules, err := filepath.Glob("../hdl/*.sv")
	if err != nil || len(modules) < 7 {
		t.Fatalf("modules %v, error %v", modules, err)
	}
	for _, d := range []design{{1, 1, 1, 512, 8}, {4, 2, 1, 2, 16}, {16, 1, 8, 512, 0}, {64, 4, 8, 512, 1 << 14}} {
		args := append([]string{"--lint-only", "-Wall", "--top-module", hdl.Top}, d.flags()[:5]...)
		out, err := exec.Command(verilator, append(args, modules...)...).CombinedOutput()
		if err != nil || len(summary.ReplaceAll(out, nil)) > 0 {
			t.Errorf("%+v: %v\n%s", d, err, out)
		}
	}
}

// summary is what newer Verilators say where nothing is wrong.
var summary = regexp.MustCompile(`(?m)^- (V e r i l a t i o n|Verilator: ).*\n`)

func TestParse(t *testing.T) {
	got, err := parse(strings.NewReader("level 10 3\nlevel 7 0\ndone 17 2\n"))
	if err != nil || fmt.Sprint(got) != "{[{10 3} {7 0}] 17 true false}" {
		t.Errorf("%v, error %v", got, err)
	}
	if _, err := parse(strings.NewReader("level 10 3\n")); err == nil {
		t.Error("an output that breaks off was accepted")
	}
}
