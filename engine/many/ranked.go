package many

import (
	"cmp"
	"math/bits"
	"sort"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/par"
)

// ranked is a copy of the rows of a graph in which vertices are numbered by rank,
// without isolated vertices. Ranks go by falling degree in powers of two, and within a
// power by label: a pass over all labels reads the words of each power in order.
//
// Every worker owns a range of ranks, in multiples of 64. A row has the neighbours that
// the first worker owns first, then those that the second worker owns, and so on; the
// neighbours of one owner stay in the order of the graph, which has hubs first.
type ranked struct {
	rank  []uint32 // rank of every vertex; count for an isolated vertex
	count int      // number of ranks
	ends  []int    // ends of the workers' ranges
	owner []uint16 // worker that owns each 64 ranks
	in    graph.Rows
	out   graph.Rows // the same rows as in if the graph is undirected
	head  []uint32   // first entry of each row of in, or the vertex itself
	more  bitset.Set // vertices whose row of in goes on after its head
	cuts  []uint32   // where the neighbours of each owner begin in the rows of out, for maxCut ranks
}

func newRanked(g *graph.Graph, team *par.Team, mem *arena.Arena) (r *ranked, err error) {
	r = &ranked{}
	if r.rank, err = arena.Make[uint32](mem, int(g.NumVertices())); err != nil {
		return nil, err
	}
	label, err := r.sort(g, mem)
	if err != nil {
		return nil, err
	}
	defer arena.Free(mem, label)
	if r.in, err = r.allocate(&g.In, label, mem); err != nil {
		return nil, err
	}
	r.divide(team.Size())
	if r.cuts, err = arena.Make[uint32](mem, min(r.count, maxCut)*team.Size()); err != nil {
		return nil, err
	}
	r.translate(&r.in, &g.In, label, team)
	r.out = r.in
	if g.Directed {
		if r.out, err = r.allocate(&g.Out, label, mem); err != nil {
			return nil, err
		}
		r.translate(&r.out, &g.Out, label, team)
	}
	return r, r.copyHeads(mem)
}

// roundUp is the next multiple of 64 that is larger than n: a bitmap of so many bits
// has whole words, and a bit for the rank of isolated vertices.
func roundUp(n int) int { return n&^63 + 64 }

// sort fills rank and returns the vertices in the order of their ranks.
func (r *ranked) sort(g *graph.Graph, mem *arena.Arena) (label []uint32, err error) {
	digits := func(v int) int { // of the degree, in binary
		d := g.Out.Degree(uint32(v))
		if g.Directed {
			d += g.In.Degree(uint32(v))
		}
		return bits.Len64(uint64(d))
	}
	first := make([]uint32, 65) // rank of the next vertex of each power of two
	for v := range r.rank {
		first[digits(v)]++
	}
	sum := uint32(0)
	for d := 64; d >= 0; d-- {
		first[d], sum = sum, sum+first[d]
	}
	r.count = int(first[0])
	if label, err = arena.Make[uint32](mem, r.count); err != nil {
		return nil, err
	}
	for v := range r.rank {
		d := digits(v)
		r.rank[v] = first[d]
		if d > 0 {
			label[first[d]] = uint32(v)
			first[d]++
		}
	}
	return label, nil
}

// allocate returns empty rows of the same lengths as rows, by rank.
func (r *ranked) allocate(rows *graph.Rows, label []uint32, mem *arena.Arena) (to graph.Rows, err error) {
	if to.Offsets, err = arena.Make[int64](mem, r.count+1); err != nil {
		return to, err
	}
	for i, v := range label {
		to.Offsets[i+1] = to.Offsets[i] + rows.Degree(v)
	}
	to.Neighbors, err = arena.Make[uint32](mem, len(rows.Neighbors))
	return to, err
}

// divide divides the ranks among workers, so that changing the words of its vertices
// top-down costs every worker the same. The words of the first ranks stay in the
// first-level cache; a row entry that leads to any other word costs more.
func (r *ranked) divide(workers int) {
	const cached, uncachedCost = 1 << 14, 3 // ranks, and cost of an entry beyond them
	cost := func(v int) int64 {
		entries := r.in.Offsets[v]
		if v > cached {
			entries += (uncachedCost - 1) * (entries - r.in.Offsets[cached])
		}
		return entries
	}
	r.ends, r.owner = make([]int, workers), make([]uint16, roundUp(r.count)/64)
	for w, v := 0, 0; w < workers; w++ {
		for limit := cost(r.count) / int64(workers) * int64(w+1); v < r.count && (cost(v) < limit || w == workers-1); v = min(v+64, r.count) {
			r.owner[v/64] = uint16(w)
		}
		r.ends[w] = v
	}
}

// translate fills rows with the ranks of the neighbours, grouped by owner, and cuts.
func (r *ranked) translate(to, from *graph.Rows, label []uint32, team *par.Team) {
	type room struct {
		ranks []uint32
		next  []int // place of the next entry of each owner
	}
	rooms := make([]room, team.Size())
	team.For(int64(r.count), 64, func(id int, lo, hi int64) {
		my := &rooms[id]
		for i := lo; i < hi; i++ {
			row := to.Row(uint32(i))
			my.ranks, my.next = my.ranks[:0], append(my.next[:0], make([]int, len(r.ends)+1)...)
			for _, v := range from.Row(label[i]) {
				u := r.rank[v]
				my.ranks = append(my.ranks, u)
				my.next[r.owner[u/64]+1]++
			}
			for w := range r.ends {
				my.next[w+1] += my.next[w]
			}
			if at := int(i) * len(r.ends); at < len(r.cuts) {
				for w := range r.ends {
					r.cuts[at+w] = uint32(my.next[w])
				}
			}
			for _, u := range my.ranks {
				at := &my.next[r.owner[u/64]]
				row[*at] = u
				*at++
			}
		}
	})
}

// maxCut is how many rows, of the highest degrees, have their cuts kept. To search a long
// row for a cut is a chain of cache misses; the others have some hundred entries at most.
const maxCut = 1 << 15

// piece returns the neighbours of v that worker w owns.
func (r *ranked) piece(v uint32, w int) []uint32 {
	row, last := r.out.Row(v), len(r.ends)-1
	if at := int(v)*len(r.ends) + w; at < len(r.cuts) {
		if w < last {
			row = row[:r.cuts[at+1]]
		}
		return row[r.cuts[at]:]
	}
	if w < last {
		row = row[:sort.Search(len(row), func(i int) bool { return int(row[i]) >= r.ends[w] })]
	}
	if w > 0 {
		row = row[sort.Search(len(row), func(i int) bool { return int(row[i]) >= r.ends[w-1] }):]
	}
	return row
}

// copyHeads fills head and more.
func (r *ranked) copyHeads(mem *arena.Arena) error {
	n := roundUp(r.count)
	if err := cmp.Or(arena.MakeAll(mem, n, &r.head), arena.MakeAll(mem, n/64, &r.more)); err != nil {
		return err
	}
	for v := range uint32(r.count) {
		r.head[v] = v
		if row := r.in.Row(v); len(row) > 0 {
			r.head[v] = row[0]
			if len(row) > 1 {
				r.more.Add(uint64(v))
			}
		}
	}
	return nil
}
