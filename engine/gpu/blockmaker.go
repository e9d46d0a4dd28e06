package gpu

import (
	"context"
	"errors"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/cuda"
	"github.com/gohops/hops/internal/ranks/block"
)

// A blockMaker is kernel 1 of the block of a rank on its device (kernels/blockrows.cu). The
// device generates all edges, a chunk at a time where there is no room for them, and keeps
// the entries of its own block: nothing is exchanged.
//
//  1. Count counts the edges at every vertex of the graph.
//  2. The ranks divide the vertices by these counts.
//  3. Make counts the entries of each row and column of the block, puts them there, and
//     orders the rows by the degrees of the columns' vertices. Columns are made like rows.
//  4. Attach makes the rest of the Block.
type blockMaker struct {
	kernels
	src      hops.Source
	n        uint32
	directed bool
	shared   bool  // as in Block
	extreme  int64 // the length that a row must exceed to be left to the whole grid
	room     int64 // for edges, in bytes

	mem, temp     *memory // of the block, and of its construction
	loader        *edgeLoader
	degree        buffer // of every vertex
	rows, columns *graph
	hasExtreme    bool
}

// Maker returns what makes the block of a rank: that of number local among so many ranks
// of its host, and of all ranks. It is nil where the device cannot: where it does not know
// how to generate the edges, and where there is too little memory.
func (all *deviceBlocks) Maker(src hops.Source, local, onHost, ranks int) (*blockMaker, error) {
	if _, ok := recipeOf(src); !ok || src.NumVertices() > MaxVertices {
		return nil, nil
	}
	d, shared, err := all.open(local)
	if err != nil {
		return nil, err
	}
	free, _, err := d.Memory()
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	sharers := int64(onHost)
	if n, err := cuda.Count(); err == nil && all.Driver != "opencl" {
		sharers = int64((onHost + n - 1) / max(n, 1))
	}
	directed := hops.IsDirected(src)
	room := free/sharers - needToMake(src.NumVertices(), src.NumEdges(), directed, ranks)
	if room < 0 {
		return nil, d.Close()
	}
	return &blockMaker{
		kernels: kernels{d}, src: src, n: uint32(src.NumVertices()), directed: directed, shared: shared, extreme: all.extremeRow(), room: room,
		mem: newMemory(d), temp: newMemory(d),
	}, nil
}

// needToMake is about what the construction of one block of so many takes on a device, beside
// edges: most of it is the entries of rows and columns, of which a block may have a quarter
// more than others, and a bitmap of columns for each row that is made unique at a time.
func needToMake(n hops.Vertex, m int64, directed bool, ranks int) int64 {
	entries, degrees := 2*m, int64(3)
	if directed {
		entries, degrees = m, 5
	}
	return int64(n)*(4*degrees+rowBitmaps/8+2*(8+4+4)) + entries/int64(ranks)*5/4*2*4 + 8*leastChunk
}

// Count counts the edges at every vertex, without loops, and fills two arrays for the vertices
// from first on: with all of them and, unless it is nil, with those that lead out.
func (k *blockMaker) Count(ctx context.Context, first uint64, degrees, out []uint32) (err error) {
	if k.loader, err = newEdgeLoader(k.dev, k.temp, k.src, k.room); err != nil {
		return err
	}
	each := (int64(k.n) + 31) / 32 * 32
	k.degree = k.temp.makeZero("degrees", each, 4)
	var outDegree, inDegree buffer
	if k.directed {
		outDegree, inDegree = k.temp.makeZero("degrees", each, 4), k.temp.makeZero("degrees", each, 4)
	}
	if k.temp.err != nil {
		return k.temp.err
	}
	err = k.loader.each(ctx, func(edges buffer, n int64) error {
		if err := k.count(edges, n, k.degree); err != nil || !k.directed {
			return err
		}
		return k.countDirected(edges, n, inDegree, outDegree)
	})
	if err != nil || len(degrees) == 0 {
		return err
	}
	err = k.dev.read(bytesOf(degrees), k.degree, 4*int64(first))
	if err == nil && out != nil {
		err = k.dev.read(bytesOf(out), outDegree, 4*int64(first))
	}
	return err
}

// Make makes the rows and the columns of the block.
func (k *blockMaker) Make(ctx context.Context, b block.Block) (block.Made, error) {
	if err := checkBlock(&b); err != nil {
		return nil, err
	}
	of := k.mapOf(&b)
	rows, columns := k.newBuilder(32*wordsOf(&b), b.Width), k.newBuilder(b.Width, 32*wordsOf(&b))
	ofRow, ofColumn := columns.degree, rows.degree // each is where entries of the other are numbered
	lengths := [2]buffer{k.temp.makeZero("lengths", int64(rows.n), 4), k.temp.makeZero("lengths", int64(columns.n), 4)}
	if k.temp.err != nil {
		return nil, k.temp.err
	}
	err := errors.Join(
		k.blockDegrees(k.degree, k.n, of.firstRow, 31, ofRow, rows.n),
		k.blockDegrees(k.degree, k.n, of.labels, of.shift, ofColumn, columns.n),
		k.loader.each(ctx, func(edges buffer, n int64) error { return k.blockLengths(edges, n, of, lengths[0], lengths[1]) }))
	if err != nil {
		return nil, err
	}
	for i, x := range []*builder{rows, columns} {
		if err := x.makeLines(ctx, k.loader, lengths[i], of, i == 1); err != nil {
			return nil, err
		}
	}
	k.rows, k.columns = rows.graph, columns.graph
	return k.made(b.Height, ofColumn)
}

// A blockMap says where vertices are in a block.
type blockMap struct {
	directed      bool
	first, height uint32 // labels of the rows
	shift         uint32 // of a granule
	above         buffer // for each granule of labels, what a label is above its number in the column
	labels        buffer // for each granule of numbers, what a label is above its number
	firstRow      buffer // what a label is above its number among the rows
}

func (k *blockMaker) mapOf(b *block.Block) blockMap {
	above := make([]uint32, int64(k.n)>>b.Shift+1)
	for i := range above {
		above[i] = math.MaxUint32
	}
	labels := make([]uint32, len(b.Labels[b.Me]))
	for i, higher := range b.Labels[b.Me] {
		labels[i] = uint32(higher)
		if at := uint64(i) + higher>>b.Shift; at < uint64(len(above)) {
			above[at] = uint32(higher)
		}
	}
	return blockMap{
		k.directed, uint32(b.First), uint32(b.Height), uint32(b.Shift),
		up(k.temp, "numbers", above), up(k.temp, "labels", labels), up(k.temp, "labels", []uint32{uint32(b.First)}),
	}
}

// newBuilder returns a builder of n lines whose entries are below entries, without their
// degrees.
func (k *blockMaker) newBuilder(n, entries int64) *builder {
	g := &graph{kernels: k.kernels, mem: k.mem, n: uint32(n)}
	b := &builder{graph: g, temp: k.temp, maxAlloc: k.dev.MaxAlloc(), seen: uint32((entries + 31) / 32)}
	b.degree, b.sums = k.temp.make("degrees", entries, 4), b.makeSums()
	return b
}

// makeLines makes lines of the given lengths: rows, or columns.
func (b *builder) makeLines(ctx context.Context, edges *edgeLoader, lengths buffer, of blockMap, columns bool) error {
	if err := b.numberRows(lengths, lengths); err != nil {
		return err
	}
	if err := b.cutEntries(b.maxAlloc); err != nil {
		return err
	}
	b.head, b.hot = b.mem.makeZero("heads", int64(b.rows), 4), b.temp.make("hot heads", int64(b.rows), 2)
	b.hub = b.head // an argument must be some buffer
	noHubs := b.temp.makeZero("index of hubs", int64(b.seen), 8)
	if err := errors.Join(b.mem.err, b.temp.err); err != nil {
		return err
	}
	if err := edges.each(ctx, func(edges buffer, n int64) error { return b.blockScatter(edges, n, of, columns, b.head) }); err != nil {
		return err
	}
	if err := b.sortRows(); err != nil {
		return err
	}
	err := b.heads(noHubs)
	b.hot = b.head // blocks are searched without hubs
	return err
}

// made reads what the host must know of the rows.
func (k *blockMaker) made(height int64, degree buffer) (block.Made, error) {
	all := make(block.Made, height)
	on := k.temp.make("lengths and heads", height, 8)
	if k.temp.err != nil || height == 0 {
		return all, k.temp.err
	}
	if err := k.rows.blockMade(degree, on, uint32(height)); err != nil {
		return nil, err
	}
	if err := k.dev.read(bytesOf(all), on, 0); err != nil {
		return nil, err
	}
	for _, row := range all {
		k.hasExtreme = k.hasExtreme || int64(row.Length) > k.extreme
	}
	return all, nil
}

// Attach makes the block, which has the device from now on.
func (k *blockMaker) Attach(b block.Block) (block.Accelerator, error) { return orNone(k.attach(b)) }

func (k *blockMaker) attach(b block.Block) (*deviceBlock, error) {
	err := k.temp.close()
	m, rows, columns := k.mem, k.rows, k.columns
	k.mem = nil
	if err != nil {
		return nil, errors.Join(err, m.close(), m.dev.Close())
	}
	on, err := newBlock(m, b, rows, columns, k.shared)
	if err == nil {
		on.hasExtreme = k.hasExtreme
	}
	return on, err
}

// Close gives the memory and the device back, unless a Block has them.
func (k *blockMaker) Close() error {
	if k.mem == nil {
		return nil
	}
	m := k.mem
	k.mem = nil
	return errors.Join(k.temp.close(), m.close(), m.dev.Close())
}
