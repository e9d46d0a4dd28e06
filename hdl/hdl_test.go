package hdl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// missing skips a test whose tool is not installed, or fails it where everything
// is supposed to be.
func missing(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Skip(err)
}

func TestLint(t *testing.T) {
	verilator, err := exec.LookPath("verilator")
	if err != nil {
		missing(t, ErrNoVerilator)
	}
	modules, err := filepath.Glob("*.sv")
	if err != nil || len(modules) < 7 {
		t.Fatalf("modules %v, error %v", modules, err)
	}
	for _, d := range []Design{{1, 1, 1, 512, 8}, {4, 2, 1, 2, 16}, {16, 1, 8, 512, 0}, {64, 4, 8, 512, 1 << 14}} {
		args := append([]string{"--lint-only", "-Wall", "--top-module", Top}, d.flags()[:5]...)
		out, err := exec.Command(verilator, append(args, modules...)...).CombinedOutput()
		if err != nil || len(summary.ReplaceAll(out, nil)) > 0 {
			t.Errorf("%+v: %v\n%s", d, err, out)
		}
	}
}

// summary is what newer Verilators say where nothing is wrong.
var summary = regexp.MustCompile(`(?m)^- (V e r i l a t i o n|Verilator: ).*\n`)

// A kernel can be synthesised, its FIFOs become block RAM, and four times sixteen
// of them fit where the paper's did.
func TestSynthesis(t *testing.T) {
	if testing.Short() {
		t.Skip("synthesis takes a while")
	}
	const luts, blocks = 207_360, 288 // of a Virtex-5 LX330
	r, err := Synthesise(context.Background(), "cygraph_kernel", "xc5v", nil)
	if errors.Is(err, ErrNoYosys) {
		missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.RAMB36 != 6 || r.FF == 0 || r.LUT == 0 {
		t.Errorf("%+v: want six FIFOs in as many block RAMs", r)
	}
	if 16*r.LUT > luts/2 || 16*r.RAMB36 > blocks/2 {
		t.Errorf("%+v: sixteen of these leave little of a Virtex-5 LX330", r)
	}
}

func TestCountReadsStatistics(t *testing.T) {
	const stat = `
=== a ===
   Number of cells:                  3
     LUT2                            3
=== design hierarchy ===
   Number of cells:                 20
     BUFG                            1
     CARRY4                          2
     FDRE                            7
     FDSE                            1
     LUT1                            3
     LUT6                            4
     RAMB18E2                        1
     RAMB36SDP                       1
`
	got, err := count([]byte(stat))
	want := Resources{LUT: 7, FF: 8, RAMB36: 1, RAMB18: 1, Carry: 2}
	if err != nil || got != want {
		t.Errorf("%+v, error %v; want %+v", got, err, want)
	}
	if _, err := count(nil); err == nil {
		t.Error("no statistics, no error")
	}
}

func TestParse(t *testing.T) {
	got, err := parse(strings.NewReader("level 10 3\nlevel 7 0\ndone 17 2\n"))
	if err != nil || fmt.Sprint(got) != "{[{10 3} {7 0}] 17 true false}" {
		t.Errorf("%v, error %v", got, err)
	}
	if _, err := parse(strings.NewReader("level 10 3\n")); err == nil {
		t.Error("an output that breaks off was accepted")
	}
}
