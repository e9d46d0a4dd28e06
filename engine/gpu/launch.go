package gpu

import "github.com/gohops/hops/internal/mrg"

// Typed launches: one function for every kernel that builds a graph. Their grids
// cover the work where a kernel does not loop, and otherwise fill the device.

const (
	edgesPerLane = 32   // EDGES_PER_LANE in generate.cu
	manyBlocks   = 4096 // enough for any device, of kernels that loop
)

// covering returns a grid with a thread for every item, bounded by manyBlocks.
func covering(d device, items int64, threads int) shape {
	threads = d.threads(threads)
	return shape{blocks: int(max(1, min((items+int64(threads)-1)/int64(threads), manyBlocks))), threads: threads}
}

func launchGenerate(d device, edges, jumps, keys buffer, first, n int64, scale int, limit uint32, seed mrg.State) error {
	threads := d.threads(256)
	perBlock := int64(threads) * edgesPerLane
	s := shape{blocks: int((n + perBlock - 1) / perBlock), threads: threads}
	return d.launch("generate", s, mem(edges), mem(jumps), mem(keys), u64(first), u64(n), u32(scale), u32(limit),
		u32(seed[0]), u32(seed[1]), u32(seed[2]), u32(seed[3]), u32(seed[4]))
}

func launchCount(d device, edges buffer, n int64, degree buffer) error {
	return d.launch("count", covering(d, n, 256), mem(edges), u64(n), mem(degree))
}

func launchCountHeavy(d device, degree buffer, n, least uint32, total buffer) error {
	return d.launch("count_heavy", covering(d, int64(n), 256), mem(degree), u32(n), u32(least), mem(total))
}

func launchSelectLeast(d device, degree buffer, first, end, words, least uint32, index, sums buffer) error {
	s := covering(d, int64(words+group-1)/group*lanes, 256)
	return d.launch("select_least", s, mem(degree), u32(first), u32(end), u32(words), u32(least), mem(index), mem(sums))
}

func launchSumGroups(d device, sums buffer, n uint32) error {
	return d.launch("sum_groups", shape{blocks: 1, threads: d.threads(1024)}, mem(sums), u32(n))
}

// launchNumber notes lengths and lists labels in buffers other than 0.
func launchNumber(d device, index, sums buffer, words uint32, degree, place, labels buffer) error {
	return d.launch("number", covering(d, int64(words)*lanes, 256), mem(index), mem(sums), u32(words), mem(degree),
		mem(orElse(place, degree)), flag(place != 0), mem(orElse(labels, degree)), flag(labels != 0))
}

func orElse(b, other buffer) buffer {
	if b == 0 {
		return other
	}
	return b
}

func launchRowPlaces(d device, place buffer, n uint32, sums buffer) error {
	s := covering(d, (int64(n)+group-1)/group*lanes, 256)
	return d.launch("row_places", s, mem(place), u32(n), mem(sums))
}

func launchScatter(d device, edges buffer, n int64, cursor buffer, g *graph) error {
	return d.launch("scatter", covering(d, n, 256), g.args(mem(edges), u64(n), mem(cursor))...)
}

func launchSortShort(d device, degree, middle, large, counts buffer, g *graph) error {
	s := covering(d, int64(g.rows)*lanes, 256)
	return d.launch("sort_short", s, g.args(mem(degree), mem(middle), mem(large), mem(counts))...)
}

func launchSortMiddle(d device, degree, middle buffer, n uint32, g *graph) error {
	s := shape{blocks: int(min(n, 8*manyBlocks)), threads: d.threads(128)}
	return d.launch("sort_middle", s, g.args(mem(degree), mem(middle), u32(n))...)
}

func launchUniqueLarge(d device, large buffer, n uint32, seen buffer, blocks int, g *graph) error {
	return d.launch("unique_large", shape{blocks: blocks, threads: d.threads(1024)}, g.args(mem(large), u32(n), mem(seen))...)
}

func launchLeadLarge(d device, degree, large buffer, n uint32, g *graph) error {
	s := shape{blocks: int(min(n, manyBlocks)), threads: d.threads(1024)}
	return d.launch("lead_large", s, g.args(mem(degree), mem(large), u32(n))...)
}

func launchHeads(d device, hubIndex buffer, g *graph) error {
	return d.launch("heads", covering(d, int64(g.rows), 256), g.args(mem(g.head), mem(g.hot), mem(hubIndex))...)
}
