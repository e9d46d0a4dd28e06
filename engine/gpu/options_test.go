package gpu

import (
	"strings"
	"testing"

	"github.com/gohops/hops/level"
)

// Options that have no effect beside others are refused, and the message names both.
func TestOptionsThatExcludeEachOther(t *testing.T) {
	stepped := level.AlphaBeta{Alpha: 15, Beta: 18}
	for want, o := range map[string]Options{
		"hot excludes stepped":                          {Hot: true, Stepped: stepped},
		"alpha and beta exclude stepped":                {Beta: 2, Stepped: stepped},
		"dense excludes stepped":                        {Dense: 2, Stepped: stepped},
		"a bound on allocations needs driver opencl":    {MaxAlloc: 1 << 20, Driver: "cuda"},
		"a bound on allocations needs driver opencl: t": {MaxAlloc: 1 << 20},
	} {
		if _, err := Build(t.Context(), grid(2), o); err == nil || !strings.HasPrefix(err.Error(), "gpu: "+want) {
			t.Errorf("Build: %v, want %q", err, want)
		}
		if err := Ready(o, 4, 4, true); err == nil || !strings.HasPrefix(err.Error(), "gpu: "+want) {
			t.Errorf("Ready: %v, want %q", err, want)
		}
	}
	if _, err := BuildPortable(t.Context(), grid(2), Options{Stepped: stepped}, true); err == nil || !strings.Contains(err.Error(), "excludes stepped") {
		t.Errorf("BuildPortable: %v", err)
	}
}

// Options that have an effect together are accepted.
func TestOptionsThatGoTogether(t *testing.T) {
	for _, o := range []Options{
		{},
		{Hot: true, Alpha: 3, Beta: 4, Dense: 5, Blocks: 2, Threads: 256},
		{Driver: "opencl", MaxAlloc: 1 << 20, Stepped: level.Fixed{}},
	} {
		if err := o.check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
