//go:build unix

package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/testing/families"
	"github.com/gohops/hops/internal/testing/oracle"
)

// keptWeight is what hops keeps of a weight in a file: 32 bits of floating point, as docs/guide/my-file.md
// says. This is the only place that knows.
func keptWeight(text string) float64 {
	w, err := strconv.ParseFloat(text, 32)
	must(err)
	return w
}

// labels are the kinds of names that vertices have in a file, by the place in their family.
var labels = []struct {
	name  string
	text  bool // names are text; otherwise numbers, whatever they look like
	label func(r *rand.Rand, n int) func(v int) string
}{
	{"from 0", false, func(*rand.Rand, int) func(int) string { return strconv.Itoa }},
	{"from 0", false, func(*rand.Rand, int) func(int) string { return strconv.Itoa }},
	{"offset", false, func(r *rand.Rand, _ int) func(int) string {
		from := r.Uint64() >> (1 + r.IntN(62))
		return func(v int) string { return strconv.FormatUint(from+uint64(v), 10) }
	}},
	{"sparse", false, func(r *rand.Rand, n int) func(int) string {
		numbers := sparseNumbers(r, n)
		return func(v int) string { return strconv.FormatUint(numbers[v], 10) }
	}},
	{"leading zeros", false, func(*rand.Rand, int) func(int) string {
		return func(v int) string { return fmt.Sprintf("%0*d", 1+v%9, v) }
	}},
	{"numerals as text", true, func(*rand.Rand, int) func(int) string {
		return func(v int) string { return strings.Repeat("0", v%3) + strconv.Itoa(v/3) }
	}},
	{"words", true, func(*rand.Rand, int) func(int) string {
		return func(v int) string { return "v" + strconv.Itoa(v) }
	}},
	{"marks", true, func(r *rand.Rand, n int) func(int) string {
		marks := []string{"Ada Lovelace %d", "Zürich,%d", `say "%d"`, "日本 %d", "#%d", "-%d", "%%%d", "a;%d;", "=1+%d", "é\u0301 %d", "\u200b%d"}
		return func(v int) string { return fmt.Sprintf(marks[v%len(marks)], v) }
	}},
}

// sparseNumbers are different numbers, ascending, of up to 64 bits.
func sparseNumbers(r *rand.Rand, n int) []uint64 {
	shift, drawn := r.IntN(40), map[uint64]bool{}
	for len(drawn) < n {
		drawn[r.Uint64()>>shift] = true
	}
	return slices.Sorted(maps.Keys(drawn))
}

// weightKinds are the kinds of weights that edges have in a file, as text.
var weightKinds = []struct {
	name   string
	weight func(r *rand.Rand) string // nil: none
}{
	{"no weights", nil},
	{"small whole numbers", func(r *rand.Rand) string { return strconv.Itoa(1 + r.IntN(100)) }},
	{"whole numbers with zeros", func(r *rand.Rand) string { return strconv.Itoa(r.IntN(3)) }},
	{"large whole numbers", func(r *rand.Rand) string { return strconv.Itoa(1 + r.IntN(1<<30)) }},
	{"fractions", func(r *rand.Rand) string { return strconv.FormatFloat(float64(r.Float32()), 'g', -1, 32) }},
	{"decimals", func(r *rand.Rand) string { return fmt.Sprintf("%.1f", 10*r.Float64()) }},
	{"long decimals", func(r *rand.Rand) string { return strconv.FormatFloat(r.ExpFloat64(), 'g', -1, 64) }},
	{"zeros", func(r *rand.Rand) string { return pick(r, "0", "0", "0.0", "1") }},
	{"denormal", func(r *rand.Rand) string { return fmt.Sprintf("%de-45", r.IntN(40)) }},
	{"huge", func(r *rand.Rand) string { return fmt.Sprintf("%.3fe38", 3.4*r.Float64()) }},
	{"all sizes", func(r *rand.Rand) string { return pick(r, "0", "1.4e-45", "2.8e-45", "0.1", "1", "3e7", "3.4e38") }},
	{"all equal", func(*rand.Rand) string { return "2.5" }},
}

// A soakFile is a graph in a file, and what the oracle has of it.
type soakFile struct {
	path     string
	flags    []string // that it needs to be read
	form     string
	weighted bool
	text     bool          // names are text
	g        *oracle.Graph // by place
	names    []string      // by place, as hops prints them
}

// A line is an edge as it stands in a file.
type line struct{ u, v, weight string }

// drawFile draws a graph, its names, weights and direction, and writes it to a file in some format.
func drawFile(r *rand.Rand, folder string, c counts) (f soakFile, about string) {
	size := int(math.Exp2(14.3 * math.Sqrt(r.Float64()) * pick(r, 0.3, 0.4, 0.5, 0.6, 0.8, 1)))
	if chance(r, 60) {
		size = 0
	}
	s, family := families.Random(r, size, c.family)
	kind := pick(r, labels...)
	weights := pick(r, weightKinds...)
	f = soakFile{form: pick(r, "txt", "txt", "csv", "csv", "tsv", "mtx", "gr", "metis"), weighted: weights.weight != nil, text: kind.text}
	f.g = &oracle.Graph{Directed: chance(r, 2)}
	f.suit(r, s, weights.name)
	if f.form == "mtx" || f.form == "gr" || f.form == "metis" { // vertices are the numbers from 1 on
		kind.name, f.text = "from 1", false
		kind.label = func(*rand.Rand, int) func(int) string { return func(v int) string { return strconv.Itoa(v + 1) } }
	}
	c["labels: "+kind.name]++
	c["weights: "+weights.name]++
	c["format: "+f.form]++
	lines := writeDown(r, s, kind.label(r, s.N), weights.weight)
	if f.form == "gr" && weights.weight == nil {
		for i := range lines {
			lines[i].weight = "1"
		}
		f.weighted = true
	}
	f.understand(s.N, lines)
	f.path = filepath.Join(folder, "graph."+f.form)
	f.write(r, lines)
	if chance(r, 8) {
		f.pack()
	}
	return f, fmt.Sprintf("%s, %d vertices, %d lines, labels %s, %s, directed %v, %s", family, f.g.Vertices(), len(lines), kind.name, weights.name, f.g.Directed, filepath.Base(f.path))
}

// suit takes another format where the drawn one has no way to say what was drawn.
func (f *soakFile) suit(r *rand.Rand, s families.Shape, weights string) {
	whole := slices.Contains([]string{"no weights", "small whole numbers", "large whole numbers"}, weights)
	once := oracle.New(s.N, oracleEdges(s, nil), false)
	simple := once.Loops+once.Duplicates == 0
	switch {
	case f.form == "metis" && (!whole || !simple):
		f.form = "mtx"
	case f.form == "gr" && !whole:
		f.form = "mtx"
	}
	if len(s.Edges) == 0 && !slices.Contains([]string{"metis", "gr"}, f.form) { // lists without an edge are refused
		f.form = "mtx"
	}
	switch f.form {
	case "metis":
		f.g.Directed = false
	case "gr":
		f.g.Directed = true
	}
}

// oracleEdges are the edges of a shape, with weights if there are some.
func oracleEdges(s families.Shape, lines []line) (all []oracle.Edge) {
	for i, e := range s.Edges {
		w := 0.0
		if lines != nil && lines[i].weight != "" {
			w = keptWeight(lines[i].weight)
		}
		all = append(all, oracle.Edge{U: e[0], V: e[1], Weight: w})
	}
	return all
}

// writeDown puts edges and vertices into an order, or leaves them in theirs, and gives them names.
func writeDown(r *rand.Rand, s families.Shape, name func(v int) string, weight func(r *rand.Rand) string) (lines []line) {
	if chance(r, 2) {
		r.Shuffle(len(s.Edges), func(i, j int) { s.Edges[i], s.Edges[j] = s.Edges[j], s.Edges[i] })
	}
	if to := r.Perm(s.N); chance(r, 2) {
		for i, e := range s.Edges {
			s.Edges[i] = [2]int{to[e[0]], to[e[1]]}
		}
	}
	around := chance(r, 2)
	for _, e := range s.Edges {
		if around && chance(r, 2) {
			e[0], e[1] = e[1], e[0]
		}
		l := line{u: name(e[0]), v: name(e[1])}
		if weight != nil {
			l.weight = weight(r)
		}
		lines = append(lines, l)
	}
	return lines
}

// understand gives vertices their places: numbers ascending, texts as they come. A list has no vertices
// but those of its edges; other formats declare the numbers from 1 to n.
func (f *soakFile) understand(n int, lines []line) {
	place := map[string]int{}
	seen := func(name string) {
		if _, known := place[name]; !known {
			place[name] = len(f.names)
			f.names = append(f.names, name)
		}
	}
	number := func(name string) string { return cmp.Or(strings.TrimLeft(name, "0"), "0") }
	if f.text {
		number = func(name string) string { return name }
	}
	if f.form == "mtx" || f.form == "gr" || f.form == "metis" {
		for v := range n {
			seen(strconv.Itoa(v + 1))
		}
	}
	for _, l := range lines {
		seen(number(l.u))
		seen(number(l.v))
	}
	if !f.text {
		slices.SortFunc(f.names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		for v, name := range f.names {
			place[name] = v
		}
	}
	s := families.Shape{N: len(f.names)}
	for _, l := range lines {
		s.Join(place[number(l.u)], place[number(l.v)])
	}
	f.g = oracle.New(s.N, oracleEdges(s, lines), f.g.Directed)
}
