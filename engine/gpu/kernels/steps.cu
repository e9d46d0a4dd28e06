// steps.cu: each part of a level as a kernel of its own, for a host that drives
// the levels. depth is the index of the level among those that are counted.

#define SEARCH_PARAMS GRAPH_PARAMS, STATE_PARAMS
#define SEARCH_OPEN \
	WARP_OPEN(warp); \
	GRAPH_OPEN(g); \
	STATE_OPEN(s)

// begin: nothing but the root is visited and queued. Of a directed graph these are the rows
// out of the vertices: a vertex without an edge into it is not visited and may be a neighbour.
INLINE void begin(const graph_t *g, const state_t *s, uint level_count) {
	uint root = s->root;
	ulong start = ticks();
	for (ulong w = GRID_THREAD(s); w < g->words; w += GRID_THREADS(s)) {
		uint visited = ~g->index[w].x;
		if (w == root >> 5) visited |= 1u << (root & 31);
		s->visited0[w] = visited;
	}
	GLOBAL ulong *counts = (GLOBAL ulong *)(s->levels + 2);
	for (ulong i = GRID_THREAD(s); i < (ulong)(level_count - 1) * (sizeof(level_t) / 8); i += GRID_THREADS(s)) counts[i] = 0;
	if (GRID_THREAD(s) != 0) return;
	row_t r = row_of_queued(g, root);
	level_t first;
	first.vertices = first.measured = 1;
	first.records = first.extreme = first.open = first.queued = first.step = first.lonely = 0;
	first.examined = 0;
	first.start = start;
	first.edges = r.length;
	first.longs = r.length > LONG;
	s->levels[0] = first;
	first.vertices = first.measured = first.longs = 0;
	first.edges = 0;
	s->levels[1] = first;
	s->parent[root] = root;
	s->queue0[0] = root;
}

// begin_with_first follows begin and needs no barrier before it: all of the root's
// neighbours are new, and every block sets the bits that it has cleared itself.
// The first block alone counts. Where there are few, every block puts their rows into
// its table, which is then at hand after the barrier: the number of pieces is returned,
// or 0. The root's row must hold each neighbour once.
INLINE uint begin_with_first(const graph_t *g, const state_t *s, row_t r, LOCAL block_t *b, warp_t warp) {
	ulong edges = 0;
	uint longs = 0, few = r.length <= THREADS, pieces = 0, v = 0;
	row_t next;
	next.start = 0;
	next.length = 0;
	block_open(b);
	for (uint i = THREAD; i < r.length; i += THREADS) {
		uint u = ENTRY(g, r.start + i), w = u >> 5;
		if (w % (s->blocks * THREADS) / THREADS == s->block) { // as in begin
			atomic_or32(s->visited0 + w, 1u << (u & 31));
			s->parent[u] = s->root;
			s->queue1[i] = u;
		}
		if (few || s->block == 0) {
			v = u;
			next = row_at(g, row_of(g, u));
			edges += next.length;
			longs += next.length > LONG;
		}
	}
	WARP_IF(few) pieces = tabulate(v, next, b, warp);
	edges = warp_sum(warp, edges);
	longs = warp_sum32(warp, longs);
	if (LANE == 0) {
		atomic_add64(&b->edges, edges);
		local_add32(&b->longs, longs);
	}
	block_sync();
	if (GRID_THREAD(s) == 0) {
		s->levels[0].examined = r.length;
		s->levels[0].step = TOP_DOWN;
		s->levels[1].vertices = r.length;
		s->levels[1].edges = b->edges;
		s->levels[1].longs = b->longs;
		s->levels[1].measured = 1;
	}
	return pieces;
}

// finish: the parent of every vertex outside the tree is NONE.
INLINE void finish(const graph_t *g, const state_t *s, uint side) {
	GLOBAL const uint *visited = VISITED(s, side);
	for (ulong v = (ulong)s->own_first * 32 + GRID_THREAD(s); v < (ulong)s->own_end * 32; v += GRID_THREADS(s)) {
		uint in_tree = visited[v >> 5] & g->index[v >> 5].x;
		if (!(in_tree >> (v & 31) & 1) && v != s->root) s->parent[v] = NONE;
	}
}

KERNEL(1024) step_begin(SEARCH_PARAMS, uint level_count) {
	GRAPH_OPEN(g);
	STATE_OPEN(s);
	begin(&g, &s, level_count);
}

KERNEL(1024) step_cut(SEARCH_PARAMS, uint depth, uint queue_side) {
	SEARCH_OPEN;
	cut(&g, &s, queue_side, s.levels + depth, warp);
}

KERNEL(1024) step_expand(SEARCH_PARAMS, uint depth, uint side, uint queue_side) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	plan_t plan = plan_of_records(s.levels[depth].records, 0);
	expand(&g, &s, VISITED(&s, side), queue_side, &plan, 1, s.levels + depth, b, warp);
}

KERNEL(1024) step_requeue_bitmap(SEARCH_PARAMS, uint depth, uint side, uint queue_side) {
	SEARCH_OPEN;
	requeue_bitmap(&g, &s, side, queue_side, s.levels + depth, warp);
}

KERNEL(1024) step_requeue_list(SEARCH_PARAMS, uint depth, uint list_side, uint queue_side) {
	SEARCH_OPEN;
	requeue_list(&g, &s, list_side, queue_side, s.levels + depth, warp);
}

KERNEL(1024) step_hot_bits(SEARCH_PARAMS, uint side) {
	SEARCH_OPEN;
	gather_hot(&g, &s, side, warp);
}

KERNEL(1024) step_full(SEARCH_PARAMS, uint depth, uint side, uint list_side, uint hot_step, uint fill, uint queued, uint queue_side) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	pass_t pass = pass_over(VISITED(&s, side), VISITED(&s, !side));
	full(&g, &s, &pass, list_side, hot_step, fill, 1, QUEUE(&s, queue_side), queued ? s.levels[depth].vertices : 0, s.levels + depth, b, warp);
}

KERNEL(1024) step_remaining(SEARCH_PARAMS, uint depth, uint side, uint list_side) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	remaining(&g, &s, VISITED(&s, side), 0, list_side, 1, s.levels + depth, b, warp);
}

KERNEL(1024) step_apply(SEARCH_PARAMS, uint side, uint list_side) {
	STATE_OPEN(s);
	apply(&s, VISITED(&s, side), list_side);
}

KERNEL(1024) step_extreme_scan(SEARCH_PARAMS, uint depth, uint side) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	extreme_scan(&g, &s, VISITED(&s, side), 0, s.levels + depth, b, warp);
}

KERNEL(1024) step_extreme_apply(SEARCH_PARAMS, uint depth, uint side, uint list_side, uint listing) {
	STATE_OPEN(s);
	extreme_apply(&s, VISITED(&s, side), list_side, listing, s.levels + depth);
}

KERNEL(1024) step_finish(SEARCH_PARAMS, uint side) {
	GRAPH_OPEN(g);
	STATE_OPEN(s);
	finish(&g, &s, side);
}
