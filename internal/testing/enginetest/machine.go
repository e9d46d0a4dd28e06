package enginetest

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// MachineSources are the graphs on which CheckMachine finds out most: graphs of one
// level and of many, with isolated vertices, and a graph of the benchmark.
func MachineSources(t *testing.T) map[string]hops.Source {
	t.Helper()
	sources := map[string]hops.Source{"kronecker": kronecker(t, 10)}
	for _, g := range []graph{star(300), pathGraph(65), tree(1000), dandelion(40, 70), {name: "noEdges", n: 5}} {
		sources[g.name] = g.source()
	}
	return sources
}

// CheckMachine holds a machine that was made for src to the
// contract of level.Machine. It runs searches level by level: with each step alone,
// with the step's name alone, and with all steps in turn.
//
// bind makes the next search fill a tree; it may be nil. exact says that Edges and
// Remaining are counted; if not, they are estimates, of which bounds are checked.
func CheckMachine(t *testing.T, m level.Machine, src hops.Source, bind func(*hops.Tree), exact bool) {
	t.Helper()
	steps := m.Steps()
	checkSteps(t, steps)
	c := &machineCheck{machine: m, bind: bind, exact: exact, rows: adjacencyOf(t, src), reachable: make([]bool, src.NumVertices())}
	for v, row := range c.rows {
		for _, u := range row {
			c.reachable[u] = c.reachable[u] || int(u) != v
		}
	}
	for _, root := range []hops.Vertex{0, src.NumVertices() / 3, src.NumVertices() - 1} {
		for i, s := range steps {
			examined := c.search(t, root, func(int) level.Step { return s })
			byName := c.search(t, root, func(int) level.Step { return level.Step{Name: s.Name} })
			if !slices.Equal(examined, byName) {
				t.Errorf("root %d: %s examines %d entries, and %d if it is known by its name alone", root, s.Name, examined, byName)
			}
			c.search(t, root, func(depth int) level.Step { return steps[(i+depth)%len(steps)] })
		}
	}
	if _, err := m.Seed(0); err != nil {
		t.Fatalf("Seed: %v", err)
	}
	if _, _, err := m.Run(level.Step{Name: "no such step"}); err == nil {
		t.Error("a step that the machine does not have was run")
	}
}

// stepName is the grammar of level.Step.
var stepName = regexp.MustCompile(`^(top-down|bottom-up|split|levels)(-[a-z0-9]+)*(@[a-z0-9]+)?$`)

// checkSteps checks that names are unique and follow the grammar, and that the other
// fields say the same as the name.
func checkSteps(t *testing.T, steps []level.Step) {
	t.Helper()
	known := map[string]bool{}
	for _, s := range steps {
		parts := stepName.FindStringSubmatch(s.Name)
		if parts == nil {
			t.Errorf("step %q: want direction[-how][@device]", s.Name)
			continue
		}
		if known[s.Name] {
			t.Errorf("two steps are called %q", s.Name)
		}
		known[s.Name] = true
		if parts[1] != "levels" && parts[1] != s.Direction.String() {
			t.Errorf("step %q has the direction %v", s.Name, s.Direction)
		}
		if device := strings.TrimPrefix(parts[3], "@"); device != "" && device != s.Device {
			t.Errorf("step %q has the device %q", s.Name, s.Device)
		}
	}
}

// A machineCheck compares the fronts of a machine with the oracle.
type machineCheck struct {
	machine   level.Machine
	bind      func(*hops.Tree)
	exact     bool
	rows      adjacency
	reachable []bool // vertices with an edge into them from another one
}

// search runs a search with the steps that choose picks for each depth, and returns
// the entries examined by each of them.
func (c *machineCheck) search(t *testing.T, root hops.Vertex, choose func(depth int) level.Step) (examined []int64) {
	t.Helper()
	tree := treeFor(t, c.machine, hops.Vertex(len(c.rows)))
	if c.bind != nil {
		c.bind(tree)
	}
	levels := c.rows.levels(root)
	sizes := append(histogram(levels), 0)
	f, err := c.machine.Seed(root)
	if err != nil {
		t.Fatalf("root %d: Seed: %v", root, err)
	}
	c.checkFront(t, f, levels, 0)
	for depth := 0; f.Vertices > 0; {
		step := choose(depth)
		var done level.Outcome
		if f, done, err = c.machine.Run(step); err != nil {
			t.Fatalf("root %d, level %d: %s: %v", root, depth, step.Name, err)
		}
		checkOutcome(t, done, sizes[depth:])
		examined = append(examined, done.Examined)
		depth += max(1, len(done.Ran))
		c.checkFront(t, f, levels, depth)
	}
	return examined
}

// checkOutcome checks what a step says that it did. sizes are the levels from the one
// that it started from on, and a last one without vertices.
func checkOutcome(t *testing.T, done level.Outcome, sizes []int64) {
	t.Helper()
	if done.Ran == nil {
		if done.Examined < sizes[1] {
			t.Fatalf("found %d vertices in %d entries", sizes[1], done.Examined)
		}
		return
	}
	if len(done.Ran) == 0 || len(done.Ran) >= len(sizes) {
		t.Fatalf("a step ran %d of %d levels", len(done.Ran), len(sizes)-1)
	}
	for i, l := range done.Ran {
		if found := sizes[i+1]; l.Frontier != sizes[i] || l.Found != found || l.Step == "" {
			t.Fatalf("a step ran %+v, want %d vertices from %d", l, found, sizes[i])
		}
	}
}

// checkFront compares a front with the levels of the oracle.
func (c *machineCheck) checkFront(t *testing.T, f level.Front, levels []int32, depth int) {
	t.Helper()
	want := level.Front{Size: int64(len(levels))}
	var edges, remaining, all entryCount
	for v, l := range levels {
		row := c.rows.count(hops.Vertex(v))
		all.add(row)
		switch {
		case int(l) == depth:
			want.Vertices++
			edges.add(row)
		case l < 0 || int(l) > depth:
			remaining.add(row)
			if c.reachable[v] {
				want.Unvisited++
			}
		}
	}
	if f.Size != want.Size || f.Vertices != want.Vertices || f.Unvisited != want.Unvisited {
		t.Fatalf("depth %d: %d of %d vertices, %d unvisited; want %d of %d, %d unvisited",
			depth, f.Vertices, f.Size, f.Unvisited, want.Vertices, want.Size, want.Unvisited)
	}
	if !c.exact && depth > 0 {
		edges, remaining = entryCount{0, all.tuples}, entryCount{0, all.tuples}
	}
	if f.Vertices > 0 && (!edges.has(f.Edges) || !remaining.has(f.Remaining)) {
		t.Fatalf("depth %d: %d edges, %d remaining; want %v and %v", depth, f.Edges, f.Remaining, edges, remaining)
	}
	for d, work := range f.Work {
		if work < 0 || work > all.tuples {
			t.Fatalf("depth %d: work %v %d of %d entries", depth, level.Direction(d), work, all.tuples)
		}
	}
	if f.Vertices > 0 && f.Edges > 0 && f.Work[level.TopDown] == 0 {
		t.Fatalf("depth %d: %d edges, but no work top-down", depth, f.Edges)
	}
}

// An entryCount is the number of row entries, without duplicates and with them: an
// engine may keep its rows in either form.
type entryCount struct{ unique, tuples int64 }

func (c *entryCount) add(d entryCount) { c.unique, c.tuples = c.unique+d.unique, c.tuples+d.tuples }
func (c entryCount) has(n int64) bool  { return n >= c.unique && n <= c.tuples }

// count counts the entries of the row of v. Self-loops count as duplicates.
func (a adjacency) count(v hops.Vertex) entryCount {
	others := map[hops.Vertex]bool{}
	for _, u := range a[v] {
		if u != v {
			others[u] = true
		}
	}
	return entryCount{int64(len(others)), int64(len(a[v]))}
}

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
