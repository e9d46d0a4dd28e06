package gpu

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
)

// A graph is the rows on a device; kernels/graph.h says what the arrays hold.
type graph struct {
	dev  device
	mem  *memory
	n    uint32
	rows uint32
	hubs uint32

	first, end uint32 // the labels of this part: others have no row here

	entries int64 // both directions, duplicates and what they left included

	index, place, base, head, hot, hub buffer

	parts [maxParts]buffer
	shift uint32
}

func (g *graph) words() uint32 { return uint32((int64(g.n) + 31) / 32) }

// args are the arguments that make a graph, after those of a kernel's own.
func (g *graph) args(before ...arg) []arg {
	args := append(make([]arg, 0, 48), before...)
	args = append(args, mem(g.index), mem(g.place), mem(g.base), mem(g.head), mem(g.hot), mem(g.hub))
	for _, p := range g.parts {
		args = append(args, mem(p))
	}
	return append(args, u32(g.shift), u32(g.words()), u32(g.rows), u32(g.hubs))
}

// build is kernel 1, of one part of so many: the rows of its labels.
func build(ctx context.Context, d device, src hops.Source, o *Options, part, parts int) (*graph, error) {
	if hops.IsDirected(src) {
		return nil, fmt.Errorf("gpu: the graph is directed; this engine searches undirected graphs")
	}
	n := src.NumVertices()
	if err := checkSize(d, n, src.NumEdges()/int64(parts)); err != nil {
		return nil, err
	}
	g := &graph{dev: d, mem: newMemory(d), n: uint32(n)}
	g.first, g.end = partOf(g.n, part, parts)
	b := &builder{graph: g, temp: newMemory(d)}
	err := b.run(ctx, src, o.MaxAlloc)
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
	temp   *memory
	feed   *feed
	degree buffer
	sums   buffer
}

func (b *builder) run(ctx context.Context, src hops.Source, maxAlloc int64) error {
	free, _, err := b.dev.Memory()
	if err != nil {
		return err
	}
	need := Need(int64(b.n), src.NumEdges())
	if b.feed, err = newFeed(b.dev, b.temp, src, free-need); err != nil {
		return err
	}
	b.degree = b.temp.makeZero("degrees", int64(b.words())*32, 4)
	b.sums = b.temp.make("sums", int64(b.words())/group+2, 8)
	if b.temp.err != nil {
		return b.temp.err
	}
	if err := b.feed.each(ctx, func(edges buffer, n int64) error { return launchCount(b.dev, edges, n, b.degree) }); err != nil {
		return err
	}
	if err := b.numberRows(); err != nil {
		return err
	}
	if err := b.cutEntries(min(b.dev.MaxAlloc(), orMax(maxAlloc))); err != nil {
		return err
	}
	if err := b.feed.each(ctx, func(edges buffer, n int64) error { return launchScatter(b.dev, edges, n, b.head, b.graph) }); err != nil {
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

// numbered builds an index of the vertices in [first, end) with at least that degree
// and returns how many there are.
func (b *builder) numbered(index buffer, first, end, least uint32) (uint32, error) {
	groups := (b.words() + group - 1) / group
	if err := launchSelectLeast(b.dev, b.degree, first, end, b.words(), least, index, b.sums); err != nil {
		return 0, err
	}
	if err := launchSumGroups(b.dev, b.sums, groups); err != nil {
		return 0, err
	}
	var total [1]uint64
	err := b.dev.read(bytesOf(total[:]), b.sums, int64(groups)*8)
	return uint32(total[0]), err
}

// numberRows gives every vertex with an edge a row and finds where it starts.
func (b *builder) numberRows() (err error) {
	b.index = b.mem.make("index", int64(b.words()), 8)
	if b.mem.err != nil {
		return b.mem.err
	}
	if b.rows, err = b.numbered(b.index, b.first, b.end, 1); err != nil {
		return err
	}
	groups := (int64(b.rows) + group - 1) / group
	b.place = b.mem.make("places of rows", int64(b.rows), 8)
	b.base = b.mem.make("row bases", groups+1, 8)
	b.head = b.mem.makeZero("heads", int64(b.rows), 4)
	b.hot = b.mem.make("hot heads", int64(b.rows), 2)
	if b.mem.err != nil {
		return b.mem.err
	}
	if err := launchNumber(b.dev, b.index, b.sums, b.words(), b.degree, b.place, 0); err != nil {
		return err
	}
	if err := launchRowPlaces(b.dev, b.place, b.rows, b.base); err != nil {
		return err
	}
	if err := launchSumGroups(b.dev, b.base, uint32(groups)); err != nil {
		return err
	}
	var total [1]uint64
	err = b.dev.read(bytesOf(total[:]), b.base, groups*8)
	b.entries = int64(total[0])
	return err
}

// cutEntries allocates the entries, in parts where one allocation is limited.
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
	b.hub = b.head // until chosen: an argument must be some buffer
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
	if err := launchSortShort(b.dev, b.degree, middle, large, counts, b.graph); err != nil {
		return err
	}
	var n [2]uint32
	if err := b.dev.read(bytesOf(n[:]), counts, 0); err != nil {
		return err
	}
	if n[0] > 0 {
		if err := launchSortMiddle(b.dev, b.degree, middle, n[0], b.graph); err != nil {
			return err
		}
	}
	if n[1] == 0 {
		return nil
	}
	if err := b.uniqueRows(large, n[1]); err != nil {
		return err
	}
	return launchLeadLarge(b.dev, b.degree, large, n[1], b.graph)
}

// uniqueRows takes duplicates out of the large rows, as many at a time as there are
// bitmaps.
func (b *builder) uniqueRows(large buffer, n uint32) error {
	size := 4 * int64(b.words())
	blocks := max(1, min(int64(n), rowBitmaps, b.dev.MaxAlloc()/size))
	seen := b.temp.makeZero("bitmaps of rows", blocks, size)
	if b.temp.err != nil {
		return b.temp.err
	}
	return launchUniqueLarge(b.dev, large, n, seen, int(blocks), b.graph)
}

// chooseHubs takes the heaviest vertices, as many as have a number, and notes for
// every row whether its head is one of them.
func (b *builder) chooseHubs() error {
	least, err := b.hubDegree()
	if err != nil {
		return err
	}
	hubIndex := b.temp.make("index of hubs", int64(b.words()), 8)
	if b.temp.err != nil {
		return b.temp.err
	}
	if b.hubs, err = b.numbered(hubIndex, 0, b.n, least); err != nil {
		return err
	}
	b.hub = b.mem.make("hubs", int64(b.hubs), 4)
	if b.mem.err != nil {
		return b.mem.err
	}
	if err := launchNumber(b.dev, hubIndex, b.sums, b.words(), b.degree, 0, b.hub); err != nil {
		return err
	}
	return launchHeads(b.dev, hubIndex, b.graph)
}

// hubDegree is the least degree that at most maxHubs vertices have or exceed.
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
		if err := launchCountHeavy(b.dev, b.degree, b.n, middle, total); err != nil {
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
