// topdown.cu: from the frontier to its neighbours.
//
// A warp takes as many records as are left for it, at most 32, and lays their
// pieces end to end: the lanes step through the entries of all of them together,
// each finding by bisection whose entry it holds. A few long rows and many short
// ones keep the lanes equally busy. The lane that sets a neighbour's bit owns it:
// it stores the parent and puts the neighbour into the next queue. Rows are looked
// up when that queue is cut, by the whole grid: a few hubs can find all others. A
// frontier that is small is cut by every block for itself, which saves a barrier.

#define AHEAD 4 // entries that a lane loads before it uses the first: PIECE / 32

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

// row_of_queued is the row of a vertex that may have none.
INLINE row_t row_of_queued(const graph_t *g, uint v) {
	row_t r;
	r.start = 0;
	r.length = 0;
	if (has_row(g, v)) r = row_at(g, row_of(g, v));
	return r;
}

// cut lays out the rows of the queue as records and counts their entries.
INLINE void cut(const graph_t *g, const state_t *s, uint queue_side, GLOBAL level_t *level, warp_t warp) {
	GLOBAL const uint *queue = QUEUE(s, queue_side);
	uint n = level->vertices;
	ulong edges = 0;
	for (ulong first = (ulong)GRID_SPREAD(s) * 32; UNIFORM(first < n); first += GRID_THREADS(s)) {
		uint v = 0, total, at = 0;
		row_t r;
		r.start = 0;
		r.length = 0;
		if (first + LANE < n) {
			v = queue[first + LANE];
			r = row_of_queued(g, v);
		}
		uint pieces = (r.length + PIECE - 1) / PIECE;
		uint before = warp_prefix(warp, pieces, &total);
		edges += r.length;
		if (LANE == 0 && total) at = atomic_add32(&level->records, total);
		at = warp_get(warp, at, 0) + before;
		if (pieces) put_record(s->records, at, v, r.start, r.length, 0);
		for (uint longer = warp_ballot(warp, pieces > 1); UNIFORM(longer); longer &= longer - 1) {
			uint lane = lowest_bit(longer);
			uint whose = warp_get(warp, v, lane), size = warp_get(warp, r.length, lane), place = warp_get(warp, at, lane);
			ulong from = warp_get64(warp, r.start, lane);
			uint some = warp_get(warp, pieces, lane);
			for (uint i = 1 + LANE; i < some; i += 32) put_record(s->records, place + i, whose, from, size, i);
		}
	}
	edges = warp_sum(warp, edges);
	if (LANE == 0 && edges && !level->measured) atomic_add64(&level->edges, edges);
}

// A table is the rows of a small frontier in the LOCAL memory of every block: the
// vertex, the number of pieces up to its last one, and where its row starts; then the
// lengths.
#define TABLE(b, i) ((LOCAL uint4 *)(b)->desk[(i) >> 5].stage + 32 + ((i) & 31))
#define TABLE_LENGTH(b, i) ((b)->desk[(i) >> 5].stage[256 + ((i) & 31)])

// tabulate fills the table, a row for every thread, and returns the number of pieces.
INLINE uint tabulate(uint v, row_t r, LOCAL block_t *b, warp_t warp) {
	uint total, all = 0, pieces = (r.length + PIECE - 1) / PIECE;
	uint end = warp_prefix(warp, pieces, &total) + pieces;
	if (LANE == 0) b->bits[WARP] = total;
	block_sync();
	for (uint w = 0; w < WARPS; w++) {
		if (w < WARP) end += b->bits[w];
		all += b->bits[w];
	}
	uint4 entry;
	entry.x = v;
	entry.y = end;
	entry.z = (uint)r.start;
	entry.w = (uint)(r.start >> 32);
	*TABLE(b, THREAD) = entry;
	TABLE_LENGTH(b, THREAD) = r.length;
	block_sync();
	return all;
}

// tabulate_queue does so for a queue of at most as many vertices as there are threads.
INLINE uint tabulate_queue(const graph_t *g, GLOBAL const uint *queue, uint n, LOCAL block_t *b, warp_t warp) {
	uint v = 0;
	row_t r;
	r.start = 0;
	r.length = 0;
	if (THREAD < n) {
		v = queue[THREAD];
		r = row_of_queued(g, v);
	}
	return tabulate(v, r, b, warp);
}

INLINE uint4 record_in_table(LOCAL block_t *b, uint n, uint at) {
	uint low = 0, high = n - 1;
	while (low < high) {
		uint middle = (low + high) / 2;
		if (TABLE(b, middle)->y <= at) low = middle + 1;
		else high = middle;
	}
	uint4 r = *TABLE(b, low);
	uint length = TABLE_LENGTH(b, low), piece = at - (r.y - (length + PIECE - 1) / PIECE);
	ulong from = ((ulong)r.w << 32 | r.z) + (ulong)piece * PIECE;
	uint left = length - piece * PIECE;
	r.y = left < PIECE ? left : PIECE;
	r.z = (uint)from;
	r.w = (uint)(from >> 32);
	return r;
}

INLINE uint4 whole_record(const graph_t *g, uint v) {
	row_t row = row_of_queued(g, v);
	uint4 r;
	r.x = v;
	r.y = row.length;
	r.z = (uint)row.start;
	r.w = (uint)(row.start >> 32);
	return r;
}

// measure adds what decides about the next level: entries, and long rows.
INLINE void measure(const graph_t *g, const uint *fresh, const uint *v, ulong *edges, uint *longs) {
	uint row[AHEAD], length[AHEAD];
	UNROLL for (int k = 0; k < AHEAD; k++) row[k] = row_of(g, fresh[k] ? v[k] : 0);
	UNROLL for (int k = 0; k < AHEAD; k++) length[k] = g->place[fresh[k] ? row[k] : 0].y;
	UNROLL for (int k = 0; k < AHEAD; k++) {
		*edges += fresh[k] ? length[k] : 0;
		*longs += fresh[k] && length[k] > LONG;
	}
}

// visit: the lane's vertices become visited; fresh remain those for which nobody
// was faster.
INLINE void visit(const graph_t *g, const state_t *s, GLOBAL uint *visited, const uint *u, const uint *by, uint *fresh) {
	uint old[AHEAD];
	UNROLL for (int k = 0; k < AHEAD; k++) old[k] = or_if(visited + (u[k] >> 5), 1u << (u[k] & 31), fresh[k]);
	UNROLL for (int k = 0; k < AHEAD; k++) {
		fresh[k] &= ~(old[k] >> (u[k] & 31));
		if (fresh[k]) store_once(s->parent + u[k], by[k], g->once);
	}
}

// expand_whole expands the pieces of full length among the lanes' records, which
// have one owner each, and returns how many vertices the lane has found.
INLINE uint expand_whole(const graph_t *g, const state_t *s, GLOBAL uint *visited, uint whole, uint4 r, warp_t warp) {
	uint found = 0;
	for (; UNIFORM(whole); whole &= whole - 1) {
		uint lane = lowest_bit(whole), owner = warp_get(warp, r.x, lane), u[AHEAD], by[AHEAD], fresh[AHEAD];
		ulong from = (ulong)warp_get(warp, r.w, lane) << 32 | warp_get(warp, r.z, lane);
		UNROLL for (int k = 0; k < AHEAD; k++) u[k] = load_once(entry_at(g, from + 32 * k + LANE), g->once);
		UNROLL for (int k = 0; k < AHEAD; k++) fresh[k] = !bit_of(visited, u[k]);
		UNROLL for (int k = 0; k < AHEAD; k++) by[k] = owner;
		visit(g, s, visited, u, by, fresh);
		UNROLL for (int k = 0; k < AHEAD; k++) found += fresh[k];
	}
	return found;
}

// A plan says how to expand a frontier. It is found in records, in the queue where no
// row is long, or in a table where it is small.
enum { FROM_RECORDS, FROM_QUEUE, FROM_TABLE };

typedef struct {
	uint source;
	uint records; // in that form: those in the table are its pieces
	uint large;   // makes no queue: its counter would be the one place where all warps meet,
	              // and bottom-up, which mostly follows, needs none
} plan_t;

INLINE plan_t plan_of_records(uint records, uint large) {
	plan_t p;
	p.source = FROM_RECORDS;
	p.records = records;
	p.large = large;
	return p;
}

// expand: every unvisited neighbour of the frontier joins the tree and the queue. Small
// levels also measure what they find, to save the next one a cut, if they are to.
INLINE void expand(const graph_t *g, const state_t *s, GLOBAL uint *visited, uint queue_side, const plan_t *plan,
                   uint measures, GLOBAL level_t *level, LOCAL block_t *b, warp_t warp) {
	GLOBAL const uint *queue = QUEUE(s, queue_side);
	GLOBAL uint *next_queue = QUEUE(s, !queue_side);
	LOCAL uint *ends = b->desk[WARP].stage, *owner = ends + 32, *low = ends + 64, *high = ends + 96;
	uint examined = 0, vertices = 0, longs = 0, n = level->vertices, records = plan->records, source = plan->source, large = plan->large;
	ulong edges = 0;
	block_open(b);
	uint batch = records / (GRID_WARPS(s) * 8) + 1; // eight turns, so that warps end together
	if (batch > 32) batch = 32;
	for (ulong first = (ulong)GRID_SPREAD(s) * batch; UNIFORM(first < records); first += (ulong)GRID_WARPS(s) * batch) {
		uint4 r;
		r.x = r.y = r.z = r.w = 0;
		if (LANE < batch && first + LANE < records) {
			uint at = (uint)first + LANE;
			if (source == FROM_RECORDS) r = s->records[at];
			if (source == FROM_QUEUE) r = whole_record(g, queue[at]);
			if (source == FROM_TABLE) r = record_in_table(b, n, at);
		}
		WARP_IF(large) {
			uint whole = warp_ballot(warp, r.y == PIECE);
			vertices += expand_whole(g, s, visited, whole, r, warp);
			examined += r.y == PIECE ? PIECE : 0;
			if (r.y == PIECE) r.y = 0;
		}
		uint total, before = warp_prefix(warp, r.y, &total);
		ulong from = ((ulong)r.w << 32 | r.z) - before; // entry i of all is at from + i
		ends[LANE] = before + r.y;
		owner[LANE] = r.x;
		low[LANE] = (uint)from;
		high[LANE] = (uint)(from >> 32);
		warp_sync(warp);
		for (uint i = 0; UNIFORM(i < total); i += 32 * AHEAD) {
			uint u[AHEAD], by[AHEAD], fresh[AHEAD], all[AHEAD], sum = 0, at = 0;
			UNROLL for (int k = 0; k < AHEAD; k++) {
				uint e = i + 32 * k + LANE, whose = 0;
				fresh[k] = e < total;
				if (!fresh[k]) e = total - 1;
				UNROLL for (uint span = 16; span > 0; span >>= 1) {
					if (ends[whose + span - 1] <= e) whose += span;
				}
				by[k] = owner[whose];
				u[k] = ENTRY(g, ((ulong)high[whose] << 32 | low[whose]) + e);
			}
			UNROLL for (int k = 0; k < AHEAD; k++) {
				examined += fresh[k];
				fresh[k] &= ~bit_of(visited, u[k]);
			}
			visit(g, s, visited, u, by, fresh);
			UNROLL for (int k = 0; UNIFORM(k < AHEAD); k++) {
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
				if (measures) measure(g, fresh, u, &edges, &longs);
			}
		}
		warp_sync(warp);
	}
	edges = warp_sum(warp, edges);
	longs = warp_sum32(warp, longs);
	if (LANE == 0 && edges) {
		atomic_add64(&b->edges, edges);
		local_add32(&b->longs, longs);
	}
	block_close(b, level, vertices, examined, warp);
	if (THREAD != 0 || large || !measures) return;
	if (b->edges) atomic_add64(&level[1].edges, b->edges);
	if (b->longs) atomic_add32(&level[1].longs, b->longs);
	if (s->block == 0) level[1].measured = 1;
}

// copy_visited keeps the bitmap as it is before a large level.
INLINE void copy_visited(const graph_t *g, const state_t *s, uint side) {
	GLOBAL const uint *from = VISITED(s, side);
	GLOBAL uint *to = VISITED(s, !side);
	for (ulong w = GRID_THREAD(s); w < g->words; w += GRID_THREADS(s)) to[w] = from[w];
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
	for (uint first = s->own_first + GRID_WARP(s) * 32; UNIFORM(first < s->own_end); first += GRID_WARPS(s) * 32) {
		uint w = first + LANE, found = w < s->own_end ? now[w] & ~before[w] & g->index[w].x : 0;
		for (uint some = warp_ballot(warp, found != 0); UNIFORM(some); some &= some - 1) {
			uint k = lowest_bit(some);
			enqueue(QUEUE(s, queue_side), level, warp_get(warp, found, k) >> LANE & 1, (first + k) * 32 + LANE, warp);
		}
	}
}

// requeue_list: what the blocks found among the rest becomes a queue.
INLINE void requeue_list(const graph_t *g, const state_t *s, uint list_side, uint queue_side, GLOBAL level_t *level, warp_t warp) {
	uint n = s->lengths[s->blocks + s->block];
	GLOBAL const uint *top = LIST(s, list_side) + (ulong)(s->block + 1) * s->capacity - 1;
	for (uint first = WARP * 32; UNIFORM(first < n); first += THREADS) {
		uint i = first + LANE;
		enqueue(QUEUE(s, queue_side), level, i < n, i < n ? *(top - i) : 0, warp);
	}
}
