package graph500

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

// referenceRoots were printed by the reference implementation 3.0.1 with its
// seeds and edge factor 16.
var referenceRoots = map[int]string{
	10: `458 214 220 966 395 9 848 777 344 236 900 440 806 712 116 163 206 131 377 96 535 981 140 479 267 835 182 76 269 64
		373 41 641 570 580 939 745 898 197 627 710 857 569 670 1017 308 97 879 680 678 35 177 531 698 555 485 816 521 332 888
		209 825 171 149`,
	12: `1834 858 881 504 3865 37 3394 3109 1377 85 945 3600 1762 2850 2775 654 826 526 1510 2530 385 2142 3924 560 1918 1068
		3867 3341 729 1077 256 166 2565 2280 2322 3757 2983 789 2511 2843 883 2279 4069 2763 391 3517 859 2723 2713 142 710
		2127 2793 2220 1941 3264 2087 2841 1331 3552 839 685 597 692`,
	16: `29348 8064 61854 29808 54316 22032 1364 15128 57611 28202 45604 7468 44407 24165 34286 62789 30700 17102 53467 11672
		4882 4106 23914 2668 36484 37160 60117 47729 12624 40178 45502 54880 14129 36467 65113 19762 44219 6262 56284 43582
		2273 11360 34046 31064 52227 33398 45468 21308 52164 13430 52847 10965 9559 11072 55889 52534 58550 24494 45705 18827
		933 45576 18907 43174`,
}

func TestRootsOfTheReference(t *testing.T) {
	for scale, want := range referenceRoots {
		src, err := edge.NewKronecker(scale, 16, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		connected, err := check.HasEdge(context.Background(), src, 1)
		if err != nil {
			t.Fatal(err)
		}
		roots := Roots(DefaultSeeds, src.NumVertices(), 64, connected)
		got := strings.Trim(fmt.Sprint(roots), "[]")
		if want := strings.Join(strings.Fields(want), " "); got != want {
			t.Errorf("scale %d:\n got %s\nwant %s", scale, got, want)
		}
	}
}

func TestRootsAreFitAndDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := hops.Vertex(rapid.Uint64Range(1, 500).Draw(t, "n"))
		step := hops.Vertex(rapid.Uint64Range(1, 10).Draw(t, "step"))
		want := rapid.IntRange(1, 100).Draw(t, "want")
		seeds := [2]uint64{rapid.Uint64().Draw(t, "s1"), rapid.Uint64().Draw(t, "s2")}
		tries := 0
		roots := Roots(seeds, n, want, func(v hops.Vertex) bool { tries++; return v%step == 0 })
		if len(roots) > want || tries > int(n) {
			t.Fatalf("%d of %d roots after %d tries on %d vertices", len(roots), want, tries, n)
		}
		for i, r := range roots {
			if r >= n || r%step != 0 || slices.Contains(roots[:i], r) {
				t.Fatalf("root %d among %v", r, roots)
			}
		}
	})
}

// The reference would return a vertex that is not fit.
func TestNoFitRoots(t *testing.T) {
	tries := 0
	roots := Roots(DefaultSeeds, 1000, 64, func(hops.Vertex) bool { tries++; return false })
	if len(roots) != 0 || tries != 1000 {
		t.Errorf("%v after %d tries", roots, tries)
	}
}
