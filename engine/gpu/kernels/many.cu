// many.cu: searches from up to 64 roots at once.
//
// Every vertex has words of 64 bits, a bit for each root: seen has the roots that have
// reached it, front those that reached it in the last level, and next collects those that
// reach it in the level at hand. A level may go both ways: down for some roots, from the
// front to its neighbours, and up for others, from vertices that miss a root to the
// neighbours that have seen it. many_commit ends the level. It counts for every root the
// vertices that were found and their entries, which decide about the next level.
//
// A warp reads at most MANY_LONG entries of a row. What is left of longer rows it lists as
// pieces of as many entries, which the warps of a second launch share.

#define MANY_LONG 512
#define MANY_ROUNDS 4 // rounds in which every lane looks at four entries of its own row

// The words of a tally, by what they count.
enum { MANY_FOUND = 0, MANY_EDGES = 64, MANY_VERTICES = 128, MANY_EXAMINED, MANY_DOWN_PIECES, MANY_UP_PIECES };

INLINE void many_count(GLOBAL ulong *tally, ulong looked, warp_t warp) {
	looked = warp_sum(warp, looked);
	if (LANE == 0 && looked) atomic_add64(tally + MANY_EXAMINED, looked);
}

// or_words sets bits in the word of v.
INLINE void or_words(GLOBAL uint *words, uint v, ulong bits) {
	if ((uint)bits) atomic_or32(words + 2 * (ulong)v, (uint)bits);
	if (bits >> 32) atomic_or32(words + 2 * (ulong)v + 1, (uint)(bits >> 32));
}

// many_seed: root i reaches itself.
KERNEL(256) many_seed(GLOBAL const uint *roots, uint n, GLOBAL uint *seen, GLOBAL uint *front) {
	for (uint i = (uint)GRID_THREAD; i < n; i += (uint)GRID_THREADS) {
		or_words(seen, roots[i], (ulong)1 << i);
		or_words(front, roots[i], (ulong)1 << i);
	}
}

// put_pieces lists what is left of a row of so many entries. The whole warp has the row.
INLINE void put_pieces(GLOBAL uint2 *pieces, GLOBAL ulong *counter, uint v, uint length, warp_t warp) {
	uint n = (length - 1) / MANY_LONG, at = 0;
	if (LANE == 0) at = (uint)atomic_add64(counter, n);
	at = warp_get(warp, at, 0);
	for (uint i = LANE; i < n; i += 32) {
		uint2 piece;
		piece.x = v;
		piece.y = i + 1;
		pieces[at + i] = piece;
	}
}

// pass_on: the neighbours in a piece of a row are reached by the roots in bits. Who has the
// bits already, from another neighbour, costs no atomic operation.
INLINE void pass_on(const graph_t *g, GLOBAL const ulong *seen, GLOBAL uint *next, ulong start, uint first, uint stop, ulong bits) {
	for (uint i = first + LANE; i < stop; i += 32) {
		uint u = ENTRY(g, start + i);
		ulong fresh = bits & ~seen[u];
		if (fresh) or_words(next, u, fresh & ~((GLOBAL const ulong *)next)[u]);
	}
}

// many_down: the front of some roots reaches its neighbours.
KERNEL(256) many_down(ulong down, GLOBAL const ulong *seen, GLOBAL const ulong *front, GLOBAL uint *next, GLOBAL uint2 *pieces,
                      GLOBAL ulong *tally, GRAPH_PARAMS) {
	WARP_OPEN(warp);
	GRAPH_OPEN(g);
	ulong looked = 0;
	for (uint w = GRID_WARP; UNIFORM(w < words); w += GRID_WARPS) {
		uint2 word = g.index[w];
		ulong fresh = word.x >> LANE & 1 ? front[w * 32 + LANE] & down : 0;
		row_t r;
		r.start = 0;
		r.length = 0;
		if (fresh) r = row_at(&g, word.y + popcount32(word.x & BELOW_LANE));
		looked += r.length;
		for (uint some = warp_ballot(warp, r.length != 0); UNIFORM(some); some &= some - 1) {
			uint lane = lowest_bit(some), length = warp_get(warp, r.length, lane);
			ulong start = warp_get64(warp, r.start, lane), bits = warp_get64(warp, fresh, lane);
			pass_on(&g, seen, next, start, 0, length < MANY_LONG ? length : MANY_LONG, bits);
			WARP_IF(length > MANY_LONG) put_pieces(pieces, tally + MANY_DOWN_PIECES, w * 32 + lane, length, warp);
		}
	}
	many_count(tally, looked, warp);
}

// piece_stop is where a piece of a row ends.
INLINE uint piece_stop(row_t r, uint first) { return r.length - first < MANY_LONG ? r.length : first + MANY_LONG; }

// many_down_pieces does so along the pieces of long rows.
KERNEL(256) many_down_pieces(ulong down, GLOBAL const ulong *seen, GLOBAL const ulong *front, GLOBAL uint *next,
                             GLOBAL const uint2 *pieces, GLOBAL ulong *tally, GRAPH_PARAMS) {
	GRAPH_OPEN(g);
	uint n = (uint)tally[MANY_DOWN_PIECES];
	for (uint p = GRID_WARP; p < n; p += GRID_WARPS) {
		uint v = pieces[p].x, first = pieces[p].y * MANY_LONG;
		row_t r = row_at(&g, row_of(&g, v));
		pass_on(&g, seen, next, r.start, first, piece_stop(r, first), front[v] & down);
	}
}

// look_alone looks for roots in the head of a row and in its first entries, each lane in
// a row of its own, and returns those that it has found. *at is where it ended.
INLINE ulong look_alone(const graph_t *g, GLOBAL const ulong *seen, uint row, ulong missing, row_t *r, uint *at) {
	uint head = g->head[row];
	ulong found = seen[head & ~LEAF];
	if (!(missing & ~found) || head & LEAF) return found;
	*r = row_at(g, row);
	for (uint round = 0; round < MANY_ROUNDS && missing & ~found && *at < r->length; round++) {
		uint u[4];
		UNROLL for (uint k = 0; k < 4; k++) u[k] = ENTRY(g, r->start + (*at + k < r->length ? *at + k : 0));
		UNROLL for (uint k = 0; k < 4; k++) found |= seen[u[k]];
		*at += 4;
	}
	return found;
}

// look_along looks for roots in a piece of a row, the whole warp in one, and returns those
// that it has found.
INLINE ulong look_along(const graph_t *g, GLOBAL const ulong *seen, ulong start, uint first, uint stop, ulong missing, warp_t warp) {
	ulong all = 0;
	for (uint base = first; UNIFORM(base < stop && missing & ~all); base += 128) {
		uint u[4];
		ulong mine = 0;
		UNROLL for (uint k = 0; k < 4; k++) {
			uint i = base + 32 * k + LANE;
			u[k] = ENTRY(g, start + (i < stop ? i : first));
		}
		UNROLL for (uint k = 0; k < 4; k++) mine |= seen[u[k]];
		all |= warp_or(warp, mine);
	}
	return all;
}

// many_up: vertices that miss some of these roots look for them.
KERNEL(256) many_up(ulong up, GLOBAL const ulong *seen, GLOBAL ulong *next, GLOBAL uint2 *pieces, GLOBAL ulong *tally, GRAPH_PARAMS) {
	WARP_OPEN(warp);
	GRAPH_OPEN(g);
	ulong looked = 0;
	for (uint w = GRID_WARP; UNIFORM(w < words); w += GRID_WARPS) {
		uint2 word = g.index[w];
		uint v = w * 32 + LANE, at = 1;
		ulong missing = word.x >> LANE & 1 ? up & ~seen[v] : 0, found = 0;
		row_t r;
		r.start = 0;
		r.length = 0;
		if (missing) found = look_alone(&g, seen, word.y + popcount32(word.x & BELOW_LANE), missing, &r, &at);
		looked += missing ? at : 0;
		for (uint some = warp_ballot(warp, (missing & ~found) && at < r.length); UNIFORM(some); some &= some - 1) {
			uint lane = lowest_bit(some), length = warp_get(warp, r.length, lane), first = warp_get(warp, at, lane);
			ulong start = warp_get64(warp, r.start, lane), want = warp_get64(warp, missing & ~found, lane);
			uint stop = length < MANY_LONG ? length : MANY_LONG;
			ulong here = look_along(&g, seen, start, first, stop, want, warp);
			if (LANE == lane) {
				found |= here;
				looked += stop - first;
			}
			WARP_IF(length > MANY_LONG && (want & ~here)) put_pieces(pieces, tally + MANY_UP_PIECES, w * 32 + lane, length, warp);
		}
		if (missing & found) next[v] |= missing & found;
	}
	many_count(tally, looked, warp);
}

// many_up_pieces does so along the pieces of long rows.
KERNEL(256) many_up_pieces(ulong up, GLOBAL const ulong *seen, GLOBAL uint *next, GLOBAL const uint2 *pieces, GLOBAL ulong *tally,
                           GRAPH_PARAMS) {
	WARP_OPEN(warp);
	GRAPH_OPEN(g);
	uint n = (uint)tally[MANY_UP_PIECES];
	ulong looked = 0;
	for (uint p = GRID_WARP; UNIFORM(p < n); p += GRID_WARPS) {
		uint v = pieces[p].x, first = pieces[p].y * MANY_LONG;
		row_t r = row_at(&g, row_of(&g, v));
		ulong want = warp_get64(warp, up & ~seen[v] & ~((GLOBAL const ulong *)next)[v], 0);
		ulong found = look_along(&g, seen, r.start, first, piece_stop(r, first), want, warp) & want;
		if (LANE == 0) {
			or_words(next, v, found);
			looked += piece_stop(r, first) - first;
		}
	}
	many_count(tally, looked, warp);
}

// many_tally counts, for every root, the lanes' vertices that it has found and their entries:
// a ballot and a sum for each root, or, where these are slow, an addition for each bit.
typedef struct {
	uint low, high; // of the roots LANE and LANE + 32
	ulong low_edges, high_edges;
} many_tally_t;

#ifdef __OPENCL_VERSION__
INLINE void many_tally(many_tally_t *t, LOCAL ulong *sums, ulong fresh, uint length, warp_t warp) {
	for (uint i = 0; i < 64; i++) {
		if (!(fresh >> i & 1)) continue;
		atomic_add64(sums + MANY_FOUND + i, 1);
		if (length) atomic_add64(sums + MANY_EDGES + i, length);
	}
}
#else
INLINE void many_tally(many_tally_t *t, LOCAL ulong *, ulong fresh, uint length, warp_t warp) {
	if (!warp_ballot(warp, fresh != 0)) return;
	for (uint i = 0; i < 32; i++) {
		int in_low = fresh >> i & 1, in_high = fresh >> (i + 32) & 1;
		uint low = popcount32(warp_ballot(warp, in_low)), high = popcount32(warp_ballot(warp, in_high));
		uint low_edges = warp_sum32(warp, in_low ? length : 0), high_edges = warp_sum32(warp, in_high ? length : 0);
		if (LANE == i) {
			t->low += low;
			t->high += high;
			t->low_edges += low_edges;
			t->high_edges += high_edges;
		}
	}
}
#endif

// many_commit: what was found is seen, and is the front. The rows are those out of the
// vertices, whose entries the next level would read.
KERNEL(256) many_commit(GLOBAL ulong *seen, GLOBAL ulong *front, GLOBAL ulong *next, GLOBAL ulong *tally, GRAPH_PARAMS) {
	WARP_OPEN(warp);
	GRAPH_OPEN(g);
	__local ulong sums[MANY_VERTICES + 1];
	uint vertices = 0;
	many_tally_t t;
	t.low = t.high = 0;
	t.low_edges = t.high_edges = 0;
	for (uint i = THREAD; i <= MANY_VERTICES; i += THREADS) sums[i] = 0;
	block_sync();
	for (uint w = GRID_WARP; w < words; w += GRID_WARPS) {
		uint v = w * 32 + LANE, length = 0;
		uint2 word = g.index[w];
		ulong fresh = next[v];
		if (front[v] != fresh) front[v] = fresh;
		if (fresh) {
			seen[v] |= fresh;
			next[v] = 0;
			vertices++;
			if (word.x >> LANE & 1) length = g.place[word.y + popcount32(word.x & BELOW_LANE)].y;
		}
		many_tally(&t, sums, fresh, length, warp);
	}
	if (t.low) atomic_add64(sums + MANY_FOUND + LANE, t.low);
	if (t.high) atomic_add64(sums + MANY_FOUND + 32 + LANE, t.high);
	if (t.low_edges) atomic_add64(sums + MANY_EDGES + LANE, t.low_edges);
	if (t.high_edges) atomic_add64(sums + MANY_EDGES + 32 + LANE, t.high_edges);
	if (vertices) atomic_add64(sums + MANY_VERTICES, vertices);
	block_sync();
	for (uint i = THREAD; i <= MANY_VERTICES; i += THREADS) {
		if (sums[i]) atomic_add64(tally + i, sums[i]);
	}
}

// many_mark sets a binary digit of the level in which the front was found.
KERNEL(256) many_mark(GLOBAL ulong *digit, GLOBAL const ulong *front, ulong n) {
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		if (front[v]) digit[v] |= front[v];
	}
}
