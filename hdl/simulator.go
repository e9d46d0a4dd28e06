package hdl

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
)

// A Design holds the parameters that are fixed when the hardware is built. They are
// explained in Options of package engine/cygraph.
type Design struct {
	Kernels, FPGAs, Hop, Depth int
	Filter                     int // labels that each FPGA's filter holds; 0: no filter
}

// A Simulator is a design that Verilator has compiled to a program.
type Simulator struct {
	program string
}

// ErrNoVerilator means that there is no Verilator to build simulators with.
var ErrNoVerilator = errors.New("hdl: verilator is not installed (Debian: apt-get install verilator g++ make)")

// Build compiles the simulator of a design from sources: Sources, or a variation of
// them. Programs are kept in the user's cache folder, and one that was built from the
// same sources is reused.
func Build(ctx context.Context, sources fs.FS, d Design) (*Simulator, error) {
	verilator, err := exec.LookPath("verilator")
	if err != nil {
		return nil, ErrNoVerilator
	}
	flags := d.flags()
	key, err := fingerprint(sources, flags)
	if err != nil {
		return nil, fmt.Errorf("hdl: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("hdl: %w", err)
	}
	s := &Simulator{program: filepath.Join(cache, "hops", "hdl", key)}
	if _, err := os.Stat(s.program); err == nil {
		return s, nil
	}
	return s, s.build(ctx, verilator, sources, flags)
}

func (d Design) flags() []string {
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

// unpack copies the sources to a folder and returns the files of the modules.
func unpack(sources fs.FS, dir string) (modules []string, err error) {
	if err := os.CopyFS(dir, sources); err != nil {
		return nil, err
	}
	return fs.Glob(sources, "*.sv")
}

// build compiles in a temporary folder and renames the finished program, so that
// processes that build the same design do not disturb each other.
func (s *Simulator) build(ctx context.Context, verilator string, sources fs.FS, flags []string) error {
	if err := os.MkdirAll(filepath.Dir(s.program), 0o755); err != nil {
		return fmt.Errorf("hdl: %w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(s.program), "build")
	if err != nil {
		return fmt.Errorf("hdl: %w", err)
	}
	defer os.RemoveAll(dir)
	modules, err := unpack(sources, filepath.Join(dir, "src"))
	if err != nil {
		return fmt.Errorf("hdl: %w", err)
	}
	args := []string{
		"--cc", "--exe", "--build", "-j", "2", "-O3", "--assert", "-Wall", "--top-module", Top,
		"--Mdir", filepath.Join(dir, "obj"), "-o", "simulator",
	}
	args = append(append(args, flags...), modules...)
	cmd := exec.CommandContext(ctx, verilator, append(args, filepath.Join(dir, "src", "sim", "main.cpp"))...)
	cmd.Dir = filepath.Join(dir, "src")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("hdl: verilator: %w\n%s", err, out)
	}
	if err := os.Rename(filepath.Join(dir, "obj", "simulator"), s.program); err != nil {
		return fmt.Errorf("hdl: %w", err)
	}
	return nil
}
