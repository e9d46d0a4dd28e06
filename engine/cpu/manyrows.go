package cpu

import (
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
)

// ranked is a graph whose vertices are numbered by falling degree, without the
// isolated ones. Rows are in ascending order, heaviest neighbours first.
type ranked struct {
	rank  []uint32 // of every vertex; count for all isolated ones
	count int      // vertices with neighbours
	in    hops.Rows
	out   hops.Rows  // the same if edges have no direction
	head  []uint32   // the first of each row of in, or the vertex itself
	tail  bitset.Set // vertices whose row of in goes on
}

func newRanked(g *hops.Graph, team *par.Team, mem *arena.Arena) (r *ranked, err error) {
	r = &ranked{}
	if r.rank, err = arena.Make[uint32](mem, int(g.NumVertices())); err != nil {
		return nil, err
	}
	label, err := r.sort(g, mem)
	if err != nil {
		return nil, err
	}
	defer arena.Free(mem, label)
	if r.in, err = r.translate(&g.In, label, team, mem); err != nil {
		return nil, err
	}
	r.out = r.in
	if g.Directed {
		if r.out, err = r.translate(&g.Out, label, team, mem); err != nil {
			return nil, err
		}
	}
	if r.head, err = arena.Make[uint32](mem, roundUp(r.count)); err != nil {
		return nil, err
	}
	if r.tail, err = arena.Make[uint64](mem, roundUp(r.count)/64); err != nil {
		return nil, err
	}
	for v := range uint32(r.count) {
		r.head[v] = v
		if row := r.in.Row(v); len(row) > 0 {
			r.head[v] = row[0]
			if len(row) > 1 {
				r.tail.Add(uint64(v))
			}
		}
	}
	return r, nil
}

// roundUp is the number of vertices that fill the last word of a bitmap, and at
// least one more.
func roundUp(n int) int { return n&^63 + 64 }

// sort ranks the vertices and returns them in this order.
func (r *ranked) sort(g *hops.Graph, mem *arena.Arena) (label []uint32, err error) {
	degree := func(v int) int64 {
		d := g.Out.Degree(uint32(v))
		if g.Directed {
			d += g.In.Degree(uint32(v))
		}
		return d
	}
	most := int64(0)
	for v := range r.rank {
		most = max(most, degree(v))
	}
	first := make([]uint32, most+1) // rank of the next vertex of each degree
	for v := range r.rank {
		first[degree(v)]++
	}
	sum := uint32(0)
	for d := most; d >= 0; d-- {
		first[d], sum = sum, sum+first[d]
	}
	r.count = int(first[0])
	if label, err = arena.Make[uint32](mem, r.count); err != nil {
		return nil, err
	}
	for v := range r.rank {
		d := degree(v)
		r.rank[v] = first[d]
		if d > 0 {
			label[first[d]] = uint32(v)
			first[d]++
		}
	}
	return label, nil
}

// translate returns rows by rank.
func (r *ranked) translate(rows *hops.Rows, label []uint32, team *par.Team, mem *arena.Arena) (to hops.Rows, err error) {
	if to.Offsets, err = arena.Make[int64](mem, r.count+1); err != nil {
		return to, err
	}
	if to.Neighbors, err = arena.Make[uint32](mem, len(rows.Neighbors)); err != nil {
		return to, err
	}
	for i, v := range label {
		to.Offsets[i+1] = to.Offsets[i] + rows.Degree(v)
	}
	team.For(int64(r.count), 64, func(_ int, lo, hi int64) {
		for i := lo; i < hi; i++ {
			row := to.Row(uint32(i))
			last, sorted := uint32(0), true
			for j, v := range rows.Row(label[i]) {
				u := r.rank[v]
				row[j] = u
				sorted = sorted && u >= last
				last = u
			}
			if !sorted {
				slices.Sort(row)
			}
		}
	})
	return to, nil
}
