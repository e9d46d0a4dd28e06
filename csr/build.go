package csr

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/intake"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/topo"
)

// Construction never holds the list of edges; it reads the source several times. Small graphs
// have a faster one, by transposing twice: see tiling.go. All others are made in these steps.
//
//  1. count   one pass over the edges: entries per vertex, duplicates included
//  2. rank    vertices in order of falling count; 0 has the most
//  3. rounds  each makes the rows of a share of the vertices, with a pass over
//             the edges of its own:
//     bin     every entry, the rank of a neighbour, goes to the bucket of its
//             row: a thousand neighbouring rows or so, as much as fits in a cache
//     deal    bucket by bucket, entries are sorted by rank and dealt out to their
//             rows, the neighbour of highest degree first, without duplicates and with
//             labels again instead of ranks
//     place   the finished rows of all buckets close up behind each other, in place if
//             there is a single round
//  4. finish  what searches use beside the rows
//
// A directed graph has its entries counted again and the rounds run for each of
// its two sides: first the rows that lead out of the vertices, then those that
// lead in. Both are in the one order of ranks.
//
// Writing ranks instead of labels makes the sort one of plain numbers. It is one for
// all rows of a bucket: sorting each row by itself took 22 % more processor time for
// the whole of scale 21, 5.4 against 4.4 s. Four rounds keep what is not yet in its row, six bytes
// an entry, below two fifths of the rows, and with that the peak well below 1.5 times
// the finished graph; reading packed edges four times costs less than missing the
// cache once for every entry. Six rounds took 17 % longer at scale 22. With weights there is
// one round, since reading weights four times costs more and entries of ten bytes in place take
// no more memory than entries of four rounds beside rows of eight.
//
// Rejected: placing each entry straight into its row with an atomic cursor, in
// one pass. Two random accesses to memory for each entry made that step take more
// time than all others together at scale 20.

// MaxVertices is the largest number of vertices that one graph can hold: labels
// inside it take 32 bits.
const MaxVertices = hops.NarrowLimit

// Build constructs the graph of src, a directed one if the source says so, with
// so many threads, one for each CPU if that is 0. It refuses what does not fit in
// memory, and a source that breaks its contract.
func Build(ctx context.Context, src hops.Source, threads int) (*graph.Graph, error) {
	return buildWithin(ctx, src, nil, threads, topo.Fits)
}

// BuildPlain is Build without an order by degree: rows are in the order of labels, and no
// vertex is a hub. It is for measuring what the order gives and costs.
func BuildPlain(ctx context.Context, src hops.Source, threads int) (*graph.Graph, error) {
	return buildOrdered(ctx, src, nil, threads, topo.Fits, (*builder).keepLabels)
}

// BuildWeighted is Build for a graph with weights. Of parallel edges the least weight
// stays. It refuses weights that are negative, infinite or not a number.
func BuildWeighted(ctx context.Context, src hops.WeightedSource, threads int) (*graph.Graph, error) {
	return buildWithin(ctx, src, src, threads, topo.Fits)
}

// buildWithin is Build, with weights if weighted is the source once more and not nil,
// and with a function that says whether so many bytes can be allocated.
func buildWithin(ctx context.Context, src hops.Source, weighted hops.WeightedSource, threads int, fits func(int64) error) (*graph.Graph, error) {
	return buildOrdered(ctx, src, weighted, threads, fits, (*builder).orderByDegree)
}

// buildOrdered is buildWithin with a function that assigns ranks.
func buildOrdered(ctx context.Context, src hops.Source, weighted hops.WeightedSource, threads int, fits func(int64) error, order func(*builder)) (*graph.Graph, error) {
	n := src.NumVertices()
	m, err := intake.Count(src)
	if err != nil {
		return nil, fmt.Errorf("csr: %w", err)
	}
	if n > MaxVertices {
		return nil, fmt.Errorf("csr: %d vertices: one graph holds at most %d", n, uint64(MaxVertices))
	}
	need := Need(n, m)
	if weighted != nil {
		need = NeedWeighted(n, m)
	}
	if err := fits(need); err != nil {
		return nil, fmt.Errorf("csr: a graph of %d vertices and %d edges %w", n, m, err)
	}
	team := par.NewTeam(threads, nil)
	defer team.Close()
	mem := &arena.Arena{}
	g := graph.NewGraph(mem)
	g.Tuples, g.Directed = m, hops.IsDirected(src)
	b := builder{Graph: g, mem: mem, ctx: ctx, src: src, weighted: weighted, team: team, n: int(n)}
	b.key = rand.Uint64() | 1
	if err := b.run(order); err != nil {
		_ = g.Close()
		return nil, err
	}
	return g, nil
}

// Need is an upper bound of the bytes that Build uses at its peak for n vertices
// and m edges.
func Need(n hops.Vertex, m int64) int64 {
	const (
		perEntry  = 4 + 1.6         // Neighbors; entries of a round, a quarter of 6 bytes, and 1/16 between them
		perVertex = 8 + 4 + 1 + 3*4 // Offsets, Head, HubPrefix, counts, ranks, their inverse
		slack     = 8 * (2 << 20)   // huge pages are rounded up
	)
	return saturate(float64(2*m)*perEntry + float64(n)*perVertex + float64(n)/2 + slack)
}

// NeedFinished is an upper bound of the bytes that the graph takes when it is built.
func NeedFinished(n hops.Vertex, m int64) int64 {
	const perEntry, perVertex, slack = 4, 8 + 4 + 1, 8 * (2 << 20) // as in Need
	return saturate(float64(2*m)*perEntry + float64(n)*perVertex + float64(n)*3/8 + slack)
}

// NeedWeighted is an upper bound of what BuildWeighted uses at its peak: 4 bytes more than Build for
// every entry, and for those of a round, a quarter of them. Rows that are made in place, of entries
// of 10 bytes, need no more.
func NeedWeighted(n hops.Vertex, m int64) int64 {
	return saturate(float64(Need(n, m)) + float64(2*m)*(4+1))
}

// saturate keeps estimates for absurd sizes from wrapping around.
func saturate(bytes float64) int64 {
	if bytes >= 1<<62 {
		return 1 << 62
	}
	return int64(bytes)
}

// A builder holds what lives only during construction.
type builder struct {
	*graph.Graph
	mem  *arena.Arena
	ctx  context.Context
	src  hops.Source
	team *par.Team
	n    int

	weighted hops.WeightedSource // src, or nil: rows have no weights

	key uint64 // odd and random: what the sums of edges multiply by
	sum uint64 // of all edges; see count.go

	sides  sides       // whose rows are being made
	rows   *graph.Rows // these rows
	count  []uint32    // their lengths: with duplicates, then without
	rank   []uint32    // of each vertex; nil where nobody looks it up
	byRank []uint32    // the vertex of each rank

	hubs  uint32   // their number: the hubs have the ranks below it
	shift int      // log₂ of the vertices in a bucket
	rowOf []uint16 // the row of each entry of a round, within its bucket
	ranks []uint32 // the entry itself; later the finished rows

	weights []float32 // of each entry of a round; nil without weights

	rowsInPlace bool // rows are made where the entries of their round are
}

func (b *builder) run(order func(*builder)) error {
	if err := b.allocate(); err != nil {
		return err
	}
	transposed, err := b.transposeTwice(order)
	if err != nil {
		return err
	}
	if !transposed {
		if err := b.inBuckets(order); err != nil {
			return err
		}
	}
	if err := b.ended(); err != nil {
		return err
	}
	return b.finish()
}

// inBuckets makes the rows in the steps that are described above.
func (b *builder) inBuckets(order func(*builder)) error {
	for _, phase := range []func() error{
		func() error { return arena.MakeAll(b.mem, b.n, &b.rank) }, b.countEntries, func() error { order(b); return nil }, b.makeSides,
	} {
		if err := phase(); err != nil {
			return err
		}
		if err := b.ended(); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) allocate() error {
	return cmp.Or(
		arena.MakeAll(b.mem, b.n, &b.count, &b.byRank),
		arena.MakeAll(b.mem, b.n, &b.Parents.HubPrefix),
		arena.MakeAll(b.mem, bitset.Words(int64(b.n)), &b.Isolated, &b.Parents.More, &b.Parents.Hub),
	)
}

// finish fills in what searches use beside the rows.
func (b *builder) finish() (err error) {
	arena.Free(b.mem, b.count)
	arena.Free(b.mem, b.rank)
	arena.Free(b.mem, b.byRank)
	if b.Parents.Head, err = arena.Make[uint32](b.mem, b.n); err != nil {
		return err
	}
	b.team.For(int64(len(b.Isolated)), 1024, func(_ int, lo, hi int64) {
		for w := lo; w < hi; w++ {
			b.Isolated[w], b.Parents.More[w] = b.heads(int(w) * 64)
		}
	})
	return nil
}

// heads fills Head for the 64 vertices from v on and returns the bits of those
// that have none, and of those that have more.
func (b *builder) heads(v int) (isolated, tail uint64) {
	for i := range 64 {
		if v+i >= b.n {
			isolated |= ^uint64(0) << i
			break
		}
		switch start, end := b.In.Offsets[v+i], b.In.Offsets[v+i+1]; end - start {
		case 0:
			isolated |= 1 << i
			b.Parents.Head[v+i] = uint32(v + i)
		default:
			tail |= 1 << i
			fallthrough
		case 1:
			b.Parents.Head[v+i] = b.In.Neighbors[start]
		}
	}
	return isolated, tail
}
