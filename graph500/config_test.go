package graph500

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestZeroConfigIsTheBenchmark(t *testing.T) {
	got := Config{}.withDefaults()
	want := Config{Scale: 20, EdgeFactor: 16, Roots: 64, Seeds: &[2]uint64{2, 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Vertices() != 1<<20 || got.Edges() != 16<<20 || len(got.deviations()) != 0 {
		t.Errorf("%d vertices, %d edges, %v", got.Vertices(), got.Edges(), got.deviations())
	}
}

func TestImpossibleConfigs(t *testing.T) {
	for _, c := range []Config{
		{Scale: -1}, {Scale: MaxScale + 1}, {EdgeFactor: -1}, {EdgeFactor: MaxEdgeFactor + 1}, {Roots: -1},
	} {
		if c.Check() == nil {
			t.Errorf("%+v is accepted", c)
		}
		if res, err := Run(t.Context(), c, serialEngine(nil), nil); res != nil || err == nil {
			t.Errorf("%+v runs", c)
		}
	}
}

func TestDeviations(t *testing.T) {
	for _, c := range []Config{{EdgeFactor: 8}, {Roots: 63}, {SkipValidation: true}} {
		if got := c.withDefaults().deviations(); len(got) != 1 {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := (Config{SkipWarmUp: true, Scale: 5, Seeds: &[2]uint64{}}).withDefaults().deviations(); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestClass(t *testing.T) {
	for scale, want := range map[int]string{
		20: "below toy", 25: "below toy", 26: "toy", 27: "between toy and mini", 29: "mini", 32: "small",
		35: "between small and medium", 36: "medium", 39: "large", 42: "huge", 43: "above huge",
	} {
		if got := Class(scale); got != want {
			t.Errorf("scale %d is %q, want %q", scale, got, want)
		}
	}
}
