package gpu

// Typed launches of the kernels that search: kernels/fused.cu and directed.cu run
// whole searches, steps.cu and handover.cu hold the parts of a level for a host that
// drives the levels. One word differs from the kernels' source: the leftover, the
// vertices that no bottom-up level has found so far, is the rest there.

// sides says which array of each pair holds the current one: the bitmap of the
// visited vertices, the queue of the frontier and the list of the leftover.
type sides struct{ visited, queue, list uint32 }

// The levels that are counted on the device while the host drives a search: the one
// at hand and the one that it leads to.
const (
	thisLevel = iota
	nextLevel
)

// searchArgs are the options of one launch that runs many levels.
type searchArgs struct {
	resume             bool // go on from what control holds, instead of from the root
	smallLevels        int  // end after so many small levels in a row; 0: never
	alpha, beta, dense int
	hot                bool
	reply              reply
}

// A reply is where the kernel copies the control and the first levels at the end of a
// launch, in pinned memory, before it writes the ticket behind them. Without words it
// does neither.
type reply struct {
	at     buffer
	words  int
	ticket uint32
}

// searchAll runs up to levelsPerLaunch levels.
func (s *state) searchAll(grid shape, a searchArgs) error {
	if s.out != nil {
		return s.searchAllDirected(grid, a)
	}
	return s.launch("search_all", grid, u64(s.entries), boolean(a.resume), u32(levelsPerLaunch), u32(a.smallLevels),
		u32(a.alpha), u32(a.beta), u32(a.dense), boolean(a.hot), mem(a.reply.at), u32(a.reply.words), u32(a.reply.ticket))
}

// searchAllDirected does so in a directed graph.
func (s *state) searchAllDirected(grid shape, a searchArgs) error {
	o := s.out
	return s.launch("search_all_directed", grid, mem(o.index), mem(o.place), mem(o.base), mem(o.parts[0]), mem(o.parts[1]), mem(o.parts[2]),
		mem(o.parts[3]), u32(o.shift), u32(o.rows), u64(o.entries), boolean(a.resume), u32(levelsPerLaunch), u32(a.smallLevels),
		u32(a.alpha), u32(a.beta), u32(a.dense), boolean(a.hot), mem(a.reply.at), u32(a.reply.words), u32(a.reply.ticket))
}

// residentSearches is how many blocks of searchAll can wait for each other.
func (k kernels) residentSearches(block shape, directed bool) (int, error) {
	if directed {
		return k.dev.resident("search_all_directed", block)
	}
	return k.dev.resident("search_all", block)
}

// stepBegin marks and queues the root, and clears the counts of the first two levels.
func (s *state) stepBegin() error { return s.outward().launch("step_begin", s.grid, u32(nextLevel)) }

// stepCut cuts the rows of the queue into records and counts their entries.
func (s *state) stepCut(level uint32, side sides) error {
	return s.outward().launch("step_cut", s.grid, u32(level), u32(side.queue))
}

// stepExpand visits the neighbours of all records: a top-down level.
func (s *state) stepExpand(side sides) error {
	return s.outward().launch("step_expand", s.grid, u32(thisLevel), u32(side.visited), u32(side.queue))
}

// stepRequeueBitmap makes a queue of a frontier that is the difference of the bitmaps.
func (s *state) stepRequeueBitmap(side sides) error {
	return s.launch("step_requeue_bitmap", s.grid, u32(thisLevel), u32(side.visited), u32(side.queue))
}

// stepRequeueList makes a queue of a frontier that the blocks have in their lists.
func (s *state) stepRequeueList(side sides) error {
	return s.launch("step_requeue_list", s.grid, u32(thisLevel), u32(side.list), u32(side.queue))
}

// stepHotBits gathers the bits of the hubs.
func (s *state) stepHotBits(side sides) error {
	return s.launch("step_hot_bits", s.grid, u32(side.visited))
}

// fullArgs are the options of a bottom-up pass over all unvisited vertices.
type fullArgs struct {
	hot    bool // look up hubs in the bits of stepHotBits
	fill   bool // store that vertices which stay unvisited have no parent
	queued bool // the frontier is in the queue
}

// stepFull is that pass. It reads one bitmap and writes the other.
func (s *state) stepFull(side sides, a fullArgs) error {
	return s.launch("step_full", s.grid, u32(thisLevel), u32(side.visited), u32(side.list), boolean(a.hot), boolean(a.fill),
		boolean(a.queued), u32(side.queue))
}

// stepVertices is a bottom-up pass with a thread for each vertex. It reads one bitmap, and
// notes what it finds in the other or in bytes.
func (s *state) stepVertices(side sides, m *vertexMap) error {
	bytes := m.bytes
	if bytes == 0 {
		bytes = s.visited[0] // which is not touched as bytes, and may be another array than before
	}
	return s.launch("step_vertices", s.grid, u32(thisLevel), u32(side.visited), u32(m.number), mem(bytes))
}

// stepPack makes a bitmap of bytes.
func (s *state) stepPack(side sides, m *vertexMap) error {
	return s.launch("step_pack", s.grid, u32(side.visited), mem(m.bytes))
}

// stepRemaining is a bottom-up pass over the leftover.
func (s *state) stepRemaining(side sides) error {
	return s.launch("step_remaining", s.grid, u32(thisLevel), u32(side.visited), u32(side.list))
}

// stepApply marks what stepRemaining found.
func (s *state) stepApply(side sides) error {
	return s.launch("step_apply", s.grid, u32(side.visited), u32(side.list))
}

// stepExtremeScan looks along the rows that a pass left to the whole grid.
func (s *state) stepExtremeScan(side sides) error {
	return s.launch("step_extreme_scan", s.grid, u32(thisLevel), u32(side.visited))
}

// stepExtremeApply marks what stepExtremeScan found. toFrontier also adds it to the
// frontier in the lists.
func (s *state) stepExtremeApply(side sides, toFrontier bool) error {
	return s.launch("step_extreme_apply", s.grid, u32(thisLevel), u32(side.visited), u32(side.list), boolean(toFrontier))
}

// stepFinish stores that unvisited vertices have no parent.
func (s *state) stepFinish(side sides) error {
	return s.launch("step_finish", s.grid, u32(side.visited))
}

// stepTake adds count vertices that another machine found, from the records; the
// last of them are the frontier.
func (s *state) stepTake(side sides, count int, frontier int64) error {
	return s.launch("step_take", s.grid, u32(side.visited), u32(side.queue), u32(count), u32(frontier))
}
