// sssp.cu: shortest paths by weight. Package sssp explains the algorithm: buckets, the
// directions, D₀, wakers and carried vertices are the same here.
//
// A launch runs one bucket. It begins with pushes of the records, or with pulls, and then
// expands frontiers, phase by phase, until no distance below the bound changes. The grid
// waits for all of its blocks between two phases.
//
//   place[v]    the bits of a distance of 32 bits above the parent; or, if wide, those of a
//               distance of 64 bits: then parents are looked for after the search
//   queue       the vertices of a frontier, each once; marks has a bit for each of them.
//               There are two of both: phases append to one and read the other
//   reached     the records of top-down buckets: vertices in the order in which they got
//               their first distance; cursors and keys have their next entries and sums
//   pieces      of rows that push many entries, for all warps
//   carried     numbers of wakers that were woken and not found yet. There are two
//               lists: pulls read one and append to the other
//
// Distances are numbers of 64 bits here. Those of 32 bits are rounded after every addition.

#define FORSAKEN 0x7ff0000000000000ul // the bits of an infinite distance
#define PIECE_ENTRIES 256             // of a row, for one warp
#define PULL_ALONE 8                  // entries that a lane reads before the warp reads on together
#define WIDE 1
#define ONE_WAY 2 // the graph is directed
#ifdef __OPENCL_VERSION__
#define ABREAST 1 // entries that a lane has in flight
#else
#define ABREAST 4
#endif

typedef struct {
	uint arrivals, exits;
	uint queued[3];  // by the number of the phase that reads them, modulo 3
	uint pieces[3];  // by the number of the phase that makes them, modulo 3
	uint reached, carried[2];
	uint phases;
	ulong examined, lowered, found; // since the search began
	ulong degree, least;            // of the records: entries of their rows, least key
	ulong start, end;               // ticks
} stage_t;

typedef struct {
	weighted_t out, in;
	GLOBAL ulong *place;
	GLOBAL uint *queue0, *queue1, *marks0, *marks1;
	GLOBAL uint *reached, *cursors;
	GLOBAL ulong *keys;
	GLOBAL uint4 *pieces;
	GLOBAL const uint4 *wakers;
	GLOBAL const uint *waker_of;
	GLOBAL uint *carried0, *carried1;
	GLOBAL stage_t *stage;
	uint words, wide, one_way;
} paths_t;

#define PATHS_PARAMS \
	GLOBAL const uint2 *out_index, GLOBAL const uint2 *out_place, GLOBAL const ulong *out_base, GLOBAL uint2 *out_entries, \
	GLOBAL const uint2 *in_index, GLOBAL const uint2 *in_place, GLOBAL const ulong *in_base, GLOBAL uint2 *in_entries, \
	GLOBAL ulong *place, GLOBAL uint *queue0, GLOBAL uint *queue1, GLOBAL uint *marks0, GLOBAL uint *marks1, \
	GLOBAL uint *reached, GLOBAL uint *cursors, GLOBAL ulong *keys, GLOBAL uint4 *pieces, GLOBAL const uint4 *wakers, \
	GLOBAL const uint *waker_of, GLOBAL uint *carried0, GLOBAL uint *carried1, GLOBAL stage_t *stage, uint words, uint flags, \
	GLOBAL uint *reply_words, uint reply_count, uint ticket

#define PATHS_OPEN \
	WARP_OPEN(warp); \
	__local push_t desks[BLOCK_WARPS]; \
	__local uint is_last; \
	paths_t s; \
	s.out.index = out_index; s.out.place = out_place; s.out.base = out_base; s.out.entries = out_entries; \
	s.in.index = in_index; s.in.place = in_place; s.in.base = in_base; s.in.entries = in_entries; \
	s.place = place; s.queue0 = queue0; s.queue1 = queue1; s.marks0 = marks0; s.marks1 = marks1; \
	s.reached = reached; s.cursors = cursors; s.keys = keys; s.pieces = pieces; s.wakers = wakers; s.waker_of = waker_of; \
	s.carried0 = carried0; s.carried1 = carried1; s.stage = stage; s.words = words; \
	s.wide = flags & WIDE; s.one_way = flags & ONE_WAY; \
	bucket_t r; \
	r.s = &s; r.desk = desks + WARP; r.bound = 0; r.target = r.phase = r.flushing = r.listing = r.side = 0; \
	r.examined = r.lowered = r.found = 0; \
	if (THREAD == 0) is_last = 0

// A push_t is where a warp keeps the rows that its lanes push together.
typedef struct {
	ulong start[32];  // of the entries to push
	ulong far[32];    // bits of the distance
	uint vertex[32];
	uint before[32];  // entries of the rows before
} push_t;

// A bucket_t is what the parts of a launch share.
typedef struct {
	const paths_t *s;
	LOCAL push_t *desk;
	double bound;
	uint target; // of the grid's barrier
	uint phase;
	uint side;     // the list of carried vertices that pulls read
	uint flushing; // whole rows are pushed, and nothing is queued
	uint listing;  // vertices that get their first distance become records
	ulong examined;
	uint lowered, found;
} bucket_t;

INLINE void bucket_sync(bucket_t *r) { grid_sync(&r->s->stage->arrivals, &r->target); }

INLINE double far_of(const paths_t *s, ulong place) { return s->wide ? double_of(place) : (double)float_of((uint)(place >> 32)); }

INLINE ulong place_of(const paths_t *s, double far, uint parent) {
	return s->wide ? double_bits(far) : (ulong)float_bits((float)far) << 32 | parent;
}

// sum_of is a distance further on by a weight, rounded.
INLINE double sum_of(const paths_t *s, double far, uint weight) {
	return s->wide ? far + (double)float_of(weight) : (double)((float)far + float_of(weight));
}

// lower makes the distance of v smaller, which was old when it was read. It returns the
// distance before, or a negative number if it was as small already. Parents change with
// distances only, so that weights of zero make no cycles.
INLINE double lower(const paths_t *s, uint v, ulong old, double far, uint parent) {
	ulong to = place_of(s, far, parent);
	while (far < far_of(s, old)) {
		ulong seen = swap64(s->place + v, old, to);
		if (seen == old) return far_of(s, old);
		old = seen;
	}
	return -1;
}

// append puts values at the end of a list, those of lanes that say yes, and returns where.
#ifdef __OPENCL_VERSION__
INLINE uint append(GLOBAL uint *list, GLOBAL uint *count, uint value, int yes, warp_t warp) {
	uint at = NONE;
	if (yes) {
		at = atomic_add32(count, 1);
		list[at] = value;
	}
	return at;
}
#else
INLINE uint append(uint *list, uint *count, uint value, int yes, warp_t warp) {
	uint all = warp_ballot(warp, yes), at = 0;
	if (!all) return NONE;
	if (LANE == 0) at = atomic_add32(count, popcount32(all));
	at = warp_get(warp, at, 0) + popcount32(all & BELOW_LANE);
	if (yes) list[at] = value;
	return at;
}
#endif

// take is what follows when the distance of v was lowered, from what it was before.
INLINE void take(bucket_t *r, uint v, double before, warp_t warp) {
	const paths_t *s = r->s;
	int yes = before >= 0, first = before == double_of(FORSAKEN);
	r->lowered += yes;
	if (r->flushing) {
		uint number = yes && first ? s->waker_of[row_number(&s->in, v)] : 0;
		append(r->side ? s->carried1 : s->carried0, s->stage->carried + r->side, number, yes && first, warp);
		return;
	}
	r->found += yes && before >= r->bound;
	if (r->listing) {
		uint at = append(s->reached, &s->stage->reached, v, yes && first, warp);
		if (yes && first) s->cursors[at] = 0;
	}
	uint next = r->phase + 1, bit = 1u << (v & 31);
	GLOBAL uint *marks = next & 1 ? s->marks1 : s->marks0;
	int fresh = yes && !(atomic_or32(marks + (v >> 5), bit) & bit);
	append(next & 1 ? s->queue1 : s->queue0, s->stage->queued + next % 3, v, fresh, warp);
}

// relax pushes entries, ABREAST of each lane, from vertices with distances.
INLINE void relax(bucket_t *r, const uint2 *entry, const double *far, const uint *from, uint count, warp_t warp) {
	const paths_t *s = r->s;
	double sum[ABREAST];
	ulong old[ABREAST];
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		old[k] = k < count ? LIVE(s->place + entry[k].x) : 0;
		sum[k] = sum_of(s, far[k], entry[k].y);
	}
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		double before = k < count && sum[k] < r->bound ? lower(s, entry[k].x, old[k], sum[k], from[k]) : -1;
		take(r, entry[k].x, before, warp);
	}
}

// near_entry tells whether an entry may make a sum below the bound, and sure_entry whether it
// does, and all before it.
INLINE int near_entry(const bucket_t *r, row_t row, uint at, double far) {
	return sum_of(r->s, far, floor_of(r->s->out.entries[row.start + at].y, row.length)) < r->bound;
}
INLINE int sure_entry(const bucket_t *r, row_t row, uint at, double far) {
	return sum_of(r->s, far, ceiling_of(r->s->out.entries[row.start + at].y, row.length)) < r->bound;
}

// row_end is the first entry of a row from from on that is not near, or not sure.
INLINE uint row_end(const bucket_t *r, row_t row, uint from, double far, int sure) {
	uint low = from, high = row.length;
	for (uint step = 1; low < high; step *= 2) {
		uint at = row.length - low < step ? row.length - 1 : low + step - 1;
		if (!(sure ? sure_entry(r, row, at, far) : near_entry(r, row, at, far))) {
			high = at;
			break;
		}
		low = at + 1;
	}
	while (low < high) {
		uint middle = low + (high - low) / 2;
		if (sure ? sure_entry(r, row, middle, far) : near_entry(r, row, middle, far)) low = middle + 1;
		else high = middle;
	}
	return low;
}

// list_pieces leaves a part of a row to all warps.
INLINE void list_pieces(bucket_t *r, uint v, uint from, uint end) {
	uint n = (end - from + PIECE_ENTRIES - 1) / PIECE_ENTRIES;
	uint at = atomic_add32(r->s->stage->pieces + r->phase % 3, n);
	for (uint i = 0; i < n; i++, from += PIECE_ENTRIES) {
		uint4 piece;
		piece.x = v;
		piece.y = from;
		piece.z = end - from < PIECE_ENTRIES ? end : from + PIECE_ENTRIES;
		piece.w = 0;
		r->s->pieces[at + i] = piece;
	}
}

// push_rows pushes a part of the row of every lane's vertex. The lanes share the entries of
// all rows evenly.
INLINE void push_rows(bucket_t *r, uint v, double far, row_t row, uint from, uint end, warp_t warp) {
	LOCAL push_t *desk = r->desk;
	uint count = end - from, total;
	r->examined += count;
	if (count > PIECE_ENTRIES) {
		list_pieces(r, v, from, end);
		count = 0;
	}
	uint before = warp_prefix(warp, count, &total);
	warp_sync(warp);
	desk->before[LANE] = before;
	desk->vertex[LANE] = v;
	desk->far[LANE] = double_bits(far);
	desk->start[LANE] = row.start + from;
	warp_sync(warp);
	for (uint first = 0; UNIFORM(first < total); first += 32 * ABREAST) {
		uint2 entry[ABREAST];
		double fars[ABREAST];
		uint vertices[ABREAST], mine = 0;
		UNROLL for (uint k = 0; k < ABREAST; k++) {
			uint i = first + 32 * k + LANE, owner = 0;
			if (i < total) mine = k + 1;
			else i = 0;
			UNROLL for (uint step = 16; step > 0; step >>= 1) {
				if (desk->before[owner + step] <= i) owner += step;
			}
			entry[k] = r->s->out.entries[desk->start[owner] + i - desk->before[owner]];
			fars[k] = double_of(desk->far[owner]);
			vertices[k] = desk->vertex[owner];
		}
		relax(r, entry, fars, vertices, mine, warp);
	}
}

// push_pieces pushes the pieces that the phase has made.
INLINE void push_pieces(bucket_t *r, uint n, warp_t warp) {
	const paths_t *s = r->s;
	for (uint p = SPREAD_WARP; UNIFORM(p < n); p += GRID_WARPS) {
		uint4 piece = s->pieces[p];
		ulong start = weighted_at(&s->out, row_number(&s->out, piece.x)).start;
		double far = far_of(s, LIVE(s->place + piece.x));
		for (uint first = piece.y; UNIFORM(first < piece.z); first += 32 * ABREAST) {
			uint2 entry[ABREAST];
			double fars[ABREAST];
			uint vertices[ABREAST], mine = 0;
			UNROLL for (uint k = 0; k < ABREAST; k++) {
				uint i = first + 32 * k + LANE;
				if (i < piece.z) mine = k + 1;
				entry[k] = s->out.entries[start + (i < piece.z ? i : first)];
				fars[k] = far;
				vertices[k] = piece.x;
			}
			relax(r, entry, fars, vertices, mine, warp);
		}
	}
}

INLINE row_t out_row(const paths_t *s, uint v) {
	uint number = row_number(&s->out, v);
	row_t row;
	row.start = 0;
	row.length = 0;
	if (number != NONE) row = weighted_at(&s->out, number);
	return row;
}

// share_of is how many of n vertices a warp takes at a time: few, where there are few.
INLINE uint share_of(uint n) {
	uint each = (n + GRID_WARPS - 1) / GRID_WARPS;
	return each < 1 ? 1 : each > 32 ? 32 : each;
}

// expand pushes the vertices of the frontier below the bound.
INLINE void expand_queue(bucket_t *r, uint n, warp_t warp) {
	const paths_t *s = r->s;
	GLOBAL const uint *queue = r->phase & 1 ? s->queue1 : s->queue0;
	GLOBAL uint *marks = r->phase & 1 ? s->marks1 : s->marks0;
	uint share = share_of(n);
	for (uint first = SPREAD_WARP * share; UNIFORM(first < n); first += GRID_WARPS * share) {
		uint i = first + LANE, end = 0, v = 0;
		double far = 0;
		row_t row;
		row.start = 0;
		if (LANE < share && i < n) {
			v = queue[i];
			marks[v >> 5] = 0; // nobody marks in these now
			far = far_of(s, LIVE(s->place + v));
			row = out_row(s, v);
			end = row_end(r, row, 0, far, 0);
		}
		push_rows(r, v, far, row, 0, end, warp);
	}
}

// push_records pushes what the rows of n records have below the bound; or, flushing, the
// whole rows of vertices nearer than near.
INLINE void push_records(bucket_t *r, uint n, double near, warp_t warp) {
	const paths_t *s = r->s;
	uint share = share_of(n);
	for (uint first = SPREAD_WARP * share; UNIFORM(first < n); first += GRID_WARPS * share) {
		uint i = first + LANE, from = 0, end = 0, v = 0;
		double far = 0;
		row_t row;
		row.start = 0;
		if (LANE < share && i < n && (r->flushing || double_of(s->keys[i]) < r->bound)) {
			v = s->reached[i];
			far = far_of(s, LIVE(s->place + v));
			if (!r->flushing || far < near) {
				row = out_row(s, v);
				from = r->flushing ? 0 : s->cursors[i];
				end = r->flushing ? row.length : row_end(r, row, from, far, 0);
			}
		}
		push_rows(r, v, far, row, from, end, warp);
	}
}

// end_phase waits for the pushes of a phase, and for its pieces.
INLINE void end_phase(bucket_t *r, warp_t warp) {
	bucket_sync(r);
	uint n = LIVE32(r->s->stage->pieces + r->phase % 3);
	WARP_IF(n != 0) {
		push_pieces(r, n, warp);
		bucket_sync(r);
	}
}

// finish_bucket expands frontiers until no distance below the bound changes.
INLINE void finish_bucket(bucket_t *r, warp_t warp) {
	GLOBAL stage_t *stage = r->s->stage;
	end_phase(r, warp);
	r->phase++;
	for (uint n = LIVE32(stage->queued + r->phase % 3); UNIFORM(n != 0); n = LIVE32(stage->queued + r->phase % 3)) {
		if (GRID_THREAD == 0) {
			stage->queued[(r->phase + 2) % 3] = 0;
			stage->pieces[(r->phase + 1) % 3] = 0;
			stage->phases++;
		}
		expand_queue(r, n, warp);
		end_phase(r, warp);
		r->phase++;
	}
}

// measure_records finds the next entries of all records and the least of their sums.
INLINE void measure_records(bucket_t *r, warp_t warp) {
	const paths_t *s = r->s;
	uint n = LIVE32(&s->stage->reached);
	ulong least = FORSAKEN, degree = 0;
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint v = s->reached[i];
		double far = far_of(s, LIVE(s->place + v)), key = double_of(FORSAKEN);
		row_t row = out_row(s, v);
		uint at = row_end(r, row, s->cursors[i], far, 1);
		if (at < row.length) key = sum_of(s, far, floor_of(s->out.entries[row.start + at].y, row.length));
		if (key < r->bound) key = r->bound;
		s->cursors[i] = at;
		s->keys[i] = double_bits(key);
		degree += row.length;
		if (double_bits(key) < least) least = double_bits(key);
	}
	for (uint step = 16; UNIFORM(step > 0); step >>= 1) {
		ulong other = warp_get64(warp, least, LANE ^ step);
		if (other < least) least = other;
	}
	degree = warp_sum(warp, degree);
	if (LANE == 0 && least != FORSAKEN) lower64(&s->stage->least, least);
	if (LANE == 0 && degree) atomic_add64(&s->stage->degree, degree);
}

// close_bucket adds what the threads have counted and ends the launch.
INLINE void close_bucket(bucket_t *r, LOCAL uint *is_last, GLOBAL uint *words, uint count, uint ticket, warp_t warp) {
	GLOBAL stage_t *stage = r->s->stage;
	ulong examined = warp_sum(warp, r->examined), lowered = warp_sum(warp, r->lowered), found = warp_sum(warp, r->found);
	if (LANE == 0 && examined) atomic_add64(&stage->examined, examined);
	if (LANE == 0 && lowered) atomic_add64(&stage->lowered, lowered);
	if (LANE == 0 && found) atomic_add64(&stage->found, found);
	if (GRID_THREAD == 0) {
		for (uint i = 0; i < 3; i++) stage->queued[i] = stage->pieces[i] = 0;
		stage->end = ticks();
	}
	grid_exit(&stage->arrivals, is_last, words, count, ticket);
}

// open_bucket forgets what the last launch has measured, before a barrier.
INLINE void open_bucket(bucket_t *r) {
	if (GRID_THREAD != 0) return;
	r->s->stage->degree = 0;
	r->s->stage->least = FORSAKEN;
	r->s->stage->start = ticks();
}

// paths_seed begins a search: the root is the only record.
KERNEL(512) paths_seed(PATHS_PARAMS, uint root) {
	PATHS_OPEN;
	for (ulong v = GRID_THREAD; v < (ulong)words * 32; v += GRID_THREADS) {
		place[v] = v == root ? place_of(&s, 0, root) : place_of(&s, double_of(FORSAKEN), NONE);
	}
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) marks0[w] = marks1[w] = 0;
	if (GRID_THREAD == 0) {
		for (uint i = 0; i < 3; i++) stage->queued[i] = stage->pieces[i] = 0;
		stage->carried[0] = stage->carried[1] = stage->phases = 0;
		stage->examined = stage->lowered = stage->found = 0;
		stage->reached = 1;
		reached[0] = root;
		cursors[0] = 0;
	}
	open_bucket(&r);
	bucket_sync(&r);
	measure_records(&r, warp);
	close_bucket(&r, &is_last, reply_words, reply_count, ticket, warp);
}

// paths_down finds all vertices nearer than the bound by pushes.
KERNEL(512) paths_down(PATHS_PARAMS, ulong bound, uint records) {
	PATHS_OPEN;
	r.bound = double_of(bound);
	r.listing = 1;
	open_bucket(&r);
	push_records(&r, records, 0, warp);
	finish_bucket(&r, warp);
	measure_records(&r, warp);
	close_bucket(&r, &is_last, reply_words, reply_count, ticket, warp);
}

// A puller_t is a vertex that pulls.
typedef struct {
	uint number; // of its waker
	uint4 waker;
	double before, best, first; // its distance, what it has pulled, the distance of its first neighbour
	uint parent;
	uint at; // the next entry to read; 0: none is
	row_t row;
} puller_t;

// pull_one reads an entry, unless that and all behind it come too late.
INLINE int pull_one(const bucket_t *r, double near, puller_t *p, row_t row, uint at, double limit) {
	const paths_t *s = r->s;
	if (at >= row.length) return 0;
	uint2 entry = s->in.entries[row.start + at];
	if (sum_of(s, near, floor_of(entry.y, row.length)) >= limit) return 0;
	double sum = sum_of(s, far_of(s, LIVE(s->place + entry.x)), entry.y);
	if (sum < p->best) {
		p->best = sum;
		p->parent = entry.x;
	}
	return 1;
}

INLINE double lesser(double a, double b) { return a < b ? a : b; }

// pull_together lets the whole warp read the rows of the lanes that have not ended.
INLINE void pull_together(bucket_t *r, double near, puller_t *p, int open, warp_t warp) {
	for (uint some = warp_ballot(warp, open); UNIFORM(some != 0); some &= some - 1) {
		uint lane = lowest_bit(some), at = warp_get(warp, p->at, lane);
		puller_t mine;
		row_t row;
		row.start = warp_get64(warp, p->row.start, lane);
		row.length = warp_get(warp, p->row.length, lane);
		mine.best = double_of(warp_get64(warp, double_bits(p->best), lane));
		mine.parent = warp_get(warp, p->parent, lane);
		double limit = lesser(mine.best, r->bound);
		for (at += LANE; pull_one(r, near, &mine, row, at, limit); at += 32) r->examined++;
		for (uint step = 16; UNIFORM(step > 0); step >>= 1) {
			double best = double_of(warp_get64(warp, double_bits(mine.best), LANE ^ step));
			uint parent = warp_get(warp, mine.parent, LANE ^ step);
			if (best < mine.best) {
				mine.best = best;
				mine.parent = parent;
			}
		}
		if (LANE == lane) {
			p->best = mine.best;
			p->parent = mine.parent;
		}
	}
}

// settle_pull takes what a vertex has pulled. Below the bound it is found, otherwise
// carried. It has something to push if its first entry leads to a distance below the bound
// that is lower than the one there, or if one of the others may: that is known without
// its row.
INLINE void settle_pull(bucket_t *r, const puller_t *p, int yes, warp_t warp) {
	const paths_t *s = r->s;
	int found = yes && p->best < r->bound, pushes = 0;
	if (yes && p->best < p->before) {
		LIVE(s->place + p->waker.z) = place_of(s, p->best, p->parent);
		r->lowered++;
	}
	if (found) {
		r->found++;
		pushes = s->one_way || sum_of(s, p->best, p->waker.y) < lesser(r->bound, p->first) || sum_of(s, p->best, p->waker.w) < r->bound;
	}
	append(r->phase & 1 ? s->queue0 : s->queue1, s->stage->queued + (r->phase + 1) % 3, p->waker.z, pushes, warp);
	append(r->side ? s->carried0 : s->carried1, s->stage->carried + (r->side ^ 1), p->number, yes && !found, warp);
}

// pull lets carried vertices pull, and those that are woken now.
INLINE void pull(bucket_t *r, double near, double from, uint woken, uint wake_to, warp_t warp) {
	const paths_t *s = r->s;
	uint carried = LIVE32(s->stage->carried + r->side), n = carried + wake_to - woken;
	GLOBAL const uint *list = r->side ? s->carried1 : s->carried0;
	for (uint first = GRID_WARP * 32; UNIFORM(first < n); first += GRID_WARPS * 32) {
		uint i = first + LANE;
		puller_t p;
		p.number = i < carried ? list[i] : i < n ? woken + i - carried : woken;
		p.waker = s->wakers[p.number];
		p.before = far_of(s, LIVE(s->place + p.waker.z));
		p.first = far_of(s, LIVE(s->place + p.waker.x));
		p.best = p.before;
		p.parent = NONE;
		p.at = 0;
		int yes = i < n && p.before >= from && (i < carried || p.before == double_of(FORSAKEN)), open = 0;
		double sum = sum_of(s, p.first, p.waker.y);
		if (yes && sum < p.best) {
			p.best = sum;
			p.parent = p.waker.x;
		}
		r->examined += yes;
		if (yes && sum_of(s, near, p.waker.w) < lesser(p.best, r->bound)) {
			p.row = weighted_at(&s->in, row_number(&s->in, p.waker.z));
			open = 1;
			for (p.at = 1; open && p.at <= PULL_ALONE; p.at++) open = pull_one(r, near, &p, p.row, p.at, lesser(p.best, r->bound));
			r->examined += p.at - 1;
		}
		pull_together(r, near, &p, open, warp);
		settle_pull(r, &p, yes, warp);
	}
}

// paths_up finds all vertices nearer than the bound by pulls, of carried vertices and of
// those whose wakers are from woken up to wake_to. flush says that vertices nearer than
// near push their whole rows before.
KERNEL(512) paths_up(PATHS_PARAMS, ulong near, ulong from, ulong bound, uint woken, uint wake_to, uint side, uint flush,
                      uint records) {
	PATHS_OPEN;
	r.side = side;
	open_bucket(&r);
	WARP_IF(flush) {
		r.flushing = 1;
		r.bound = double_of(FORSAKEN);
		push_records(&r, records, double_of(near), warp);
		end_phase(&r, warp);
		if (GRID_THREAD == 0) stage->pieces[0] = 0;
		r.phase = 1;
		r.flushing = 0;
	}
	r.bound = double_of(bound);
	pull(&r, double_of(near), double_of(from), woken, wake_to, warp);
	finish_bucket(&r, warp);
	if (GRID_THREAD == 0) stage->carried[side] = 0;
	close_bucket(&r, &is_last, reply_words, reply_count, ticket, warp);
}
