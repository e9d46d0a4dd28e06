package enginetest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops/level"
)

// CheckPolicy holds a policy to its contract on any steps: it answers with one of the
// steps, and the answer depends on its arguments alone, unless the policy is a
// level.StatefulPolicy. A stateful one answers the same after Begin.
func CheckPolicy(t *testing.T, p level.Policy, steps []level.Step) {
	t.Helper()
	fronts := randomFronts()
	ask := func(f level.Front) string {
		s := p.Next(f, steps)
		if !slices.Contains(steps, s) {
			t.Fatalf("%T answers %+v, which is none of the steps", p, s)
		}
		return s.Name
	}
	begin := func() {
		if s, ok := p.(level.StatefulPolicy); ok {
			s.Begin()
		}
	}
	begin()
	first := make([]string, len(fronts))
	for i, f := range fronts {
		first[i] = ask(f)
	}
	begin()
	order := rand.New(rand.NewPCG(5, 6)).Perm(len(fronts))
	if _, ok := p.(level.StatefulPolicy); ok {
		slices.Sort(order) // only the same questions in the same order have the same answers
	}
	for _, i := range order {
		if again := ask(fronts[i]); again != first[i] {
			t.Fatalf("%T answers %s to %+v, and %s before: it keeps state", p, again, fronts[i], first[i])
		}
	}
}

// randomFronts are fronts of many sizes, from graphs of 1,024 to 2²⁹ vertices.
func randomFronts() []level.Front {
	r := rand.New(rand.NewPCG(3, 4))
	fronts := make([]level.Front, 200)
	for i := range fronts {
		f := &fronts[i]
		f.Size = 1 << (10 + r.IntN(20))
		f.Depth, f.Last = int32(r.IntN(8)), level.Direction(r.IntN(2))
		f.Vertices = 1 + r.Int64N(f.Size/2)>>r.IntN(10)
		f.Unvisited = r.Int64N(f.Size / 2)
		f.Edges, f.Remaining = f.Vertices*(1+r.Int64N(64)), f.Unvisited*(1+r.Int64N(64))
		f.Work = level.Expect(*f)
	}
	return fronts
}
