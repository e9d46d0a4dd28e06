package graph500

import (
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
)

func needing(bytes int64) Engine {
	return Engine{Need: func(hops.Vertex, int64) int64 { return bytes }}
}

func TestPlanKeepsTheListWhereItFits(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	const graph = 300 << 20
	needed := int64(graph) + 4<<20 // the tree
	p, err := planMemory(cfg, needing(graph), 1<<40, 1, 1)
	if err != nil || !p.KeepTuples || p.Tuples != 12*16<<20 || p.Needed < needed {
		t.Fatalf("%+v, %v", p, err)
	}
	for available, keep := range map[int64]bool{
		0:                   true, // unknown
		p.Needed:            false,
		p.Needed + p.Tuples: false, // nothing left for anyone else
		2 * p.Needed:        true,
	} {
		p, err := planMemory(cfg, needing(graph), available, 1, 1)
		if err != nil || p.KeepTuples != keep {
			t.Errorf("%d available: keeps the list: %v, want %v (%v)", available, p.KeepTuples, keep, err)
		}
	}
}

func TestPlanRefusesWithBothFigures(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	_, err := planMemory(cfg, needing(3<<40), 5<<30, 1, 1)
	if err == nil || !strings.Contains(err.Error(), "3.00 TiB") || !strings.Contains(err.Error(), "5 GiB") {
		t.Errorf("%v", err)
	}
}

func TestImpossibleRunsEndAtOnce(t *testing.T) {
	start := time.Now()
	for _, scale := range []int{38, 40, MaxScale} {
		res, err := Run(t.Context(), Config{Scale: scale, EdgeFactor: MaxEdgeFactor}, serialEngine(nil), nil)
		if res != nil || err == nil || !strings.Contains(err.Error(), "available") {
			t.Errorf("scale %d: %v, %v", scale, res, err)
		}
	}
	if d := time.Since(start); d > 2*time.Minute { // milliseconds, if nothing is generated
		t.Errorf("refusing took %v", d)
	}
}

// Ranks of one host share its memory; what they need is divided too.
func TestPlanOfRanks(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	one, err := planMemory(cfg, needing(64<<20), 1<<30, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := planMemory(cfg, needing(64<<20), 1<<30, 4, 2)
	if err != nil || p.Available != 1<<29 || p.Graph != 16<<20 || p.Tuples != one.Tuples/4 || p.Tree != one.Tree/4 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := planMemory(cfg, needing(1<<30), 1<<29, 4, 2); err == nil {
		t.Error("two ranks of 256 MiB each fit 512 MiB with their trees")
	}
}
