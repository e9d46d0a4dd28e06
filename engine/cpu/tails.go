package cpu

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
)

// Rows lie far apart in memory, most of which the hubs take up: a bottom-up level
// that looks at a row after its head has missed pays a cache miss for each. So
// the tails of the rows, the next neighbours after the head, are kept once more
// in an array of their own, block by block in order of the vertices. On a
// Kronecker graph of scale 20 that is a sixth of the rows, and a level that looks
// at many of them reads it nearly in order.
type tails struct {
	entries []uint32
	base    []int64 // where each block starts in entries
	// pos is where the tail of each vertex starts in its block. A block has one
	// more than it has vertices; the entry of v is at v + v>>blockShift.
	pos []uint16
}

// longestTail is how many neighbours after the head a tail holds. A block of
// them must be indexed by 16 bits.
const longestTail = 15

func newTails(g *hops.Graph, team *par.Team, mem *arena.Arena) (t tails, err error) {
	n := int64(g.NumVertices())
	blocks := (n + 1<<blockShift - 1) >> blockShift
	if t.pos, err = arena.Make[uint16](mem, int(n+blocks)); err != nil {
		return t, err
	}
	t.base = make([]int64, blocks+1)
	team.For(blocks, 1, func(_ int, b, _ int64) {
		t.base[b+1] = t.measure(g, b)
	})
	for b := range blocks {
		t.base[b+1] += t.base[b]
	}
	if t.entries, err = arena.Make[uint32](mem, int(t.base[blocks])); err != nil {
		return t, err
	}
	team.For(blocks, 1, func(_ int, b, _ int64) {
		t.fill(g, b)
	})
	return t, nil
}

// measure sets pos for one block and returns the total length of its tails.
func (t *tails) measure(g *hops.Graph, b int64) (sum int64) {
	v := b << blockShift
	for ; v < min((b+1)<<blockShift, int64(g.NumVertices())); v++ {
		t.pos[v+b] = uint16(sum)
		sum += int64(len(tail(g, uint32(v))))
	}
	t.pos[v+b] = uint16(sum)
	return sum
}

func (t *tails) fill(g *hops.Graph, b int64) {
	out := t.entries[t.base[b]:t.base[b+1]]
	for v := b << blockShift; v < min((b+1)<<blockShift, int64(g.NumVertices())); v++ {
		out = out[copy(out, tail(g, uint32(v))):]
	}
}

// tail is what follows the head of v, cut off where it gets long.
func tail(g *hops.Graph, v uint32) []uint32 {
	row := g.In.Row(v)
	if len(row) == 0 {
		return nil
	}
	return row[1:min(len(row), 1+longestTail)]
}
