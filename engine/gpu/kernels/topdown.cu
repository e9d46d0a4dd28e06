// topdown.cu: from the frontier to its neighbours.
//
// A warp takes as many records as are left for it, at most 32, and lays their
// pieces end to end: the lanes step through the entries of all of them together,
// each finding by bisection whose entry it holds. A few long rows and many short
// ones keep the lanes equally busy. The lane that sets a neighbour's bit owns it:
// it stores the parent and puts the neighbour into the next queue. Rows are looked
// up when that queue is cut, by the whole grid: a few hubs can find all others.

#define AHEAD 4 // entries that a lane loads before it uses the first

INLINE void put_record(GLOBAL uint4 *records, uint at, uint v, ulong start, uint length, uint piece) {
	uint4 r;
	ulong from = start + (ulong)piece * PIECE;
	uint left = length - piece * PIECE;
	r.x = v;
	r.y = left < PIECE ? left : PIECE;
	r.z = (uint)from;
	r.w = (uint)(from >> 32);
	records[at] = r;
}

// whole_row is the record of a row that is not cut.
INLINE uint4 whole_row(const graph_t *g, uint v) {
	uint4 r;
	ulong start = 0;
	r.x = v;
	r.y = 0;
	if (has_row(g, v)) {
		row_t row = row_at(g, row_of(g, v));
		start = row.start;
		r.y = row.length;
	}
	r.z = (uint)start;
	r.w = (uint)(start >> 32);
	return r;
}

// cut lays out the rows of the queue as records and counts their entries.
INLINE void cut(const graph_t *g, const state_t *s, uint queue_side, GLOBAL level_t *level, warp_t warp) {
	GLOBAL const uint *queue = QUEUE(s, queue_side);
	uint n = level->vertices;
	ulong edges = 0;
	for (ulong first = (ulong)GRID_WARP * 32; first < n; first += GRID_THREADS) {
		uint v = 0, length = 0, total, at = 0;
		ulong start = 0;
		if (first + LANE < n) {
			v = queue[first + LANE];
			uint4 r = whole_row(g, v);
			start = (ulong)r.w << 32 | r.z;
			length = r.y;
		}
		uint pieces = (length + PIECE - 1) / PIECE;
		uint before = warp_prefix(warp, pieces, &total);
		edges += length;
		if (LANE == 0) at = atomic_add32(&level->records, total);
		at = warp_get(warp, at, 0) + before;
		if (pieces) put_record(s->records, at, v, start, length, 0);
		for (uint longer = warp_ballot(warp, pieces > 1); longer; longer &= longer - 1) {
			uint lane = lowest_bit(longer);
			uint whose = warp_get(warp, v, lane), size = warp_get(warp, length, lane), place = warp_get(warp, at, lane);
			ulong from = warp_get64(warp, start, lane);
			uint some = warp_get(warp, pieces, lane);
			for (uint i = 1 + LANE; i < some; i += 32) put_record(s->records, place + i, whose, from, size, i);
		}
	}
	edges = warp_sum(warp, edges);
	if (LANE == 0 && edges && !level->measured) atomic_add64(&level->edges, edges);
}

// measure counts what decides about the next level: entries, and long rows.
INLINE void measure(const graph_t *g, LOCAL block_t *b, const uint *fresh, const uint *v, warp_t warp) {
	uint length[AHEAD], sum = 0, longs = 0;
	UNROLL for (int k = 0; k < AHEAD; k++) length[k] = fresh[k] ? whole_row(g, v[k]).y : 0;
	UNROLL for (int k = 0; k < AHEAD; k++) {
		sum += length[k];
		longs += length[k] > LONG;
	}
	longs = warp_sum32(warp, longs);
	ulong edges = warp_sum(warp, sum);
	if (LANE == 0) {
		atomic_add64(&b->edges, edges);
		if (longs) local_add32(&b->longs, longs);
	}
}

// expand: every unvisited neighbour of the frontier joins the tree and the queue.
// The frontier is taken from its records, or from the queue where no row is long.
// Small levels also measure what they find, to save the next one a cut. A large
// one makes no queue: its counter would be the one place where all warps meet,
// and bottom-up, which mostly follows, needs none.
INLINE void expand(const graph_t *g, const state_t *s, GLOBAL uint *visited, uint queue_side, uint cut_up, uint large,
                   GLOBAL level_t *level, LOCAL block_t *b, warp_t warp) {
	GLOBAL const uint *queue = QUEUE(s, queue_side);
	GLOBAL uint *next_queue = QUEUE(s, !queue_side);
	LOCAL uint *ends = (LOCAL uint *)(b->waiting + WARP * WAITING), *owner = ends + 32, *low = ends + 64, *high = ends + 96;
	uint records = cut_up ? level->records : level->vertices, examined = 0, vertices = 0;
	uint batch = records / (GRID_WARPS * 8) + 1; // eight turns, so that warps end together
	if (batch > 32) batch = 32;
	block_open(b);
	for (ulong first = (ulong)GRID_WARP * batch; first < records; first += (ulong)GRID_WARPS * batch) {
		uint4 r;
		r.x = r.y = r.z = r.w = 0;
		if (LANE < batch && first + LANE < records) r = cut_up ? s->records[first + LANE] : whole_row(g, queue[first + LANE]);
		uint total, before = warp_prefix(warp, r.y, &total);
		ulong from = ((ulong)r.w << 32 | r.z) - before; // entry i of all is at from + i
		ends[LANE] = before + r.y;
		owner[LANE] = r.x;
		low[LANE] = (uint)from;
		high[LANE] = (uint)(from >> 32);
		warp_sync(warp);
		for (uint i = 0; i < total; i += 32 * AHEAD) {
			uint u[AHEAD], by[AHEAD], fresh[AHEAD], all[AHEAD], sum = 0, at = 0;
			UNROLL for (int k = 0; k < AHEAD; k++) {
				uint e = i + 32 * k + LANE, whose = 0;
				UNROLL for (uint span = 16; span > 0; span >>= 1) {
					if (ends[whose + span - 1] <= e) whose += span;
				}
				by[k] = owner[whose];
				u[k] = e < total ? ENTRY(g, ((ulong)high[whose] << 32 | low[whose]) + e) : NONE;
			}
			UNROLL for (int k = 0; k < AHEAD; k++) fresh[k] = u[k] != NONE && !bit_of(visited, u[k]);
			UNROLL for (int k = 0; k < AHEAD; k++) {
				examined += u[k] != NONE;
				if (!fresh[k]) continue;
				uint bit = 1u << (u[k] & 31);
				fresh[k] = !(atomic_or32(visited + (u[k] >> 5), bit) & bit);
				if (fresh[k]) s->parent[u[k]] = by[k];
			}
			UNROLL for (int k = 0; k < AHEAD; k++) {
				all[k] = warp_ballot(warp, fresh[k]);
				sum += popcount32(all[k]);
			}
			if (large && LANE == 0) vertices += sum;
			WARP_IF(!large && sum) {
				if (LANE == 0) at = atomic_add32(&level[1].vertices, sum);
				at = warp_get(warp, at, 0);
				UNROLL for (int k = 0; k < AHEAD; k++) {
					if (fresh[k]) next_queue[at + popcount32(all[k] & BELOW_LANE)] = u[k];
					at += popcount32(all[k]);
				}
				measure(g, b, fresh, u, warp);
			}
		}
		warp_sync(warp);
	}
	block_close(b, level, vertices, examined, warp);
	if (THREAD != 0) return;
	if (b->edges) atomic_add64(&level[1].edges, b->edges);
	if (b->longs) atomic_add32(&level[1].longs, b->longs);
	if (BLOCK == 0) level[1].measured = !large;
}

// copy_visited keeps the bitmap as it is before a large level.
INLINE void copy_visited(const graph_t *g, const state_t *s, uint side) {
	GLOBAL const uint *from = VISITED(s, side);
	GLOBAL uint *to = VISITED(s, !side);
	for (ulong w = GRID_THREAD; w < g->words; w += GRID_THREADS) to[w] = from[w];
}

// enqueue appends the lanes' vertices to a queue that is made anew.
INLINE void enqueue(GLOBAL uint *queue, GLOBAL level_t *level, int yes, uint v, warp_t warp) {
	uint all = warp_ballot(warp, yes), at = 0;
	if (LANE == 0 && all) at = atomic_add32(&level->queued, popcount32(all));
	at = warp_get(warp, at, 0);
	if (yes) queue[at + popcount32(all & BELOW_LANE)] = v;
}

// requeue_bitmap: the difference of the bitmaps becomes a queue.
INLINE void requeue_bitmap(const graph_t *g, const state_t *s, uint side, uint queue_side, GLOBAL level_t *level, warp_t warp) {
	GLOBAL const uint *now = VISITED(s, side), *before = VISITED(s, !side);
	for (uint first = GRID_WARP * 32; first < g->words; first += GRID_WARPS * 32) {
		uint w = first + LANE, found = w < g->words ? now[w] & ~before[w] : 0;
		for (uint some = warp_ballot(warp, found != 0); some; some &= some - 1) {
			uint k = lowest_bit(some);
			enqueue(QUEUE(s, queue_side), level, warp_get(warp, found, k) >> LANE & 1, (first + k) * 32 + LANE, warp);
		}
	}
}

// requeue_list: what the blocks found among the rest becomes a queue.
INLINE void requeue_list(const graph_t *g, const state_t *s, uint list_side, uint queue_side, GLOBAL level_t *level, warp_t warp) {
	uint n = s->lengths[BLOCKS + BLOCK];
	GLOBAL const uint *top = LIST(s, list_side) + (ulong)(BLOCK + 1) * s->capacity - 1;
	for (uint first = WARP * 32; first < n; first += THREADS) {
		uint i = first + LANE;
		enqueue(QUEUE(s, queue_side), level, i < n, i < n ? *(top - i) : 0, warp);
	}
}
