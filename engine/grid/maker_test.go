package grid

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
)

// A plainMaker makes a block as devices do, of all edges of the source.
type plainMaker struct {
	src          hops.Source
	degree       []uint32
	rows, column [][]uint32
	tally        *makerTally
}

// A makerTally counts what makers have done, and says what fails.
type makerTally struct {
	made, attached, closed atomic.Int32
	countFails, makeFails  error
	without                int // the rank of the host that has no maker, from 1 on
}

func (y *makerTally) find(src hops.Source, local, _, _ int) (block.Maker, error) {
	if local == y.without-1 {
		return nil, nil
	}
	return &plainMaker{src: src, tally: y}, nil
}

func (x *plainMaker) each(f func(u, v hops.Vertex)) {
	edges := make([]hops.Edge, x.src.NumEdges())
	_, _ = x.src.EdgesAt(edges, 0)
	for _, e := range edges {
		if e.U != e.V {
			f(e.U, e.V)
		}
	}
}

func (x *plainMaker) Count(_ context.Context, first uint64, edges, out []uint32) error {
	x.degree = make([]uint32, x.src.NumVertices())
	leaving := make([]uint32, x.src.NumVertices())
	x.each(func(u, v hops.Vertex) {
		x.degree[u]++
		x.degree[v]++
		leaving[u]++
	})
	copy(edges, x.degree[first:])
	copy(out, leaving[first:])
	return x.tally.countFails
}

func (x *plainMaker) Make(_ context.Context, b block.Block) (block.Made, error) {
	number := map[hops.Vertex]uint32{}
	for n := range uint64(b.Width) {
		number[hops.Vertex(n+b.Labels[b.Me][n>>b.Shift])] = uint32(n)
	}
	x.rows, x.column = make([][]uint32, b.Height), make([][]uint32, b.Width)
	enter := func(u, v hops.Vertex) {
		n, ok := number[u]
		if row := uint64(v) - b.First; ok && row < uint64(b.Height) && !slices.Contains(x.rows[row], n) {
			x.rows[row] = append(x.rows[row], n)
			x.column[n] = append(x.column[n], uint32(row))
		}
	}
	x.each(func(u, v hops.Vertex) {
		enter(u, v)
		if !hops.IsDirected(x.src) {
			enter(v, u)
		}
	})
	made := make(block.Made, b.Height)
	degree := func(n uint32) uint32 { return x.degree[uint64(n)+b.Labels[b.Me][n>>b.Shift]] }
	for v, row := range x.rows {
		slices.SortFunc(row, func(a, b uint32) int { return cmp.Compare(degree(b), degree(a)) })
		if made[v].Length = uint32(len(row)); len(row) > 0 {
			made[v].Head = degree(row[0])
		}
	}
	x.tally.made.Add(1)
	return made, x.tally.makeFails
}

func (x *plainMaker) Attach(b block.Block) (block.Accelerator, error) {
	for i, lines := range [][][]uint32{x.rows, x.column} {
		l := block.Lines{Offsets: []int64{0}}
		for v, line := range lines {
			if len(line) > 0 {
				l.Numbers, l.Entries = append(l.Numbers, uint32(v)), append(l.Entries, line...)
				l.Offsets = append(l.Offsets, int64(len(l.Entries)))
			}
		}
		*[]*block.Lines{&b.Rows, &b.Columns}[i] = l
	}
	x.tally.attached.Add(1)
	return newPlain(b, nil), nil
}

func (x *plainMaker) Close() error {
	x.tally.closed.Add(1)
	return nil
}

// Blocks that devices make are searched like those that threads make, directed graphs too.
func TestMaker(t *testing.T) {
	for _, shape := range []string{"2x2", "3x2", "1x5", "4x1"} {
		for _, src := range []hops.Source{kronecker(t, 8), hops.Directed(kronecker(t, 8))} {
			rows, columns, _ := parseShape(shape)
			near, err := ranktest.Read(src)
			if err != nil {
				t.Fatal(err)
			}
			var y makerTally
			s := mustBuild(t, src, Options{Shape: shape, Ranks: rows * columns, Threads: 1, Device: block.Devices{Attach: noDevice(t), Maker: y.find}})
			if n := int32(rows * columns); y.made.Load() != n || y.attached.Load() != n {
				t.Errorf("%s: %d blocks made and %d attached", shape, y.made.Load(), y.attached.Load())
			}
			if _, err := near.Search(t.Context(), s, newTree(s), 1, 41, 81); err != nil {
				t.Errorf("%s, directed %v: %v", shape, hops.IsDirected(src), err)
			}
		}
	}
}

// noDevice is not called.
func noDevice(t *testing.T) attacher {
	return func(block.Block, int) (block.Accelerator, error) {
		t.Error("threads have made a block")
		return nil, errors.New("threads have made a block")
	}
}

// Threads make all blocks where one rank has no maker.
func TestOneRankWithoutMaker(t *testing.T) {
	y := makerTally{without: 2}
	s := mustBuild(t, kronecker(t, 7), Options{Ranks: 3, Shape: "3x1", Device: block.Devices{Attach: plainAttach(nil), Maker: y.find}})
	if _, err := s.Search(t.Context(), 1, newTree(s)); err != nil || y.made.Load() != 0 || y.closed.Load() != 2 {
		t.Errorf("%d blocks made, %d makers closed: %v", y.made.Load(), y.closed.Load(), err)
	}
}

// The error of a maker ends the construction, and makers are closed.
func TestMakerFails(t *testing.T) {
	broken := errors.New("out of order")
	missing := func(hops.Source, int, int, int) (block.Maker, error) { return nil, broken }
	if _, err := Build(t.Context(), kronecker(t, 5), Options{Ranks: 2, Device: block.Devices{Attach: noDevice(t), Maker: missing}}); !errors.Is(err, broken) {
		t.Errorf("no maker: %v", err)
	}
	for _, y := range []*makerTally{{countFails: broken}, {makeFails: broken}} {
		_, err := Build(t.Context(), kronecker(t, 5), Options{Ranks: 2, Device: block.Devices{Attach: noDevice(t), Maker: y.find}})
		if !errors.Is(err, broken) || y.closed.Load() != 2 || y.attached.Load() != 0 {
			t.Errorf("%v, %d makers closed", err, y.closed.Load())
		}
	}
}
