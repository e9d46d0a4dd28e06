package hdl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
)

// Resources are what a module takes of an FPGA, as yosys maps it: before
// placement, so without what the vendor's tools would merge or replicate.
type Resources struct {
	LUT    int // look-up tables of any size
	FF     int // flip-flops
	Pairs  int // of a look-up table and a flip-flop, one of which may be unused
	RAMB36 int // block RAMs of 36 kbit
	RAMB18 int // block RAMs of 18 kbit
	Carry  int // carry chains of four bits
}

// ErrNoYosys means that there is no yosys to synthesise with.
var ErrNoYosys = errors.New("hdl: yosys is not installed (Debian: apt-get install yosys)")

// Synthesise maps a module to a family of Xilinx FPGAs, as yosys names them:
// xc5v is Virtex-5, xcup UltraScale+. Parameters may be nil.
func Synthesise(ctx context.Context, module, family string, parameters map[string]int) (Resources, error) {
	yosys, err := exec.LookPath("yosys")
	if err != nil {
		return Resources{}, ErrNoYosys
	}
	dir, err := os.MkdirTemp("", "hdl")
	if err != nil {
		return Resources{}, fmt.Errorf("hdl: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, Sources); err != nil {
		return Resources{}, fmt.Errorf("hdl: %w", err)
	}
	modules, err := fs.Glob(Sources, "*.sv")
	if err != nil {
		return Resources{}, fmt.Errorf("hdl: %w", err)
	}
	var set strings.Builder
	for name, value := range parameters {
		fmt.Fprintf(&set, "chparam -set %s %d %s; ", name, value, module)
	}
	script := fmt.Sprintf("read_verilog -sv -noassert %s; %ssynth_xilinx -family %s -noiopad -top %s; tee -o stat.txt stat; flatten; write_json netlist.json",
		strings.Join(modules, " "), &set, family, module)
	cmd := exec.CommandContext(ctx, yosys, "-q", "-p", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return Resources{}, fmt.Errorf("hdl: yosys: %w\n%s", err, out[max(0, len(out)-400):])
	}
	stat, err := os.ReadFile(dir + "/stat.txt")
	if err != nil {
		return Resources{}, fmt.Errorf("hdl: %w", err)
	}
	r, err := count(stat)
	if err != nil {
		return r, err
	}
	text, err := os.ReadFile(dir + "/netlist.json")
	if err != nil {
		return Resources{}, fmt.Errorf("hdl: %w", err)
	}
	r.Pairs, err = pairs(text, module)
	return r, err
}

// count adds up the cells of the last module in the statistics of yosys, which
// stands for the whole hierarchy.
func count(stat []byte) (r Resources, err error) {
	at := bytes.LastIndex(stat, []byte("Number of cells:"))
	if at < 0 {
		return r, errors.New("hdl: yosys printed no statistics")
	}
	for lines := bufio.NewScanner(bytes.NewReader(stat[at:])); lines.Scan(); {
		var cell string
		var n int
		if got, _ := fmt.Sscan(lines.Text(), &cell, &n); got != 2 {
			continue
		}
		for prefix, count := range map[string]*int{"LUT": &r.LUT, "FD": &r.FF, "RAMB36": &r.RAMB36, "RAMB18": &r.RAMB18, "CARRY": &r.Carry} {
			if strings.HasPrefix(cell, prefix) {
				*count += n
			}
		}
	}
	return r, nil
}
