package check

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/checktest"
)

// partPaths has every rank check its part of a result.
func partPaths(t *testing.T, src hops.Source, p *hops.Paths, ranks int, seed uint64) (results []Result, errs []error) {
	t.Helper()
	parts := partsOf(&p.Tree, ranks, seed)
	results = make([]Result, ranks)
	errs = together(t, src, parts, 7, func(c *PartChecker, part *hops.Tree) (err error) {
		mine := hops.Paths{Tree: *part}
		if p.Double == nil {
			mine.Single = p.Single[part.First:][:part.Len()]
		} else {
			mine.Double = p.Double[part.First:][:part.Len()]
		}
		results[c.ranks.Rank()], err = c.Paths(context.Background(), &mine)
		return err
	})
	return results, errs
}

// All ranks say of a result what one process says, right or wrong: the same counts, or the
// same rule, vertex, edge and distances.
func TestPathsInParts(t *testing.T) {
	faults := append([]checktest.PathFault{{Name: "none", Spoil: func(*checktest.PathSpecimen) bool { return true }}}, checktest.PathFaults...)
	enough := 2 // specimens
	if testing.Short() {
		enough = 1
	}
	for _, f := range faults {
		t.Run(f.Name, func(t *testing.T) {
			fitted := 0
			for i, s := range checktest.PathSpecimens() {
				if fitted == enough || !f.Spoil(s) {
					continue
				}
				fitted++
				src := edge.WithWeights(edge.List(s.Edges, s.N), s.Weights)
				for _, p := range []*hops.Paths{s.Paths, widenPaths(s.Paths)} {
					want, wantErr := newChecker(t, src, 1).Paths(context.Background(), p)
					for _, n := range []int{1, 3} {
						results, errs := partPaths(t, src, p, n, uint64(i))
						for r := range results {
							if diff := cmp.Diff(wantErr, errs[r], cmpopts.EquateNaNs()); diff != "" {
								t.Errorf("%s, rank %d of %d: %v, want %v\n%s", s.Name, r, n, errs[r], wantErr, diff)
							}
							if wantErr == nil && !cmp.Equal(want, results[r]) {
								t.Errorf("%s, rank %d of %d: %+v, want %+v", s.Name, r, n, results[r], want)
							}
						}
					}
				}
			}
			if fitted == 0 {
				t.Error("fits no specimen")
			}
		})
	}
}

func TestPathsInPartsRefusals(t *testing.T) {
	s := checktest.PathSpecimens()[0]
	_, errs := partPaths(t, edge.List(s.Edges, s.N), s.Paths, 2, 1)
	if errors.Join(errs...) == nil {
		t.Error("a source without weights is accepted")
	}
}
