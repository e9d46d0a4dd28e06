package hdl

import (
	"context"
	"errors"
	"testing"

	"github.com/gohops/hops/internal/testing/tooltest"
)

// A kernel can be synthesised, its FIFOs become block RAM, and four times sixteen
// of them fit where the paper's did.
func TestSynthesis(t *testing.T) {
	if testing.Short() {
		t.Skip("synthesis takes a while")
	}
	const luts, blocks = 207_360, 288 // of a Virtex-5 LX330
	r, err := Synthesise(context.Background(), "cygraph_kernel", "xc5v", nil)
	if errors.Is(err, ErrNoYosys) {
		tooltest.Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.Pairs < max(r.LUT, r.FF) || r.Pairs >= r.LUT+r.FF {
		t.Errorf("%+v: some flip-flops share a pair with a look-up table, and nothing has two", r)
	}
	if r.RAMB36 != 6 || r.FF == 0 || r.LUT == 0 {
		t.Errorf("%+v: want six FIFOs in as many block RAMs", r)
	}
	if 16*r.LUT > luts/2 || 16*r.RAMB36 > blocks/2 {
		t.Errorf("%+v: sixteen of these leave little of a Virtex-5 LX330", r)
	}
}

// A flip-flop shares a pair with the look-up table before it, also through a carry chain, but
// not one that another flip-flop has.
func TestPairs(t *testing.T) {
	const text = `{"modules": {"m": {"cells": {
	"a": {"type": "LUT2", "connections": {"O": [10]}},
	"b": {"type": "LUT6", "connections": {"O": [11]}},
	"c": {"type": "LUT1", "connections": {"O": [12]}},
	"carry": {"type": "CARRY4", "connections": {"S": [12, "0"], "O": [20, 21]}},
	"fa": {"type": "FDRE", "connections": {"D": [10]}},
	"fa2": {"type": "FDSE", "connections": {"D": [10]}},
	"fc": {"type": "FDRE", "connections": {"D": [20]}},
	"free": {"type": "FDRE", "connections": {"D": [21]}},
	"zero": {"type": "FDRE", "connections": {"D": ["0"]}},
	"ram": {"type": "RAMB36E1", "connections": {}}
	}}}}`
	if got, err := pairs([]byte(text), "m"); got != 6 || err != nil {
		t.Errorf("%d pairs, error %v; want a and fa, b, c and fc, and one each for fa2, free and zero", got, err)
	}
	for _, bad := range []string{"", `{"modules": {}}`} {
		if _, err := pairs([]byte(bad), "m"); err == nil {
			t.Errorf("%q is no netlist of m, and no error", bad)
		}
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
