// bottomup.cu: from the unvisited to the frontier.
//
// A full pass gives a warp a strip of up to 32 words of the bitmap and goes
// through it in two halves. The unvisited of a half are listed; each lane takes a
// vertex of the list and tries the head of its row, HEADS of them with all loads
// in flight together, which settles most. look.cu sees to the others. The new
// bitmap has a zero only where a vertex was missed: its words are stored once,
// without atomics.
//
// The hot form (Zhang's BGC) keeps the bits of the hubs in LOCAL memory: most
// heads are hubs, and are tried without leaving the multiprocessor. It reads two
// bytes more for each vertex.

#define HEADS 4

INLINE void load_hot(const state_t *s, LOCAL block_t *b) {
	for (uint i = THREAD; i < HOT_WORDS; i += THREADS) b->hot[i] = s->hot[i];
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

// fill_half: vertices of the half that have no row have no parent.
INLINE void fill_half(const graph_t *g, const state_t *s, uint strip_first, uint2 index, uint first, uint strip, warp_t warp) {
	for (uint k = first; k < first + 16 && k < strip; k++) {
		uint rows_of = warp_get(warp, index.x, k);
		uint v = (strip_first + k) * 32 + LANE;
		if (!(rows_of >> LANE & 1) && strip_first + k < g->words && v != s->root) s->parent[v] = NONE;
	}
}

// try_heads settles what it can by the heads of the rows and returns how many
// remain in the list.
INLINE uint try_heads(const graph_t *g, const state_t *s, const crowd_t *c, finder_t *f, LOCAL ushort *list, uint n, uint hot,
                      uint fill, LOCAL block_t *b, warp_t warp) {
	uint left = 0;
	for (uint i = 0; i < n; i += 32 * HEADS) {
		uint number[HEADS], row[HEADS], head[HEADS], leaf[HEADS], at_hub[HEADS], hit[HEADS];
		UNROLL for (int k = 0; k < HEADS; k++) {
			uint at = i + 32 * k + LANE;
			number[k] = at < n ? list[at] : 0;
			row[k] = row_in(g, c, number[k], warp);
			if (at >= n) row[k] = NONE;
		}
		UNROLL for (int k = 0; k < HEADS; k++) {
			head[k] = row[k] != NONE ? g->head[row[k]] : 0;
			at_hub[k] = hot && row[k] != NONE ? g->hot[row[k]] : NO_HUB;
		}
		UNROLL for (int k = 0; k < HEADS; k++) {
			hit[k] = 0;
			leaf[k] = head[k] & LEAF;
			head[k] &= ~LEAF;
			if (at_hub[k] == NO_HUB) hit[k] = bit_of(f->visited, head[k]);
			if (at_hub[k] != NO_HUB) hit[k] = b->hot[at_hub[k] >> 5] >> (at_hub[k] & 31) & 1;
		}
		warp_sync(warp); // all have read their part of the list
		UNROLL for (int k = 0; k < HEADS; k++) {
			int active = row[k] != NONE, miss = active && !hit[k], again = miss && !leaf[k];
			uint v = c->first * 32 + number[k], more = warp_ballot(warp, again);
			if (active && hit[k]) s->parent[v] = head[k];
			else if (miss && fill) s->parent[v] = NONE;
			if (again) list[left + popcount32(more & BELOW_LANE)] = (ushort)number[k];
			left += popcount32(more);
			if (miss && leaf[k]) local_or32(f->missed + (number[k] >> 5), 1u << (number[k] & 31));
			keep(b, f->rest, miss && leaf[k], v, warp);
		}
		warp_sync(warp);
	}
	return left;
}

// full: one pass over all unvisited; with fill, what is in no tree by then gets
// the parent NONE.
INLINE void full(const graph_t *g, const state_t *s, uint side, uint list_side, uint hot, uint fill, GLOBAL level_t *level,
                 LOCAL block_t *b, warp_t warp) {
	GLOBAL uint *to = VISITED(s, !side);
	LOCAL ushort *list = b->waiting + WARP * WAITING;
	LOCAL uint *missed = b->missed + WARP * 32;
	finder_t f;
	f.visited = VISITED(s, side);
	f.rest = LIST(s, list_side) + (ulong)BLOCK * s->capacity;
	f.found = f.rest;
	f.missed = missed;
	f.level = level;
	f.examined = f.vertices = 0;
	uint vertices = 0, strip = strip_words(g->words);
	block_open(b);
	WARP_IF(hot) load_hot(s, b);
	for (uint first = GRID_WARP * strip; first < g->words; first += GRID_WARPS * strip) {
		uint old = NONE;
		crowd_t c;
		c.first = first;
		c.index.x = c.index.y = c.listed = 0;
		c.rest = f.rest;
		if (LANE < strip && first + LANE < g->words) {
			old = f.visited[first + LANE];
			c.index = g->index[first + LANE];
		}
		missed[LANE] = 0;
		f.examined += popcount32(~old);
		for (uint half_first = 0; half_first < strip; half_first += 16) {
			uint n = list_half(list, old, half_first, warp);
			n = try_heads(g, s, &c, &f, list, n, hot, fill, b, warp);
			WARP_IF(fill) fill_half(g, s, first, c.index, half_first, strip, warp);
			look(g, s, &c, &f, list, n, 1, b, warp);
		}
		if (LANE < strip && first + LANE < g->words) {
			to[first + LANE] = ~missed[LANE];
			vertices += popcount32(~old) - popcount32(missed[LANE]);
		}
		warp_sync(warp);
	}
	block_close(b, level, vertices, f.examined, warp);
	if (THREAD == 0) s->lengths[BLOCK] = b->rest;
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
