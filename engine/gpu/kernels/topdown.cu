// topdown.cu: from the frontier to its neighbours.
//
// A warp takes as many records as are left for it, at most 32, and lays their
// pieces end to end: the lanes step through the entries of all of them together,
// each finding by bisection whose entry it holds. A few long rows and many short
// ones keep the lanes equally busy. The lane that sets a neighbour's bit owns it:
// it stores the parent and adds the neighbour's row to the next queue.

#define AHEAD 4 // entries that a lane loads before it uses the first

INLINE void put_record(GLOBAL uint4 *queue, uint at, uint v, ulong start, uint length, uint piece) {
	uint4 r;
	ulong from = start + (ulong)piece * PIECE;
	uint left = length - piece * PIECE;
	r.x = v;
	r.y = left < PIECE ? left : PIECE;
	r.z = (uint)from;
	r.w = (uint)(from >> 32);
	queue[at] = r;
}

// push_some appends the rows of the lanes' vertices to the queue of the next level.
INLINE void push_some(const graph_t *g, GLOBAL uint4 *queue, GLOBAL uint *records, int fresh, uint v, ulong *edges, warp_t warp) {
	ulong start = 0;
	uint length = 0;
	if (fresh) {
		uint row = row_of(g, v);
		start = row_start(g, row);
		length = (uint)(row_start(g, row + 1) - start);
	}
	uint pieces = (length + PIECE - 1) / PIECE, total;
	uint before = warp_prefix(warp, pieces, &total), at = 0;
	*edges += length;
	if (LANE == 0) at = atomic_add32(records, total);
	at = warp_get(warp, at, 0) + before;
	if (fresh) put_record(queue, at, v, start, length, 0);
	for (uint longer = warp_ballot(warp, pieces > 1); longer; longer &= longer - 1) {
		uint lane = lowest_bit(longer);
		uint whose = warp_get(warp, v, lane), size = warp_get(warp, length, lane), first = warp_get(warp, at, lane);
		ulong from = warp_get64(warp, start, lane);
		uint n = warp_get(warp, pieces, lane);
		for (uint i = 1 + LANE; i < n; i += 32) put_record(queue, first + i, whose, from, size, i);
	}
}

INLINE void push(const graph_t *g, GLOBAL uint4 *queue, GLOBAL uint *records, int fresh, uint v, ulong *edges, warp_t warp) {
	WARP_IF(warp_ballot(warp, fresh)) push_some(g, queue, records, fresh, v, edges, warp);
}

// expand: every unvisited neighbour of the queue joins the tree.
INLINE void expand(const graph_t *g, const state_t *s, GLOBAL uint *visited, uint queue_side, GLOBAL level_t *level,
                   LOCAL block_t *b, warp_t warp) {
	GLOBAL const uint4 *queue = QUEUE(s, queue_side);
	GLOBAL uint4 *next_queue = QUEUE(s, !queue_side);
	LOCAL uint *ends = b->scratch + WARP * 64 * TILE, *owner = ends + 32, *low = ends + 64, *high = ends + 96;
	uint records = level->records, vertices = 0, examined = 0;
	ulong edges = 0;
	uint batch = (records + GRID_WARPS - 1) / GRID_WARPS;
	if (batch > 32) batch = 32;
	block_open(b);
	for (ulong first = (ulong)GRID_WARP * batch; first < records; first += (ulong)GRID_WARPS * batch) {
		uint4 r;
		r.x = r.y = r.z = r.w = 0;
		if (LANE < batch && first + LANE < records) r = queue[first + LANE];
		uint total, before = warp_prefix(warp, r.y, &total);
		ulong from = ((ulong)r.w << 32 | r.z) - before; // entry i of all is at from + i
		ends[LANE] = before + r.y;
		owner[LANE] = r.x;
		low[LANE] = (uint)from;
		high[LANE] = (uint)(from >> 32);
		warp_sync(warp);
		for (uint i = 0; i < total; i += 32 * AHEAD) {
			uint u[AHEAD], by[AHEAD], fresh[AHEAD];
			UNROLL for (int k = 0; k < AHEAD; k++) {
				uint e = i + 32 * k + LANE, at = 0;
				UNROLL for (uint span = 16; span > 0; span >>= 1) {
					if (ends[at + span - 1] <= e) at += span;
				}
				by[k] = owner[at];
				u[k] = e < total ? ENTRY(g, ((ulong)high[at] << 32 | low[at]) + e) : NONE;
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
				vertices += fresh[k];
				push(g, next_queue, &level[1].records, fresh[k], u[k], &edges, warp);
			}
		}
		warp_sync(warp);
	}
	block_close(b, level, vertices, edges, examined, warp);
}

// requeue_bitmap: the difference of the bitmaps becomes a queue.
INLINE void requeue_bitmap(const graph_t *g, const state_t *s, uint side, uint queue_side, GLOBAL level_t *level,
                           LOCAL block_t *b, warp_t warp) {
	GLOBAL const uint *now = VISITED(s, side), *before = VISITED(s, !side);
	ulong edges = 0;
	block_open(b);
	for (uint w = GRID_WARP; w < g->words; w += GRID_WARPS) {
		uint found = now[w] & ~before[w];
		push(g, QUEUE(s, queue_side), &level->records, found >> LANE & 1, w * 32 + LANE, &edges, warp);
	}
	block_close(b, level - 1, 0, edges, 0, warp);
}

// requeue_list: what the blocks found among the rest becomes a queue.
INLINE void requeue_list(const graph_t *g, const state_t *s, uint list_side, uint queue_side, GLOBAL level_t *level, warp_t warp) {
	uint n = s->lengths[BLOCKS + BLOCK];
	GLOBAL const uint *top = LIST(s, list_side) + (ulong)(BLOCK + 1) * s->capacity - 1;
	ulong edges = 0;
	for (uint first = WARP * 32; first < n; first += THREADS) {
		uint i = first + LANE;
		push(g, QUEUE(s, queue_side), &level->records, i < n, i < n ? *(top - i) : 0, &edges, warp);
	}
}
