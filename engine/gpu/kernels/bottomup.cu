// bottomup.cu: from the unvisited to the frontier.
//
// A full pass gives a warp a strip of up to 32 words of the bitmap and goes
// through it in two halves. The unvisited of a half are listed; each lane takes a
// vertex of the list and tries the head of its row, HEADS of them with all loads
// in flight together, which settles most. look.cu sees to the others. The parents
// are collected and stored at the end of a half. The new bitmap has a zero only
// where a vertex was missed: its words are stored once, without atomics.
//
// The hot form (Zhang's BGC) keeps the bits of the hubs in LOCAL memory: most
// heads are hubs, and are tried without leaving the multiprocessor. It reads two
// bytes more for each vertex.
//
// While the frontier is small and queued, a pass has a sieve of it in LOCAL memory
// instead: look.cu says why.

#define HEADS 2

INLINE void load_hot(const state_t *s, LOCAL block_t *b) {
	for (uint i = THREAD; i < HOT_WORDS; i += THREADS) b->bits[i] = s->hot[i];
	block_sync();
}

// small_enough tells whether a sieve lets few looks through: of its bits one in
// four is set at most, and of all labels so few are in the frontier that it pays.
INLINE uint small_enough(const graph_t *g, uint frontier) {
	return frontier <= SIEVE_WORDS * 8 && (ulong)frontier * SPARSE <= (ulong)g->words * 32;
}

// load_sieve sets the bits of the stretches that hold a vertex of the queue.
INLINE void load_sieve(const graph_t *g, finder_t *f, GLOBAL const uint *queue, uint n, LOCAL block_t *b) {
	f->sieved = 1;
	for (; (g->words - 1) >> f->stretch >= SIEVE_WORDS; f->stretch++) {}
	for (uint i = THREAD; i < SIEVE_WORDS; i += THREADS) b->bits[i] = 0;
	block_sync();
	for (uint i = THREAD; i < n; i += THREADS) {
		uint at = queue[i] >> f->stretch;
		local_or32(b->bits + (at >> 5), 1u << (at & 31));
	}
	block_sync();
}

// strip_words is how many words of the bitmap a warp takes at a time: as many as
// it has lanes, fewer where that would leave warps without work.
INLINE uint strip_words(uint words) {
	uint each = (words + GRID_WARPS - 1) / GRID_WARPS;
	uint strip = (each + TILE - 1) / TILE * TILE;
	return strip < 32 ? strip : 32;
}

// list_half lists the bits that are zero in the words first … first+15 of the
// strip, half a word for each lane, and returns their number.
INLINE uint list_half(LOCAL ushort *list, uint old, uint first, warp_t warp) {
	uint word = first + (LANE >> 1), shift = (LANE & 1) * 16, n;
	uint bits = ~(warp_get(warp, old, word) >> shift) & 0xffff;
	uint at = warp_prefix(warp, popcount32(bits), &n);
	for (; bits; bits &= bits - 1) list[at++] = (ushort)(word * 32 + shift + lowest_bit(bits));
	warp_sync(warp);
	return n;
}

// store_half stores the parents of a half, in whole lines where it fills: then what
// was missed or has no row gets the parent NONE.
INLINE void store_half(const graph_t *g, const state_t *s, const crowd_t *c, const finder_t *f, uint old, uint first, uint strip,
                       uint fill, warp_t warp) {
	for (uint k = first; k < first + 16 && k < strip && c->first + k < g->words; k++) {
		uint open = ~warp_get(warp, old, k), rowless = ~warp_get(warp, c->index.x, k), missed = f->missed[k];
		uint v = (c->first + k) * 32 + LANE;
		uint chosen = fill ? open | rowless : open & ~missed;
		uint parent = (open & ~missed) >> LANE & 1 ? f->stage[(k * 32 + LANE) % WAITING] : NONE;
		if ((chosen >> LANE & 1) && v != s->root) s->parent[v] = parent;
	}
	warp_sync(warp);
}

// sort_out takes those off the list that a try has settled, and keeps those in the
// rest whose rows hold nothing more. It returns the length of the list.
INLINE uint sort_out(finder_t *f, LOCAL ushort *list, uint left, int active, uint hit, uint number, uint head, uint first,
                     LOCAL block_t *b, warp_t warp) {
	int miss = active && !hit, again = miss && !(head & LEAF);
	uint more = warp_ballot(warp, again);
	if (active && hit) f->stage[number % WAITING] = head & ~LEAF;
	if (again) list[left + popcount32(more & BELOW_LANE)] = (ushort)number;
	if (miss && !again) local_or32(f->missed + (number >> 5), 1u << (number & 31));
	keep(b, f->rest, miss && !again, first * 32 + number, warp);
	return left + popcount32(more);
}

// try_heads settles what it can by the heads of the rows and returns how many
// remain in the list.
INLINE uint try_heads(const graph_t *g, const crowd_t *c, finder_t *f, LOCAL ushort *list, uint n, uint sieved, LOCAL block_t *b,
                      warp_t warp) {
	uint left = 0;
	for (uint i = 0; i < n; i += 32 * HEADS) {
		uint number[HEADS], head[HEADS], maybe[HEADS], hits = 0;
		UNROLL for (int k = 0; k < HEADS; k++) {
			uint at = i + 32 * k + LANE;
			number[k] = at < n ? list[at] : 0;
			uint row = row_in(g, c, number[k], warp);
			head[k] = g->head[at < n ? row : 0];
		}
		UNROLL for (int k = 0; k < HEADS; k++) maybe[k] = !sieved || may_hit(f, b, head[k] & ~LEAF);
		UNROLL for (int k = 0; k < HEADS; k++) hits |= (bit_of(f->visited, maybe[k] ? head[k] & ~LEAF : 0) & maybe[k]) << k;
		warp_sync(warp); // all have read their part of the list
		UNROLL for (int k = 0; k < HEADS; k++) {
			left = sort_out(f, list, left, i + 32 * k + LANE < n, hits >> k & 1, number[k], head[k], c->first, b, warp);
		}
		warp_sync(warp);
	}
	return left;
}

// try_hot does so, and looks up hubs in LOCAL memory.
INLINE uint try_hot(const graph_t *g, const crowd_t *c, finder_t *f, LOCAL ushort *list, uint n, LOCAL block_t *b, warp_t warp) {
	uint left = 0;
	for (uint i = 0; i < n; i += 32) {
		int active = i + LANE < n;
		uint number = active ? list[i + LANE] : 0, row = row_in(g, c, number, warp), hit = 0;
		uint head = active ? g->head[row] : 0, hub = active ? g->hot[row] : 0;
		if (hub == NO_HUB) hit = bit_of(f->visited, head & ~LEAF);
		if (hub != NO_HUB) hit = b->bits[hub >> 5] >> (hub & 31) & 1;
		warp_sync(warp);
		left = sort_out(f, list, left, active, hit, number, head, c->first, b, warp);
		warp_sync(warp);
	}
	return left;
}

// fetch_rows asks for the heads of a strip, and for the places of its rows where most of
// them will be looked at. It pays where warps have several strips.
INLINE void fetch_rows(const graph_t *g, const crowd_t *c, uint strip, uint places, warp_t warp) {
	uint words = strip < g->words - c->first ? strip : g->words - c->first;
	uint begin = warp_get(warp, c->index.y, 0), end = warp_get(warp, c->index.y + popcount32(c->index.x), words - 1);
	for (uint row = (begin & ~31u) + LANE * 32; row < end; row += 32 * 32) fetch_ahead(g->head + row); // lines of 128 bytes
	if (!places) return;
	for (uint row = (begin & ~15u) + LANE * 16; row < end; row += 32 * 16) fetch_ahead(g->place + row);
}

// full: one pass over all unvisited; with fill, what is in no tree by then gets
// the parent NONE. queued are the vertices of the frontier where it is a queue, and
// 0 where it is not. To resolve is to do so for those that some part has marked: they
// are visited on this side and were not on the other.
INLINE void full(const graph_t *g, const state_t *s, uint side, uint list_side, uint hot, uint fill, uint resolve,
                 GLOBAL const uint *queue, uint queued, GLOBAL level_t *level, LOCAL block_t *b, warp_t warp) {
	GLOBAL uint *to = VISITED(s, !side);
	LOCAL ushort *list = b->desk[WARP].waiting;
	LOCAL uint *missed = b->desk[WARP].missed;
	finder_t f;
	f.visited = VISITED(s, side != resolve);
	f.rest = LIST(s, list_side) + (ulong)BLOCK * s->capacity;
	f.found = f.rest;
	f.missed = missed;
	f.stage = b->desk[WARP].stage;
	f.marks = 0;
	f.level = level;
	f.examined = f.vertices = f.open = f.sieved = f.stretch = 0;
	uint vertices = 0, strip = strip_words(g->words);
	block_open(b);
	WARP_IF(hot) load_hot(s, b);
	WARP_IF(!hot && queued && small_enough(g, queued)) load_sieve(g, &f, queue, queued, b);
	for (uint first = GRID_WARP * strip; first < g->words; first += GRID_WARPS * strip) {
		uint old = NONE;
		crowd_t c;
		c.first = first;
		c.index.x = c.index.y = c.listed = 0;
		c.rest = f.rest;
		if (LANE < strip && first + LANE < g->words) {
			c.index = g->index[first + LANE];
			old = f.visited[first + LANE] | ~c.index.x;
			if (resolve) old |= ~VISITED(s, side)[first + LANE];
		}
		missed[LANE] = 0;
		WARP_IF(g->words > GRID_WARPS * 32) fetch_rows(g, &c, strip, f.sieved, warp);
		f.examined += popcount32(~old);
		for (uint half_first = 0; half_first < strip; half_first += 16) {
			uint n = list_half(list, old, half_first, warp), left = 0;
			WARP_IF(!hot && !f.sieved) left = try_heads(g, &c, &f, list, n, 0, b, warp);
			WARP_IF(!hot && f.sieved) left = try_heads(g, &c, &f, list, n, 1, b, warp);
			WARP_IF(hot) left = try_hot(g, &c, &f, list, n, b, warp);
			look(g, s, &c, &f, list, left, 1, b, warp);
			store_half(g, s, &c, &f, old, half_first, strip, fill, warp);
		}
		if (!resolve && LANE < strip && first + LANE < g->words) {
			to[first + LANE] = f.visited[first + LANE] | ~(old | missed[LANE]);
			vertices += popcount32(~old) - popcount32(missed[LANE]);
		}
		warp_sync(warp);
	}
	block_close(b, level, vertices, f.examined, warp);
	if (THREAD == 0 && !resolve) s->lengths[BLOCK] = b->rest;
}

// gather_hot: which hubs are visited.
INLINE void gather_hot(const graph_t *g, const state_t *s, uint side, warp_t warp) {
	GLOBAL const uint *visited = VISITED(s, side);
	for (uint w = GRID_WARP; w < HOT_WORDS; w += GRID_WARPS) {
		uint h = w * 32 + LANE;
		uint bits = warp_ballot(warp, h < g->hubs && bit_of(visited, g->hub[h]));
		if (LANE == 0) s->hot[w] = bits;
	}
}
