// parts.cu: what a graph in several parts needs beyond the steps of each part.
//
// A part has the rows of its own vertices, and a bitmap of all vertices. Top-down
// it marks the neighbours of its own frontier, whoever's they are; bottom-up it
// finds its own unvisited vertices. Then the parts' bitmaps are united. What others
// have marked it looks up in its own rows, which hold every edge of its vertices:
// no parent is ever sent.

// step_begin_part: nothing but the root is visited, and it is new.
KERNEL(1024) step_begin_part(SEARCH_PARAMS) {
	GRAPH_OPEN(g);
	STATE_OPEN(s);
	for (ulong w = GRID_THREAD; w < g.words; w += GRID_THREADS) {
		s.visited0[w] = w == root >> 5 ? 1u << (root & 31) : 0;
		s.visited1[w] = 0;
	}
	if (GRID_THREAD == 0) s.parent[root] = root;
}

// step_mark: the neighbours of the records' vertices become visited.
KERNEL(1024) step_mark(SEARCH_PARAMS, uint depth, uint side, uint queue_side) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	plan_t plan = plan_of_records(s.levels[depth].records, 1);
	expand(&g, &s, VISITED(&s, side), queue_side, &plan, 1, s.levels + depth, b, warp);
}

KERNEL(1024) step_copy_visited(SEARCH_PARAMS, uint side) {
	GRAPH_OPEN(g);
	STATE_OPEN(s);
	copy_visited(&g, &s, side);
}

// step_resolve: parents for this part's vertices that are new.
KERNEL(1024) step_resolve(SEARCH_PARAMS, uint depth, uint side, uint list_side) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	pass_t pass = pass_over(VISITED(&s, !side), 0);
	pass.only = VISITED(&s, side);
	full(&g, &s, &pass, list_side, 0, 0, 1, s.queue0, 0, s.levels + depth, b, warp);
}

// step_unite: to[first + w] |= from[place + w]
KERNEL(1024) step_unite(GLOBAL uint *to, ulong first, GLOBAL const uint *from, ulong place, ulong words) {
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) to[first + w] |= from[place + w];
}

// step_count: how many of this part's vertices are new.
KERNEL(1024) step_count(SEARCH_PARAMS, uint depth, uint side) {
	SEARCH_OPEN;
	GLOBAL const uint *now = VISITED(&s, side), *before = VISITED(&s, !side);
	uint mine = 0;
	for (ulong w = GRID_THREAD; w < g.words; w += GRID_THREADS) mine += popcount32(now[w] & ~before[w] & g.index[w].x);
	mine = warp_sum32(warp, mine);
	if (LANE == 0 && mine) atomic_add32(&s.levels[depth + 1].owned, mine);
}
