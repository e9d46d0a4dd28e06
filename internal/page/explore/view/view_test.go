package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

func build(t interface{ Fatal(...any) }, src hops.Source) *graph.Graph {
	g, err := csr.Build(context.Background(), src, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// random draws a graph, and returns its edges as a set of pairs, both ways if it is
// undirected.
func random(t *rapid.T) (g *graph.Graph, edges map[[2]hops.Vertex]bool) {
	n := rapid.Uint64Range(1, 40).Draw(t, "n")
	vertex := rapid.Map(rapid.Uint64Range(0, n-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
	directed := rapid.Bool().Draw(t, "directed")
	var list []hops.Edge
	edges = map[[2]hops.Vertex]bool{}
	for range rapid.IntRange(0, 120).Draw(t, "m") {
		u, v := vertex.Draw(t, "u"), vertex.Draw(t, "v")
		list = append(list, hops.Edge{U: u, V: v})
		if u != v {
			edges[[2]hops.Vertex{u, v}] = true
			if !directed {
				edges[[2]hops.Vertex{v, u}] = true
			}
		}
	}
	var src hops.Source = edge.List(list, hops.Vertex(n))
	if directed {
		src = hops.Directed(src)
	}
	return build(t, src), edges
}

// checkView compares a view with the edges of the graph: it has all edges among its
// vertices, and levels and parents that fit them.
func checkView(t *rapid.T, g *graph.Graph, v *View, edges map[[2]hops.Vertex]bool, incoming bool) {
	places := map[hops.Vertex]int{}
	for i, w := range v.Vertices {
		if _, twice := places[w.Vertex]; twice {
			t.Fatalf("vertex %d is there twice", w.Vertex)
		}
		places[w.Vertex] = i
	}
	want := map[[2]int]bool{}
	for e := range edges {
		a, ok := places[e[0]]
		b, ok2 := places[e[1]]
		if ok && ok2 && (g.Directed || a < b) {
			want[[2]int{a, b}] = true
		}
	}
	for _, e := range v.Edges {
		if !want[e] {
			t.Fatalf("edge %v is not in the graph, or there twice", e)
		}
		delete(want, e)
	}
	if len(want) > 0 || v.Partial || v.EdgesLeft > 0 {
		t.Fatalf("edges %v are missing, %+v", want, v)
	}
	for i, w := range v.Vertices[1:] {
		parent := v.Vertices[w.Parent]
		e := [2]hops.Vertex{parent.Vertex, w.Vertex}
		if incoming {
			slices.Reverse(e[:])
		}
		if parent.Level+1 != w.Level || !edges[e] {
			t.Fatalf("vertex %d, %+v, has the parent %+v", i+1, w, parent)
		}
	}
}

// A view with room for everything is the neighbourhood that a walk finds.
func TestAroundIsTheNeighbourhood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, edges := random(t)
		defer g.Close()
		center := hops.Vertex(rapid.Uint64Range(0, uint64(g.NumVertices())-1).Draw(t, "center"))
		radius := rapid.IntRange(1, 4).Draw(t, "hops")
		incoming := g.Directed && rapid.Bool().Draw(t, "incoming")
		v, err := NewPicker(g).Around(context.Background(), Around{Center: center, Hops: radius, Limit: 1000, Incoming: incoming})
		if err != nil {
			t.Fatal(err)
		}
		checkView(t, g, v, edges, incoming)
		got := map[hops.Vertex]int{}
		for _, w := range v.Vertices {
			got[w.Vertex] = w.Level
		}
		want := map[hops.Vertex]int{center: 0} // Bellman and Ford
		for k := 1; k <= radius; k++ {
			for e := range edges {
				from, to := e[0], e[1]
				if incoming {
					from, to = to, from
				}
				if level, ok := want[from]; ok && level == k-1 {
					if _, known := want[to]; !known {
						want[to] = k
					}
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("around %d within %d: %v, want %v", center, radius, got, want)
		}
	})
}

// With little room, hubs left out and vertices expanded, the view still fits the graph,
// and says what it does not show. One picker makes all views.
func TestAroundWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, edges := random(t)
		defer g.Close()
		picker := NewPicker(g)
		vertex := rapid.Map(rapid.Uint64Range(0, uint64(g.NumVertices())-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
		for range 3 {
			a := Around{
				Center: vertex.Draw(t, "center"), Hops: rapid.IntRange(1, 4).Draw(t, "hops"), Limit: rapid.IntRange(1, 20).Draw(t, "limit"),
				MaxDeg: rapid.IntRange(0, 12).Draw(t, "degree"), Incoming: g.Directed && rapid.Bool().Draw(t, "incoming"),
				Expand: rapid.SliceOfN(vertex, 0, 3).Draw(t, "expand"),
			}
			v, err := picker.Around(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			checkView(t, g, v, edges, a.Incoming)
			if len(v.Vertices) > a.Limit+expandShare*len(a.Expand) {
				t.Fatalf("%d vertices with the limit %d and %d expanded", len(v.Vertices), a.Limit, len(a.Expand))
			}
			drawn := map[hops.Vertex]bool{}
			for _, w := range v.Vertices {
				drawn[w.Vertex] = true
			}
			for i, w := range v.Vertices {
				if i > 0 && a.MaxDeg > 0 && Degree(g, uint32(w.Vertex)) > int64(a.MaxDeg) {
					t.Fatalf("hub %d is drawn", w.Vertex)
				}
				out, in := 0, 0 // edges to and from vertices that are not drawn
				for e := range edges {
					if e[0] == w.Vertex && !drawn[e[1]] {
						out++
					}
					if g.Directed && e[1] == w.Vertex && !drawn[e[0]] {
						in++
					}
				}
				if w.HiddenOut != out || w.HiddenIn != in {
					t.Fatalf("vertex %d: %d edges out of it and %d into it are hidden, want %d and %d", w.Vertex, w.HiddenOut, w.HiddenIn, out, in)
				}
			}
		}
	})
}

// Among hubs, whose rows are not read to their ends, no edge is lost.
func TestEdgesAmongHubs(t *testing.T) {
	src, err := edge.NewKronecker(16, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	g := build(t, src)
	defer g.Close()
	hubs, _ := complete(t, NewNames(g), "", 50)
	if len(hubs) != 50 {
		t.Fatal(len(hubs))
	}
	v, err := NewPicker(g).Around(t.Context(), Around{Center: hubs[0], Hops: 2, Limit: 80})
	if err != nil {
		t.Fatal(err)
	}
	in := map[hops.Vertex]bool{}
	for _, w := range v.Vertices {
		in[w.Vertex] = true
	}
	want, skipped := 0, false
	for u := range in {
		for w := range g.Neighbors(u) {
			if in[w] && u < w {
				want++
			}
		}
		skipped = skipped || g.Degree(u) > 2*wholeRow
	}
	if len(v.Edges)+v.EdgesLeft != want || !skipped {
		t.Errorf("%d edges, want %d; long rows: %v", len(v.Edges)+v.EdgesLeft, want, skipped)
	}
}

// A view that may read next to nothing says so, and is still a tree.
func TestAroundWithinAFewEntries(t *testing.T) {
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []hops.Source{src, hops.Directed(src)} {
		g := build(t, src)
		defer g.Close()
		for limit := range 60 {
			p := NewPicker(g)
			p.limit = limit
			hubs, _ := complete(t, NewNames(g), "", 1)
			v, err := p.Around(t.Context(), Around{Center: hubs[0], Hops: 3, Limit: 40, Incoming: limit%2 == 0})
			if err != nil || !v.Partial || len(v.Vertices) > limit+1 {
				t.Fatalf("%d entries: %d vertices, partial %v, %v", limit, len(v.Vertices), v.Partial, err)
			}
			for _, w := range v.Vertices[1:] {
				if w.Level != v.Vertices[w.Parent].Level+1 {
					t.Fatalf("%+v below %+v", w, v.Vertices[w.Parent])
				}
			}
		}
	}
}

func TestAroundCancelled(t *testing.T) {
	g := build(t, edge.List([]hops.Edge{{U: 0, V: 1}}, 2))
	defer g.Close()
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewPicker(g).Around(dead, Around{Hops: 1, Limit: 9}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Every vertex of a part of all paths is on a path in it, however small the part.
func TestPathsAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, edges := random(t)
		defer g.Close()
		vertex := rapid.Map(rapid.Uint64Range(0, uint64(g.NumVertices())-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
		from, to := vertex.Draw(t, "from"), vertex.Draw(t, "to")
		all, err := query.AllShortestPaths(context.Background(), g, from, to)
		if err != nil {
			t.Fatal(err)
		}
		limit := rapid.IntRange(2, 40).Draw(t, "limit")
		v, left := Paths(all, limit)
		total := 0
		for _, layer := range all.Layers {
			total += len(layer)
		}
		if len(v.Vertices)+left != total || total > 0 && len(v.Vertices) < len(all.Layers) || len(v.Vertices) > max(limit, len(all.Layers)) {
			t.Fatalf("%d vertices and %d left of %d in %d layers, limit %d", len(v.Vertices), left, total, len(all.Layers), limit)
		}
		before, after := make([]bool, len(v.Vertices)), make([]bool, len(v.Vertices))
		for _, e := range v.Edges {
			a, b := v.Vertices[e[0]], v.Vertices[e[1]]
			if a.Level+1 != b.Level || !edges[[2]hops.Vertex{a.Vertex, b.Vertex}] {
				t.Fatalf("%+v to %+v is no edge of a path", a, b)
			}
			after[e[0]], before[e[1]] = true, true
		}
		for i, w := range v.Vertices {
			if w.Level > 0 && !before[i] || w.Level < all.Hops() && !after[i] {
				t.Fatalf("vertex %+v is a dead end", w)
			}
		}
	})
}

func textGraph(t interface{ Fatal(...any) }, names []string) *graph.Graph {
	var edges []hops.Edge
	for v := range names { // degrees differ, and do not follow the numbers
		for u := range v {
			if u*31%len(names)+v*31%len(names) < len(names) {
				edges = append(edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
			}
		}
	}
	g := build(t, edge.List(edges, hops.Vertex(len(names))))
	var text []byte
	var ends []uint64
	for _, name := range names {
		text = append(text, name...)
		ends = append(ends, uint64(len(text)))
	}
	var err error
	if g.Names, err = graph.TextNames(text, ends); err != nil {
		t.Fatal(err)
	}
	return g
}

// complete asks for names as a server does.
func complete(t interface{ Fatal(...any) }, n *Names, typed string, most int) (found []hops.Vertex, more bool) {
	found, more, done := n.Complete(typed, most)
	if !done {
		var err error
		if found, more, err = n.Scan(context.Background(), typed, most); err != nil {
			t.Fatal(err)
		}
	}
	return found, more
}

// Names lie one after another without anything between: what spans two of them is no match.
// With an index and without, the best names come first, and all of them if there is room.
func TestCompleteFindsWhatIsInNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[abAB]{0,5}|[abAB]{8,20}|a\x00{0,10}`), 1, 30, rapid.ID).Draw(t, "names")
		typed := rapid.StringMatching(`[ab]{1,3}`).Draw(t, "typed")
		most := rapid.IntRange(1, 40).Draw(t, "most")
		g := textGraph(t, names)
		defer g.Close()
		ranks, want := map[hops.Vertex]int{}, []hops.Vertex(nil)
		for v, name := range names {
			rank := 3
			for _, s := range []string{typed, strings.ToUpper(typed), strings.ToUpper(typed[:1]) + typed[1:]} {
				switch {
				case name == s:
					rank = 0
				case strings.HasPrefix(name, s):
					rank = min(rank, 1)
				case strings.Contains(name, s):
					rank = min(rank, 2)
				}
			}
			if ranks[hops.Vertex(v)] = rank; rank < 3 {
				want = append(want, hops.Vertex(v))
			}
		}
		slices.SortFunc(want, func(a, b hops.Vertex) int {
			return cmp.Or(cmp.Compare(ranks[a], ranks[b]), cmp.Compare(g.Degree(b), g.Degree(a)), cmp.Compare(a, b))
		})
		for _, indexed := range []bool{false, true} {
			n := NewNames(g)
			if indexed {
				n.Index(t.Context())
			}
			found, more := complete(t, n, typed, most)
			if !slices.Equal(found, want[:min(most, len(want))]) || more != (len(want) > most) {
				t.Fatalf("%q in %q, at most %d, index %v: %v, more %v, want %v", typed, names, most, indexed, found, more, want)
			}
		}
	})
}

// The order of an index is that of the names, also of those that share long beginnings.
func TestNamesAreSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`a{0,30}[a-c\x00]{0,3}`), 1, 60, rapid.ID).Draw(t, "names")
		g := textGraph(t, names)
		defer g.Close()
		var got []string
		for _, v := range sortNames(t.Context(), g.Names.Sections()) {
			got = append(got, names[v])
		}
		slices.Sort(names)
		if !slices.Equal(got, names) {
			t.Fatalf("%q, want %q", got, names)
		}
	})
}

// With an index, what many names begin with is answered without a look at each: the degrees of
// a few ranges decide.
func TestBeginningsAreNotScanned(t *testing.T) {
	names := make([]string, 200)
	for v := range names {
		names[v] = fmt.Sprintf("page %d", v)
	}
	n := NewNames(textGraph(t, names))
	defer n.graph.Close()
	if _, _, done := n.Complete("page", 12); done {
		t.Error("an answer without an index and without a scan")
	}
	n.Index(t.Context())
	if found, more, done := n.Complete("age", 12); done || len(found) > 0 {
		t.Errorf("no name begins so: %v, more %v, done %v", found, more, done)
	}
	var want []hops.Vertex
	for v := range hops.Vertex(len(names)) {
		want = append(want, v)
	}
	slices.SortFunc(want, byDegree(n.graph))
	if found, more, done := n.Complete("page", 12); !done || !more || !slices.Equal(found, want[:12]) {
		t.Errorf("%v, more %v, done %v, want %v", found, more, done, want[:12])
	}
}

// An index that is no longer wanted is not made, and a scan ends with its context.
func TestNamesAreCancelled(t *testing.T) {
	n := NewNames(textGraph(t, []string{"a", "b"}))
	defer n.graph.Close()
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if n.Index(dead); n.index.Load() != nil {
		t.Error("an index was made")
	}
	if _, _, err := n.Scan(dead, "a", 12); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Numbers are completed as text would be, whatever kind of names a graph has.
func TestCompleteNumbers(t *testing.T) {
	g := build(t, edge.List(nil, 1234))
	defer g.Close()
	narrow := make([]uint32, 1234)
	for v := range narrow {
		narrow[v] = uint32(v * v)
	}
	squares, err := graph.NamesFrom(graph.NameSections{Count: 1234, Narrow: narrow})
	if err != nil {
		t.Fatal(err)
	}
	shifted, err := graph.NamesFrom(graph.NameSections{Count: 1234, First: 990})
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range []*graph.Names{nil, squares, shifted} {
		g.Names = names
		for _, typed := range []string{"0", "1", "12", "123", "9", "99", "00", "x", "18446744073709551615", "99999999999999999999", "-1"} {
			found, more := complete(t, NewNames(g), typed, 2000)
			if more {
				t.Fatal("there are others")
			}
			want := map[hops.Vertex]bool{}
			for v := range g.NumVertices() {
				if strings.HasPrefix(g.Name(v), typed) {
					want[v] = true
				}
			}
			for _, v := range found {
				if !want[v] {
					t.Errorf("%q: %s, or twice", typed, g.Name(v))
				}
				delete(want, v)
			}
			if len(want) > 0 {
				t.Errorf("%q: %d are missing", typed, len(want))
			}
		}
		if found, more := complete(t, NewNames(g), "1", 3); len(found) != 3 || !more {
			t.Errorf("three at most: %v, more %v", found, more)
		}
	}
}

func BenchmarkAround(b *testing.B) {
	src, err := edge.NewKronecker(18, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	g := build(b, src)
	defer g.Close()
	p, i := NewPicker(g), hops.Vertex(0)
	for b.Loop() {
		i = (i*5 + 1) % g.NumVertices()
		if _, err := p.Around(context.Background(), Around{Center: i, Hops: 2, Limit: 200}); err != nil {
			b.Fatal(err)
		}
	}
}
