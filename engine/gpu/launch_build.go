package gpu

import "github.com/gohops/hops/internal/base/mrg"

// Typed launches of the kernels that build a graph (kernels/generate.cu, layout.cu,
// rows.cu and directed.cu) or verify a tree (verify.cu).
// The grids cover the work where a kernel does not loop, and fill the device where
// it does.

const edgesPerLane = 32 // EDGES_PER_LANE in generate.cu

// generateArgs describe a range of the edges of a Graph500 graph.
type generateArgs struct {
	jumps, keys  buffer // constants of the generator
	first, count int64
	scale        int
	limit        uint32
	seed         mrg.State
}

// generating is a grid with a lane for every edgesPerLane edges.
func (k kernels) generating(count int64) shape {
	threads := k.dev.threads(256)
	perBlock := int64(threads) * edgesPerLane
	return shape{blocks: int((count + perBlock - 1) / perBlock), threads: threads}
}

func (k kernels) generate(edges buffer, a generateArgs) error {
	return k.launch("generate", k.generating(a.count), mem(edges), mem(a.jumps), mem(a.keys), u64(a.first), u64(a.count), u32(a.scale), u32(a.limit),
		u32(a.seed[0]), u32(a.seed[1]), u32(a.seed[2]), u32(a.seed[3]), u32(a.seed[4]))
}

// count adds the ends of n edges to the degrees.
func (k kernels) count(edges buffer, n int64, degree buffer) error {
	return k.launch("count", k.covering(n, 256), mem(edges), u64(n), mem(degree))
}

// countDegrees adds the number of vertices of at least that degree to total.
func (k kernels) countDegrees(degree buffer, n, least uint32, total buffer) error {
	return k.launch("count_degrees", k.covering(int64(n), 256), mem(degree), u32(n), u32(least), mem(total))
}

// selectArgs select the labels in [first, end) of at least a degree.
type selectArgs struct {
	degree             buffer
	first, end, least  uint32
	words              uint32
	index, sumOfGroups buffer // receive the selection
}

func (k kernels) selectLeast(a selectArgs) error {
	s := k.covering(int64(a.words+group-1)/group*lanes, 256)
	return k.launch("select_least", s, mem(a.degree), u32(a.first), u32(a.end), u32(a.words), u32(a.least), mem(a.index), mem(a.sumOfGroups))
}

// sumGroups replaces n sums by their prefix sums, with the total after them.
func (k kernels) sumGroups(sums buffer, n uint32) error {
	return k.launch("sum_groups", shape{blocks: 1, threads: k.dev.threads(1024)}, mem(sums), u32(n))
}

// numberArgs complete an index of selected labels.
type numberArgs struct {
	index, sumOfGroups buffer
	words              uint32
	degree             buffer
	lengths            buffer // receives the degrees as lengths of rows; 0: not wanted
	labels             buffer // receives the selected labels in order; 0: not wanted
}

func (k kernels) number(a numberArgs) error {
	wantLengths, wantLabels := a.lengths != 0, a.labels != 0
	if !wantLengths {
		a.lengths = a.degree // an argument must be some buffer
	}
	if !wantLabels {
		a.labels = a.degree
	}
	return k.launch("number", k.covering(int64(a.words)*lanes, 256), mem(a.index), mem(a.sumOfGroups), u32(a.words), mem(a.degree),
		mem(a.lengths), boolean(wantLengths), mem(a.labels), boolean(wantLabels))
}

// rowLengths adds the lengths of n rows to the degrees from the first on. offsets has n+1
// numbers.
func (k kernels) rowLengths(offsets buffer, first, n int64, degree buffer) error {
	return k.launch("row_lengths", k.covering(n, 256), mem(offsets), u64(first), u64(n), mem(degree))
}

// rowPlaces places n rows within their groups, short ones first or all in order, and sums
// the lengths of each group.
func (k kernels) rowPlaces(place buffer, n uint32, sums buffer, inOrder bool) error {
	return k.launch("row_places", k.covering((int64(n)+group-1)/group*lanes, 256), mem(place), u32(n), mem(sums), boolean(inOrder))
}

// scatter puts both ends of n edges into the rows; cursor counts the entries of each.
func (g *graph) scatter(edges buffer, n int64, cursor buffer) error {
	return g.launch("scatter", g.covering(n, 256), mem(edges), u64(n), mem(cursor))
}

// countDirected adds the ends of n edges to the degrees: edges into a vertex, and out of it.
func (k kernels) countDirected(edges buffer, n int64, inDegree, outDegree buffer) error {
	return k.launch("count_directed", k.covering(n, 256), mem(edges), u64(n), mem(inDegree), mem(outDegree))
}

// scatterDirected puts one end of n edges into the rows of the other: into says that the
// rows are those of edges into a vertex. cursor counts the entries of each.
func (g *graph) scatterDirected(edges buffer, n int64, into bool, cursor buffer) error {
	return g.launch("scatter_directed", g.covering(n, 256), mem(edges), u64(n), boolean(into), mem(cursor))
}

// sortShort sorts the short rows. It lists the others in middle and large, and
// counts them in the two words of counts.
func (g *graph) sortShort(degree, middle, large, counts buffer) error {
	return g.launch("sort_short", g.covering(int64(g.rows)*lanes, 256), mem(degree), mem(middle), mem(large), mem(counts))
}

// sortMiddle sorts the n rows that are listed in middle.
func (g *graph) sortMiddle(degree, middle buffer, n uint32) error {
	s := shape{blocks: int(min(n, 8*maxBlocks)), threads: g.dev.threads(128)}
	return g.launch("sort_middle", s, mem(degree), mem(middle), u32(n))
}

// uniqueLarge removes duplicates from the n rows that are listed in large. seen
// holds an empty bitmap of so many words for each block.
func (g *graph) uniqueLarge(large buffer, n uint32, seen buffer, words uint32, blocks int) error {
	return g.launch("unique_large", shape{blocks: blocks, threads: g.dev.threads(1024)}, mem(large), u32(n), mem(seen), u32(words))
}

// leadLarge puts the neighbour of the highest degree first in each listed row.
func (g *graph) leadLarge(degree, large buffer, n uint32) error {
	s := shape{blocks: int(min(n, maxBlocks)), threads: g.dev.threads(1024)}
	return g.launch("lead_large", s, mem(degree), mem(large), u32(n))
}

// heads copies the first entry of every row, with its number among the hubs.
func (g *graph) heads(hubIndex buffer) error {
	return g.launch("heads", g.covering(int64(g.rows), 256), mem(g.head), mem(g.hot), mem(hubIndex))
}

// verifySeed gives the root level 0 and counts parents that are out of range.
func (k kernels) verifySeed(parent buffer, n, root uint32, node, tally buffer) error {
	return k.launch("verify_seed", k.covering(int64(n), 256), mem(parent), u32(n), u32(root), mem(node), mem(tally))
}

// verifyRound gives level depth to the children of level depth-1 and adds their
// number to the word tallyRound of the tally.
func (k kernels) verifyRound(node buffer, n uint32, depth int, tally buffer) error {
	return k.launch("verify_round", k.covering(int64(n), 256), mem(node), u32(n), u32(depth), mem(tally), u32(tallyRound))
}

// verifyEdges compares n edges with the levels and marks the vertices that an edge
// joins to their parent.
func (k kernels) verifyEdges(edges buffer, n int64, directed bool, node, joined, tally buffer) error {
	return k.launch("verify_edges", k.covering(n, 256), mem(edges), u64(n), boolean(directed), mem(node), mem(joined), mem(tally), u32(tallyEdges))
}

// verifyMarks counts vertices without a level or without an edge to their parent.
func (k kernels) verifyMarks(node buffer, n, root uint32, joined, tally buffer) error {
	return k.launch("verify_marks", k.covering(int64(n), 256), mem(node), u32(n), u32(root), mem(joined), mem(tally))
}

// verifyJoined marks the vertices that one of n edges joins to another vertex.
func (k kernels) verifyJoined(edges buffer, n int64, joined buffer) error {
	return k.launch("verify_joined", k.covering(n, 256), mem(edges), u64(n), mem(joined))
}
