package gpu

// Typed launches of the kernels that make rows with weights (kernels/weights.cu), search
// for shortest paths (sssp.cu) or verify them (ssspverify.cu).

// generateWeights makes the weights of a range of the edges of a Graph500 graph.
func (k kernels) generateWeights(weights buffer, a generateArgs) error {
	return k.launch("generate_weights", k.generating(a.count), mem(weights), mem(a.jumps), mem(a.keys), u64(a.first), u64(a.count), u32(a.scale),
		u32(a.limit), u32(a.seed[0]), u32(a.seed[1]), u32(a.seed[2]), u32(a.seed[3]), u32(a.seed[4]))
}

// countSide adds the first ends of n edges to the degrees, or the second ends.
func (k kernels) countSide(edges buffer, n int64, out bool, degree buffer) error {
	return k.launch("count_side", k.covering(n, 256), mem(edges), u64(n), boolean(out), mem(degree))
}

// launch passes the kernel's own arguments before those of the rows.
func (w *weightedRows) launch(kernel string, s shape, own ...arg) error {
	return w.dev.launch(kernel, s, append(own, w.args()...)...)
}

// args are those that make rows with weights.
func (w *weightedRows) args() []arg {
	return []arg{mem(w.index), mem(w.place), mem(w.base), mem(w.list), u32(w.rows)}
}

// overRows is a grid with a thread for every row.
func (w *weightedRows) overRows() shape { return w.covering(int64(w.rows), 256) }

// scatterWeighted puts n edges into the rows of their first ends, of their second ends, or
// of both; cursor counts the entries of each row.
func (w *weightedRows) scatterWeighted(edges, weights buffer, n int64, out, into bool, cursor buffer) error {
	return w.launch("scatter_weighted", w.covering(n, 256), mem(edges), mem(weights), u64(n), boolean(out), boolean(into), mem(cursor))
}

// weighShort sorts the short rows. It lists the others in middle and large, and counts
// them in the two words of counts.
func (w *weightedRows) weighShort(middle, large, counts buffer) error {
	return w.launch("weigh_short", w.covering(int64(w.rows)*lanes, 256), mem(middle), mem(large), mem(counts))
}

// weighMiddle sorts the n rows that are listed in middle.
func (w *weightedRows) weighMiddle(middle buffer, n uint32) error {
	s := shape{blocks: int(min(n, 8*maxBlocks)), threads: w.dev.threads(128)}
	return w.launch("weigh_middle", s, mem(middle), u32(n))
}

// weighLarge orders the n rows that are listed in large by class. Every block has room
// entries in spare.
func (w *weightedRows) weighLarge(large buffer, n uint32, spare buffer, room int64, blocks int) error {
	return w.launch("weigh_large", shape{blocks: blocks, threads: w.dev.threads(1024)}, mem(large), u32(n), mem(spare), u64(room))
}

// weighClasses counts the weights of n entries by class.
func (k kernels) weighClasses(entries buffer, n int64, classes buffer) error {
	return k.launch("weigh_classes", k.covering(n, 1024), mem(entries), u64(n), mem(classes))
}

// weighRows sums up the squares of the lengths of rows, and finds the longest.
func (w *weightedRows) weighRows(sums buffer) error {
	return w.launch("weigh_rows", w.overRows(), mem(sums))
}

// wakeCount counts candidates by octave, and the entries of their rows.
func (w *weightedRows) wakeCount(octaves buffer) error {
	return w.launch("wake_count", w.overRows(), mem(octaves))
}

// wakeChunk is how many rows a block of wakeFill lists together: WAKE_CHUNK in weights.cu.
const wakeChunk = 4096

// wakeFill lists the candidates; next has the place of the first of every octave.
func (w *weightedRows) wakeFill(next, labels, candidates, candidateOf buffer) error {
	s := shape{blocks: int(max(1, min((int64(w.rows)+wakeChunk-1)/wakeChunk, maxBlocks))), threads: w.dev.threads(256)}
	return w.launch("wake_fill", s, mem(next), mem(labels), mem(candidates), mem(candidateOf))
}

// rowLabels lists the vertices that have rows.
func (w *weightedRows) rowLabels(labels buffer) error {
	return w.launch("row_labels", w.covering(int64(w.words())*lanes, 256), mem(labels), u32(w.words()))
}

// launch passes the arguments of the search before the kernel's own, and asks for the
// counts of the stage.
func (p *pathState) launch(kernel string, s shape, own ...arg) error {
	return p.dev.launch(kernel, s, append(p.args(), own...)...)
}

func (p *pathState) args() []arg {
	reply := reply{at: p.stage} // an argument must be some buffer
	if at := p.dev.mapped(p.readBack); at != 0 {
		reply.at, reply.words, reply.ticket = at, len(p.readBack)/4, p.ticket
	}
	var flags uint32
	if p.wide {
		flags |= pathsWide
	}
	if p.out != p.in {
		flags |= pathsOneWay
	}
	return []arg{
		mem(p.out.index), mem(p.out.place), mem(p.out.base), mem(p.out.list),
		mem(p.in.index), mem(p.in.place), mem(p.in.base), mem(p.in.list),
		mem(p.place), mem(p.queue[0]), mem(p.queue[1]), mem(p.marks[0]), mem(p.marks[1]), mem(p.reached), mem(p.cursors), mem(p.keys),
		mem(p.pieces), mem(p.candidates), mem(p.candidateOf), mem(p.carried[0]), mem(p.carried[1]), mem(p.stage),
		u32(p.in.words()), u32(flags), mem(reply.at), u32(reply.words), u32(reply.ticket),
	}
}

const (
	pathsWide   = 1 // WIDE in paths.h
	pathsOneWay = 2 // ONE_WAY in paths.h
)

// pathsSeed begins a search.
func (p *pathState) pathsSeed(root uint32) error {
	return p.launch("paths_seed", p.grid, u32(root))
}

// pathsDown finds all vertices nearer than the bound by pushes of so many records.
func (p *pathState) pathsDown(bound distance, records uint32) error {
	return p.launch("paths_down", p.grid, u64(bound.bits()), u32(records))
}

// upArgs are a bucket that pulls.
type upArgs struct {
	near, from, bound distance
	woken, wakeTo     uint32
	side              int
	flush             bool
	records           uint32
}

// pathsUp finds all vertices nearer than the bound by pulls.
func (p *pathState) pathsUp(a upArgs) error {
	return p.launch("paths_up", p.grid, u64(a.near.bits()), u64(a.from.bits()), u64(a.bound.bits()), u32(a.woken), u32(a.wakeTo), u32(a.side),
		boolean(a.flush), u32(a.records))
}

// parentsClear gives a parent to the root alone.
func (k kernels) parentsClear(parent buffer, n, root uint32) error {
	return k.launch("parents_clear", k.covering(int64(n), 256), mem(parent), u32(n), u32(root))
}

// parentsFind gives parents to vertices that have none, and counts them.
func (w *weightedRows) parentsFind(far, parent, candidates buffer, firstRound bool, changed buffer) error {
	return w.launch("parents_find", w.covering(int64(w.rows)*lanes, 256), mem(far), mem(parent), mem(candidates), boolean(firstRound), mem(changed))
}

// verifyPlaces takes the parents out of places, gives the root level 0 and counts places
// that are out of range.
func (k kernels) verifyPlaces(place buffer, n, root uint32, node, tally buffer) error {
	return k.launch("verify_places", k.covering(int64(n), 256), mem(place), u32(n), u32(root), mem(node), mem(tally))
}

// verifyTuples compares n edges and weights with the distances and marks the vertices
// whose distance an edge from their parent makes.
func (k kernels) verifyTuples(edges, weights buffer, n int64, directed bool, place, joined, tally buffer) error {
	return k.launch("verify_tuples", k.covering(n, 256), mem(edges), mem(weights), u64(n), boolean(directed), mem(place), mem(joined), mem(tally),
		u32(tallyEdges))
}
