package graph500

import (
	"encoding/json"
	"math"
	"strings"
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
		{Scale: -1},
		{Scale: MaxScale + 1},
		{EdgeFactor: -1},
		{EdgeFactor: MaxEdgeFactor + 1},
		{EdgeFactor: math.NaN()},
		{EdgeFactor: math.Inf(1)},
		{Scale: 4, EdgeFactor: 1. / 17},
		{Roots: -1},
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
	for _, c := range []Config{{EdgeFactor: 8}, {EdgeFactor: 15.5}, {Roots: 63}, {SkipValidation: true}} {
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

// A graph may have fewer edges than vertices. Files and programs read whole factors as
// whole numbers.
func TestFractionsOfEdges(t *testing.T) {
	for _, x := range []struct {
		scale  int
		factor float64
		edges  int64
		text   string
	}{
		{12, 0.25, 1 << 10, "0.25"},
		{33, 1. / 32, 1 << 28, "0.03125"},
		{10, 1. / 3, 341, "0.3333333333333333"},
		{4, 1. / 16, 1, "0.0625"},
		{10, 1.5, 1536, "1.5"},
		{MaxScale, MaxEdgeFactor, 1 << (MaxScale + 10), "1024"},
		{10, 0, 16 << 10, "16"},
	} {
		c := Config{Scale: x.scale, EdgeFactor: x.factor}.withDefaults()
		text, err := json.Marshal(c)
		if err != nil || c.Check() != nil || c.Edges() != x.edges || !strings.Contains(string(text), `"edgefactor":`+x.text+`,`) {
			t.Errorf("%v: %d edges, want %d: %v, %v, %s", x.factor, c.Edges(), x.edges, c.Check(), err, text)
		}
		var again Config
		if err := json.Unmarshal(text, &again); err != nil || again.EdgeFactor != c.EdgeFactor {
			t.Errorf("%s is read as %v, %v", text, again.EdgeFactor, err)
		}
	}
}
