package gpu

import (
	"math/bits"

	"github.com/gohops/hops/internal/ranks/block"
)

// The rows and the columns of a block are on the device as they come from the host, rows in
// falling order of the neighbour's degree, or as the device has made them: see graph.h and
// blockmaker.go. They are two graphs, which have one state in common.

// fill makes what a block has beside its rows and columns.
func (b *deviceBlock) fill(m *memory, rows, columns *graph) (err error) {
	d := m.dev
	b.state = &state{mem: m, graph: rows}
	if b.grid, err = blockShape(d, defaultThreads); err != nil {
		return err
	}
	processors, err := d.Processors()
	if err != nil {
		return err
	}
	b.grid.blocks = processors
	b.makeRegions()
	b.makeState(columns)
	b.home, b.abroad = up(m, "homes", b.Home), up(m, "homes", complement(b.Home))
	b.edgesOut = up(m, "edges out", b.Out)
	b.labels = up(m, "labels", b.flatLabels())
	b.tree = m.make("parents of the piece", b.treeBytes(), 1)
	both := *b.state
	both.graph = columns
	b.columns = &both
	if m.err != nil {
		return m.err
	}
	pinned, err := d.pinned(controlSize + 2*levelSize + ticketSize)
	if err == nil {
		b.counted = pinned[:len(pinned)-ticketSize]
	}
	return err
}

// defaultThreads is the size of the blocks of a search.
const defaultThreads = 1024

// extremeRow is EXTREME in state.h: passes leave the rest of longer rows to the whole grid.
const extremeRow = 1 << 16

// makeState makes the arrays of both graphs. A block keeps no lists.
func (b *deviceBlock) makeState(of *graph) {
	columns, entries := int64(of.rows), of.entries
	b.visited[0] = b.mem.makeZero("visited rows", b.words(), 4)
	b.queue[0] = b.mem.make("queue", columns+1, 4)
	b.records = b.mem.make("records", columns+entries/piece+1, recordSize)
	b.hubRows = b.mem.make("rows of hubs", b.graph.entries/leastHubRow+1, 8)
	b.control = b.mem.makeZero("control", controlSize+2*levelSize, 1)
	b.lengths = b.mem.makeZero("lengths", 2*int64(b.grid.blocks), 4)
	b.parent = b.region[block.Parents]
	b.visited[1], b.queue[1], b.list[0], b.list[1], b.hotBits = b.visited[0], b.queue[0], b.queue[0], b.queue[0], b.queue[0]
}

// makeRegions makes the memory that other ranks read. As CUDA it is one allocation, which
// one handle names to other processes.
func (b *deviceBlock) makeRegions() {
	const align = 256
	_, addresses := b.dev.(*cudaDevice)
	all := int64(0)
	var at [block.Regions]int64
	for r := range block.Regions {
		at[r] = all
		all += (b.Bytes(r) + align) / align * align
		if !addresses {
			b.region[r] = b.mem.makeZero("bitmaps and parents", b.Bytes(r)+1, 1)
		}
	}
	if !addresses {
		return
	}
	first := b.mem.makeZero("bitmaps and parents", all, 1)
	for r := range b.region {
		b.region[r] = first + buffer(at[r])
	}
}

// up puts an array on the device; errors are the memory's.
func up[T any](m *memory, what string, array []T) buffer {
	const beyond = 4 * (window + 3) // entries are read in windows
	bytes := bytesOf(array)
	size := int64(len(bytes))
	to := m.make(what, size+beyond, 1)
	if m.err == nil && size > 0 {
		m.err = m.dev.write(to, 0, bytes)
	}
	if m.err == nil {
		m.err = m.dev.write(to, size, make([]byte, beyond))
	}
	return to
}

// makeGraph makes rows of labels below n of the lines of a block.
func makeGraph(m *memory, l block.Lines, n int64) *graph {
	g := &graph{kernels: kernels{m.dev}, mem: m, n: uint32(n), rows: uint32(len(l.Numbers)), entries: int64(len(l.Entries)), shift: 63}
	index := make([]uint32, 2*g.words())
	place, head := make([]uint32, 2*g.rows), make([]uint32, g.rows)
	base := make([]uint64, g.rows/group+1)
	for k, v := range l.Numbers {
		start, length := l.Offsets[k], l.Offsets[k+1]-l.Offsets[k]
		index[2*(v/32)] |= 1 << (v % 32)
		if k%group == 0 {
			base[k/group] = uint64(start)
		}
		place[2*k], place[2*k+1] = uint32(start-int64(base[k/group])), uint32(length)
		head[k] = l.Entries[start]
		if length == 1 {
			head[k] |= leaf
		}
	}
	before := uint32(0)
	for w := range g.words() {
		index[2*w+1] = before
		before += uint32(bits.OnesCount32(index[2*w]))
	}
	g.index, g.place, g.base, g.head = up(m, "index", index), up(m, "places of rows", place), up(m, "row bases", base), up(m, "heads", head)
	g.hot, g.hub = g.head, g.head
	entries := up(m, "entries of a block", l.Entries)
	for i := range g.parts {
		g.parts[i] = entries
	}
	return g
}

// leaf is LEAF in graph.h.
const leaf = 1 << 31

func complement(set []uint64) []uint64 {
	other := make([]uint64, len(set))
	for i, word := range set {
		other[i] = ^word
	}
	return other
}

// flatLabels has what labels are above numbers, granule by granule, for one rank of the
// row after the other. Labels of 64 bits are not for the device.
func (b *deviceBlock) flatLabels() []uint32 {
	for _, of := range b.Labels {
		b.granules = max(b.granules, uint32(len(of)))
	}
	flat := make([]uint32, int(b.granules)*len(b.Labels))
	for j, of := range b.Labels {
		for i, above := range of {
			flat[j*int(b.granules)+i] = uint32(above)
		}
	}
	return flat
}
