package gpu

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
	hopsgraph "github.com/gohops/hops/graph"
)

// A graph is the rows on a device; kernels/graph.h says what the arrays hold.
type graph struct {
	kernels
	mem  *memory
	n    uint32
	rows uint32
	hubs uint32

	entries int64 // both directions, duplicates and the room that they leave included

	// out has the rows out of the vertices of a directed graph, whose rows here are those
	// into them. nil: the graph is undirected.
	out *graph

	index, place, base, head, hot, hub buffer

	parts [maxParts]buffer
	shift uint32
}

func (g *graph) words() uint32 { return uint32((int64(g.n) + 31) / 32) }

// args are a kernel's own arguments and, after them, those that make a graph.
func (g *graph) args(own ...arg) []arg {
	args := append(make([]arg, 0, 48), own...)
	args = append(args, mem(g.index), mem(g.place), mem(g.base), mem(g.head), mem(g.hot), mem(g.hub))
	for _, p := range g.parts {
		args = append(args, mem(p))
	}
	return append(args, u32(g.shift), u32(g.words()), u32(g.rows), u32(g.hubs))
}

// build is kernel 1: it makes the rows.
func build(ctx context.Context, d device, src hops.Source, o *Options) (*graph, error) {
	directed := hops.IsDirected(src)
	n := src.NumVertices()
	if err := checkSize(d, n, src.NumEdges(), directed); err != nil {
		return nil, err
	}
	g := &graph{kernels: kernels{d}, mem: newMemory(d), n: uint32(n)}
	b := &builder{graph: g, temp: newMemory(d), maxAlloc: min(d.MaxAlloc(), orMax(o.MaxAlloc)), seen: g.words()}
	var err error
	switch finished, ok := finishedOf(src); {
	case ok:
		err = b.runFinished(ctx, finished)
	case directed:
		err = b.runDirected(ctx, src)
	default:
		err = b.run(ctx, src)
	}
	if freed := b.temp.close(); err == nil {
		err = freed
	}
	if err != nil {
		_ = g.mem.close()
		return nil, err
	}
	return g, nil
}

// A builder holds what only kernel 1 needs.
type builder struct {
	*graph
	temp     *memory
	maxAlloc int64
	loader   *edgeLoader // nil for a finished graph
	finished *hopsgraph.Graph
	staging  []byte // pinned: arrays of the finished graph on their way
	inOrder  bool   // rows lie in the order of their labels; otherwise short rows come first in a group
	offsets  buffer // of rows, a chunk at a time; 0: none yet
	degree   buffer // orders the entries of a row, and chooses the hubs
	seen     uint32 // words of a bitmap of what may be an entry
	sums     buffer
}

// prepare allocates the loader, for which so many bytes must stay free, and the degrees.
func (b *builder) prepare(src hops.Source, need int64) error {
	free, _, err := b.dev.Memory()
	if err != nil {
		return err
	}
	if b.loader, err = newEdgeLoader(b.dev, b.temp, src, free-need); err != nil {
		return err
	}
	b.degree, b.sums = b.makeDegrees(), b.makeSums()
	return b.temp.err
}

func (b *builder) makeSums() buffer { return b.temp.make("sums", int64(b.words())/group+2, 8) }

func (b *builder) makeDegrees() buffer { return b.temp.makeZero("degrees", int64(b.words())*32, 4) }

func (b *builder) run(ctx context.Context, src hops.Source) error {
	if err := b.prepare(src, Need(hops.Vertex(b.n), src.NumEdges(), false)); err != nil {
		return err
	}
	if err := b.loader.each(ctx, func(edges buffer, n int64) error { return b.count(edges, n, b.degree) }); err != nil {
		return err
	}
	if err := b.numberRows(b.degree, b.degree); err != nil {
		return err
	}
	if err := b.cutEntries(b.maxAlloc); err != nil {
		return err
	}
	if err := b.makeHeads(); err != nil {
		return err
	}
	if err := b.loader.each(ctx, func(edges buffer, n int64) error { return b.scatter(edges, n, b.head) }); err != nil {
		return err
	}
	if err := b.sortRows(); err != nil {
		return err
	}
	return b.chooseHubs()
}

func orMax(bytes int64) int64 {
	if bytes == 0 {
		return 1 << 62
	}
	return bytes
}

// indexLabels builds an index of the labels with at least that degree and returns how many
// there are. The kernel number completes it.
func (b *builder) indexLabels(index, degree buffer, least uint32) (uint32, error) {
	groups := (b.words() + group - 1) / group
	err := b.selectLeast(selectArgs{
		degree: degree, end: b.n, least: least, words: b.words(), index: index, sumOfGroups: b.sums,
	})
	if err != nil {
		return 0, err
	}
	if err := b.sumGroups(b.sums, groups); err != nil {
		return 0, err
	}
	var total [1]uint64
	err = b.dev.read(bytesOf(total[:]), b.sums, int64(groups)*8)
	return uint32(total[0]), err
}

// numberRows gives every vertex with a degree a row, of the length that lengths has for
// it, and finds where the row starts.
func (b *builder) numberRows(degree, lengths buffer) (err error) {
	b.index = b.mem.make("index", int64(b.words()), 8)
	if b.mem.err != nil {
		return b.mem.err
	}
	if b.rows, err = b.indexLabels(b.index, degree, 1); err != nil {
		return err
	}
	groups := (int64(b.rows) + group - 1) / group
	b.place = b.mem.make("places of rows", int64(b.rows), 8)
	b.base = b.mem.make("row bases", groups+1, 8)
	if b.mem.err != nil {
		return b.mem.err
	}
	if err := b.number(numberArgs{index: b.index, sumOfGroups: b.sums, words: b.words(), degree: lengths, lengths: b.place}); err != nil {
		return err
	}
	if err := b.rowPlaces(b.place, b.rows, b.base, b.inOrder); err != nil {
		return err
	}
	if err := b.sumGroups(b.base, uint32(groups)); err != nil {
		return err
	}
	var total [1]uint64
	if err := b.dev.read(bytesOf(total[:]), b.base, groups*8); err != nil {
		return err
	}
	b.entries = int64(total[0])
	return nil
}

// makeHeads allocates the heads. Before they are known, they count what is in each row.
func (b *builder) makeHeads() error {
	b.head = b.mem.makeZero("heads", int64(b.rows), 4)
	b.hot = b.mem.make("hot heads", int64(b.rows), 2)
	b.hub = b.head // until the hubs are chosen: an argument must be some buffer
	return b.mem.err
}

// cutEntries allocates the entries, in several buffers where one allocation is limited.
func (b *builder) cutEntries(maxAlloc int64) error {
	b.shift = uint32(min(63, bits.Len64(uint64(maxAlloc/4))-1))
	size := min(int64(1)<<min(b.shift, 62), max(b.entries, 1))
	parts := (max(b.entries, 1) + size - 1) / size
	if parts > maxParts {
		return fmt.Errorf("gpu: %s: %d entries of 4 bytes do not fit in %d allocations of %d bytes", b.dev.Name(), b.entries, maxParts, maxAlloc)
	}
	for i := range b.parts {
		if int64(i) < parts {
			// Entries are read in windows that begin at a multiple of four.
			b.parts[i] = b.mem.make("rows", min(size, max(b.entries, 1)-int64(i)*size)+window+3, 4)
		} else {
			b.parts[i] = b.parts[0]
		}
	}
	return b.mem.err
}

// sortRows orders every row by the degrees of its entries.
func (b *builder) sortRows() error {
	middle := b.temp.make("list of rows", b.entries/(shortRow+1)+1, 4)
	large := b.temp.make("list of rows", b.entries/sortedRow+1, 4)
	counts := b.temp.makeZero("counts", 2, 4)
	if b.temp.err != nil {
		return b.temp.err
	}
	if err := b.sortShort(b.degree, middle, large, counts); err != nil {
		return err
	}
	var n [2]uint32
	if err := b.dev.read(bytesOf(n[:]), counts, 0); err != nil {
		return err
	}
	if n[0] > 0 {
		if err := b.sortMiddle(b.degree, middle, n[0]); err != nil {
			return err
		}
	}
	if n[1] == 0 {
		return nil
	}
	if err := b.uniqueRows(large, n[1]); err != nil {
		return err
	}
	return b.leadLarge(b.degree, large, n[1])
}

// uniqueRows removes duplicates from the large rows, as many rows at a time as there
// are bitmaps.
func (b *builder) uniqueRows(large buffer, n uint32) error {
	size := 4 * int64(b.seen)
	blocks := max(1, min(int64(n), rowBitmaps, b.dev.MaxAlloc()/size))
	seen := b.temp.makeZero("bitmaps of rows", blocks, size)
	if b.temp.err != nil {
		return b.temp.err
	}
	return b.uniqueLarge(large, n, seen, b.seen, int(blocks))
}

// chooseHubs numbers up to maxHubs vertices of the highest degrees and stores for every
// row which of them its first entry is.
func (b *builder) chooseHubs() error {
	least, err := b.hubDegree()
	if err != nil {
		return err
	}
	hubIndex := b.temp.make("index of hubs", int64(b.words()), 8)
	if b.temp.err != nil {
		return b.temp.err
	}
	if b.hubs, err = b.indexLabels(hubIndex, b.degree, least); err != nil {
		return err
	}
	b.hub = b.mem.make("hubs", int64(b.hubs), 4)
	if b.mem.err != nil {
		return b.mem.err
	}
	if err := b.number(numberArgs{index: hubIndex, sumOfGroups: b.sums, words: b.words(), degree: b.degree, labels: b.hub}); err != nil {
		return err
	}
	return b.heads(hubIndex)
}

// hubDegree is the lowest degree that at most maxHubs vertices have or exceed.
func (b *builder) hubDegree() (uint32, error) {
	total := b.temp.make("counts", 1, 8)
	if b.temp.err != nil {
		return 0, b.temp.err
	}
	low, high := uint32(1), uint32(1)<<31
	for low < high {
		middle := low + (high-low)/2
		var n [1]uint64
		if err := b.dev.zero(total, 8); err != nil {
			return 0, err
		}
		if err := b.countDegrees(b.degree, b.n, middle, total); err != nil {
			return 0, err
		}
		if err := b.dev.read(bytesOf(n[:]), total, 0); err != nil {
			return 0, err
		}
		if n[0] <= maxHubs {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, nil
}
