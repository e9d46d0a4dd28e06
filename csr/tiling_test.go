package csr

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
)

// withSmallTiles runs f with tiles and buckets of few vertices: small graphs have many of
// them, and several rounds.
func withSmallTiles(f func()) {
	defer func(n int64) { tileEntries = n }(tileEntries)
	tileEntries = 16
	f()
}

// withoutTiling runs f with the other construction.
func withoutTiling(f func()) {
	defer func(n int) { maxTilingBits = n }(maxTilingBits)
	maxTilingBits = 0
	f()
}

// newTiling returns a builder of a list with all that Build gives it.
func newTiling(t testing.TB, src hops.Source, workers int) *builder {
	team, mem := par.NewTeam(workers, nil), &arena.Arena{}
	g := graph.NewGraph(mem)
	t.Cleanup(func() { team.Close(); _ = g.Close() })
	g.Tuples = src.NumEdges()
	b := &builder{Graph: g, mem: mem, ctx: context.Background(), src: src, team: team, n: int(src.NumVertices()), key: 1}
	if err := b.allocate(); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTransposingTwice(t *testing.T) {
	l := skewed(5000, 60_000)
	for _, workers := range []int{1, 2, 5, 40} {
		withSmallTiles(func() {
			b := newTiling(t, l, workers)
			if p := b.planTiling(); len(p.rounds) != rounds || p.stripes < 100 || p.buckets() < 50 {
				t.Fatalf("%d rounds, %d stripes and %d buckets", len(p.rounds), p.stripes, p.buckets())
			}
			if done, err := b.transposeTwice((*builder).orderByDegree); !done || err != nil {
				t.Fatal(done, err)
			}
			if err := b.finish(); err != nil {
				t.Fatal(err)
			}
			checkAgainstRows(t, b.Graph, rows(l))
		})
	}
}

// All constructions give the same rows of any list.
func TestBothConstructions(t *testing.T) {
	check := func(t *rapid.T) {
		l := someList(t)
		g, err := Build(context.Background(), l, rapid.IntRange(1, 4).Draw(t, "workers"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer g.Close()
		checkAgainstRows(t, g, rows(l))
	}
	withSmallTiles(func() { rapid.Check(t, check) })
	withoutTiling(func() { rapid.Check(t, check) })
}

// Rows are placed when all those before are made, in whatever order.
func TestBucketsMadeBackwards(t *testing.T) {
	l := skewed(3000, 20_000)
	withSmallTiles(func() {
		b := newTiling(t, l, 2)
		p := b.planTiling()
		var err error
		b.Out.Offsets, err = arena.Make[int64](b.mem, b.n+1)
		err = errors.Join(err, p.countTiles(), p.makeRoom(), p.divide(), p.group())
		b.orderByDegree()
		if err = errors.Join(err, p.openPool()); err != nil {
			t.Fatal(err)
		}
		p.cutRanks()
		end := int64(0)
		for i, r := range p.rounds {
			p.walkRound(i)
			line, buckets := newLineup(p.bucketsOf(r), end), p.bucketsOf(r)
			for k := buckets - 1; k >= 0; k-- {
				p.dealBucket(&p.tools[0], r, k, line)
			}
			if len(line.late) != buckets-1 {
				t.Fatalf("%d of %d buckets are late", len(line.late), buckets)
			}
			p.placeLate(r, line)
			end = line.starts[buckets]
		}
		b.Out.Offsets[b.n] = end
		for v, want := range rows(l) {
			if row := p.room[b.Out.Offsets[v]:b.Out.Offsets[v+1]]; !slices.Equal(row, want) {
				t.Fatalf("row %d is %d, want %d", v, row, want)
			}
		}
	})
}

// Graphs whose rounds differ too much, or with too large a row, are for the other
// construction.
func TestNotForTiles(t *testing.T) {
	star := list{n: 1 << 17}
	for i := range hops.Vertex(1 << 17) {
		star.edges = append(star.edges, hops.Edge{U: 77, V: i})
	}
	defer func(n int) { sortedUpTo = n }(sortedUpTo)
	for src, limit := range map[hops.Source]int{&star: 1 << 16, corner{}: 1 << 30} {
		sortedUpTo = limit
		b := newTiling(t, src, 2)
		if done, err := b.transposeTwice((*builder).orderByDegree); done || err != nil {
			t.Errorf("%T: transposed: %t, %v", src, done, err)
		}
	}
}

// corner has all edges in the first of its rounds.
type corner struct{}

func (corner) NumVertices() hops.Vertex { return 1 << 16 }
func (corner) NumEdges() int64          { return 1 << 23 }
func (corner) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	for i := range dst {
		dst[i] = hops.Edge{U: hops.Vertex(off+int64(i)) % 8192, V: hops.Vertex(off+int64(i)) / 8192}
	}
	return len(dst), nil
}

// A piece of the ranks ends where the hubs do, and nothing is lost.
func TestPiecesOfRanks(t *testing.T) {
	b := newTiling(t, skewed(5000, 60_000), 3)
	p := b.planTiling()
	if err := errors.Join(p.countTiles(), p.makeRoom(), p.divide(), p.group()); err != nil {
		t.Fatal(err)
	}
	b.orderByDegree()
	p.cutRanks()
	most, sum := int64(0), int64(0)
	for i, lo := range p.ranks[:len(p.ranks)-1] {
		cost := int64(0)
		for _, v := range b.byRank[lo:p.ranks[i+1]] {
			cost += p.rowCost(v)
		}
		most, sum = max(most, cost), sum+cost
	}
	all := int64(0)
	for v := range uint32(b.n) {
		all += p.rowCost(v)
	}
	if sum != all || most > all/10 || len(p.ranks) != p.rankPieces()+1 || p.ranks[p.hubPiece] != int(b.hubs) {
		t.Errorf("pieces %d, %d hubs, the largest costs %d, together %d of %d", p.ranks, b.hubs, most, sum, all)
	}
}
