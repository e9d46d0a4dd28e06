// bottomup.cu: from the unvisited to the frontier.
//
// A full pass gives a warp a strip of up to 32 words of the bitmap and goes
// through it in two halves. The unvisited of a half are listed; each lane takes a
// vertex of the list and tries the head of its row, HEADS of them with all loads
// in flight together, which settles most. look.cu sees to the others. The first pass
// collects the parents and stores them at the end of a half; later ones store each
// when it is found. The new bitmap has a zero only where a vertex was missed: its
// words are stored once, without atomics.
//
// The hot form (Zhang's BGC) keeps the bits of the hubs in LOCAL memory: most
// heads are hubs, and are tried without leaving the multiprocessor. It reads two
// bytes more for each vertex.
//
// While the frontier is small and queued, a pass has a summary of it in LOCAL memory
// instead: look.cu says why.

#define HEADS 2

INLINE void load_hot(const state_t *s, LOCAL block_t *b) {
	for (uint i = THREAD; i < HOT_WORDS; i += THREADS) b->bits[i] = s->hot[i];
	block_sync();
}

// small_enough tells whether a summary lets few looks through: of its bits half
// are set at most, and of all labels so few are in the frontier that it pays.
INLINE uint small_enough(const graph_t *g, uint frontier) {
	return frontier <= SUMMARY_WORDS * 16 && (ulong)frontier * SPARSE <= (ulong)g->words * 32;
}

// load_summary sets the bits of the stretches that hold a vertex of the queue.
INLINE void load_summary(const graph_t *g, finder_t *f, GLOBAL const uint *queue, uint n, LOCAL block_t *b) {
	f->summary = 1;
	for (; (g->words - 1) >> f->stretch >= SUMMARY_WORDS; f->stretch++) {}
	for (uint i = THREAD; i < SUMMARY_WORDS; i += THREADS) b->bits[i] = 0;
	block_sync();
	for (uint i = THREAD; i < n; i += THREADS) {
		uint at = queue[i] >> f->stretch;
		local_or32(b->bits + (at >> 5), 1u << (at & 31));
	}
	block_sync();
}

// root_bit is the root's, in the word that has it.
INLINE uint root_bit(const state_t *s, uint word) { return word == s->root >> 5 ? 1u << (s->root & 31) : 0; }

// strip_words is how many words of the bitmap a warp takes at a time: as many as
// it has lanes, fewer where that would leave warps without work.
INLINE uint strip_words(const state_t *s) {
	uint each = (s->own_end - s->own_first + GRID_WARPS(s) - 1) / GRID_WARPS(s);
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

// clear_half: nobody in the half has a parent yet.
INLINE void clear_half(const finder_t *f) {
	LOCAL uint4 *stage = (LOCAL uint4 *)f->stage;
	uint4 none;
	none.x = none.y = none.z = none.w = NONE;
	UNROLL for (uint i = 0; i < WAITING / 4; i += 32) stage[i + LANE] = none;
}

// store_quarters stores the parents of a half, four for each lane, and returns which of
// the lane's word were found, in the lanes of the half. The list is done with, and has room
// for what lanes tell each other.
INLINE uint store_quarters(const graph_t *g, const state_t *s, const crowd_t *c, const finder_t *f, LOCAL ushort *list, uint spared,
                           uint first, uint strip, warp_t warp) {
	LOCAL const uint4 *stage = (LOCAL const uint4 *)f->stage;
	LOCAL uchar *found = (LOCAL uchar *)list; // four bits for every four labels
	UNROLL for (uint i = 0; UNIFORM(i < WAITING / 4); i += 32) {
		uint word = first + (i + LANE) / 8, shift = LANE % 8 * 4;
		uint kept = warp_get(warp, spared, word) >> shift & 15;
		uint4 parent = stage[i + LANE];
		found[i + LANE] = (uchar)((parent.x != NONE) | (parent.y != NONE) << 1 | (parent.z != NONE) << 2 | (parent.w != NONE) << 3);
		if (word < strip && c->first + word < s->own_end) {
			GLOBAL uint *to = s->parent + (ulong)(c->first + word) * 32 + shift;
			if (!kept) {
				store_once4((GLOBAL uint4 *)to, parent, g->once);
			} else {
				if (!(kept & 1)) store_once(to, parent.x, g->once);
				if (!(kept & 2)) store_once(to + 1, parent.y, g->once);
				if (!(kept & 4)) store_once(to + 2, parent.z, g->once);
				if (!(kept & 8)) store_once(to + 3, parent.w, g->once);
			}
		}
	}
	warp_sync(warp);
	uint at = (LANE - first) % 16 * 2, low = ((LOCAL uint *)list)[at], high = ((LOCAL uint *)list)[at + 1];
	low = (low | low >> 4) & 0x00ff00ff;
	high = (high | high >> 4) & 0x00ff00ff;
	return LANE / 16 == first / 16 ? ((low | low >> 8) & 0xffff) | (high | high >> 8) << 16 : 0;
}

// store_words does so word by word: where many are spared, the parts of a line that are
// stored then go out together.
INLINE uint store_words(const graph_t *g, const state_t *s, const crowd_t *c, const finder_t *f, uint spared, uint first, uint strip,
                        warp_t warp) {
	uint found = 0;
	for (uint k = first; UNIFORM(k < first + 16 && k < strip && c->first + k < s->own_end); k++) {
		uint parent = f->stage[(k * 32 + LANE) % WAITING], some = warp_ballot(warp, parent != NONE), kept = warp_get(warp, spared, k);
		if (!(kept >> LANE & 1)) store_once(s->parent + (ulong)(c->first + k) * 32 + LANE, parent, g->once);
		if (LANE == k) found = some;
	}
	return found;
}

// store_half stores the parents of a half, with NONE for those who were missed or have no
// row. Who was visited before is spared.
INLINE uint store_half(const graph_t *g, const state_t *s, const crowd_t *c, const finder_t *f, LOCAL ushort *list, uint spared,
                       uint first, uint strip, warp_t warp) {
	uint found = 0, many = popcount32(warp_ballot(warp, spared != 0 && LANE / 16 == first / 16)) > 8;
	WARP_IF(many) found = store_words(g, s, c, f, spared, first, strip, warp);
	WARP_IF(!many) found = store_quarters(g, s, c, f, list, spared, first, strip, warp);
	warp_sync(warp);
	return found;
}

// try_heads settles what it can by the heads of the rows and returns how many remain in
// the list: those whose rows hold more. Hot heads are looked up in LOCAL memory.
INLINE uint try_heads(const graph_t *g, const state_t *s, const crowd_t *c, finder_t *f, LOCAL ushort *list, uint n, uint summary,
                      uint hot, LOCAL block_t *b, warp_t warp) {
	uint left = 0;
	for (uint i = 0; UNIFORM(i < n); i += 32 * HEADS) {
		uint number[HEADS], head[HEADS], hub[HEADS], far[HEADS], hits = 0;
		UNROLL for (int k = 0; UNIFORM(k < HEADS); k++) {
			uint at = i + 32 * k + LANE;
			number[k] = at < n ? list[at] : 0;
			uint row = row_in(g, c, number[k], warp);
			head[k] = load_once(g->head + (at < n ? row : 0), g->once);
			hub[k] = hot ? g->hot[at < n ? row : 0] : NO_HUB;
		}
		UNROLL for (int k = 0; k < HEADS; k++) far[k] = hot ? hub[k] == NO_HUB : !summary || may_hit(f, b, head[k] & ~LEAF);
		UNROLL for (int k = 0; k < HEADS; k++) hits |= (bit_of(f->visited, far[k] ? head[k] & ~LEAF : 0) & far[k]) << k;
		if (hot) {
			UNROLL for (int k = 0; k < HEADS; k++) hits |= (far[k] ? 0 : b->bits[hub[k] >> 5] >> (hub[k] & 31) & 1) << k;
		}
		warp_sync(warp); // all have read their part of the list
		UNROLL for (int k = 0; UNIFORM(k < HEADS); k++) {
			int active = i + 32 * k + LANE < n, again = active && !(hits >> k & 1) && !(head[k] & LEAF);
			uint more = warp_ballot(warp, again);
			if (again) list[left + popcount32(more & BELOW_LANE)] = (ushort)number[k];
			left += popcount32(more);
			settle(g, s, c, f, active && !again, 0, number[k], hits >> k & 1 ? head[k] & ~LEAF : NONE, head[k] & LEAF, b, warp);
		}
		warp_sync(warp);
	}
	return left;
}

// try_in_kind is try_heads with code for each kind of pass. PoCL takes long enough for one.
INLINE uint try_in_kind(const graph_t *g, const state_t *s, const crowd_t *c, finder_t *f, LOCAL ushort *list, uint n, uint hot,
                        LOCAL block_t *b, warp_t warp) {
#ifdef __OPENCL_VERSION__
	return try_heads(g, s, c, f, list, n, f->summary, hot, b, warp);
#else
	if (hot) return try_heads(g, s, c, f, list, n, 0, 1, b, warp);
	if (f->summary) return try_heads(g, s, c, f, list, n, 1, 0, b, warp);
	return try_heads(g, s, c, f, list, n, 0, 0, b, warp);
#endif
}

// fetch_rows asks for the heads of a strip, and for the places of its rows where most of
// them will be looked at. It pays where warps have several strips.
INLINE void fetch_rows(const graph_t *g, const state_t *s, const crowd_t *c, uint strip, uint places, warp_t warp) {
	uint words = strip < s->own_end - c->first ? strip : s->own_end - c->first;
	uint begin = warp_get(warp, c->index.y, 0), end = warp_get(warp, c->index.y + popcount32(c->index.x), words - 1);
	for (uint row = (begin & ~31u) + LANE * 32; row < end; row += 32 * 32) fetch_ahead(g->head + row); // lines of 128 bytes
	if (!places) return;
	for (uint row = (begin & ~15u) + LANE * 16; row < end; row += 32 * 16) fetch_ahead(g->place + row);
}

// A pass is the bitmaps of a full pass. The labels of the rows and those of the entries may
// be different ranges, or different numbers, as in a block of a matrix.
typedef struct {
	GLOBAL const uint *known; // by labels of rows: those nobody looks for
	GLOBAL const uint *front; // by labels of entries: those that may be parents
	GLOBAL const uint *only;  // by labels of rows: the only ones to look for; 0: all
	GLOBAL uint *to;          // by labels of rows: known, and those that are found; 0: not stored
	uint bare;                // to has those that are found, and nobody else
} pass_t;

INLINE pass_t pass_over(GLOBAL const uint *visited, GLOBAL uint *to) {
	pass_t p;
	p.known = p.front = visited;
	p.only = 0;
	p.to = to;
	p.bare = 0;
	return p;
}

// full: one pass over all unvisited of the own words, which lists those it does not find if
// they are to be listed; with fill, what is in no tree by then gets the parent NONE. queued
// are the vertices of the frontier where it is a queue, and 0 where it is not.
INLINE void full(const graph_t *g, const state_t *s, const pass_t *p, uint list_side, uint hot, uint fill, uint listing,
                 GLOBAL const uint *queue, uint queued, GLOBAL level_t *level, LOCAL block_t *b, warp_t warp) {
	LOCAL ushort *list = b->desk[WARP].waiting;
	finder_t f;
	f.visited = p->front;
	f.rest = LIST(s, list_side) + (ulong)s->block * s->capacity;
	f.found = f.rest;
	f.missed = f.stage = b->desk[WARP].stage;
	f.marks = 0;
	f.level = level;
	f.examined = f.vertices = f.open = f.summary = f.stretch = 0;
	f.filling = fill;
	f.listing = listing;
	uint vertices = 0, strip = strip_words(s);
	block_open(b);
	WARP_IF(hot) load_hot(s, b);
	WARP_IF(!hot && queued && small_enough(g, queued)) load_summary(g, &f, queue, queued, b);
	for (uint first = s->own_first + GRID_WARP(s) * strip; UNIFORM(first < s->own_end); first += GRID_WARPS(s) * strip) {
		uint old = NONE, found = 0;
		crowd_t c;
		c.first = first;
		c.index.x = c.index.y = c.listed = 0;
		c.rest = f.rest;
		if (LANE < strip && first + LANE < s->own_end) {
			c.index = g->index[first + LANE];
			old = p->known[first + LANE] | ~c.index.x;
			if (p->only) old |= ~p->only[first + LANE];
		}
		if (!fill) f.missed[LANE] = 0;
		WARP_IF(s->own_end - s->own_first > GRID_WARPS(s) * 32) fetch_rows(g, s, &c, strip, f.summary, warp);
		f.examined += popcount32(~old);
		for (uint half_first = 0; UNIFORM(half_first < strip); half_first += 16) {
			if (fill) clear_half(&f);
			uint n = list_half(list, old, half_first, warp);
			uint left = try_in_kind(g, s, &c, &f, list, n, hot, b, warp);
			look(g, s, &c, &f, list, left, b, warp);
			WARP_IF(fill) found |= store_half(g, s, &c, &f, list, (old & c.index.x) | root_bit(s, first + LANE), half_first, strip, warp);
		}
		if (!fill) found = ~(old | f.missed[LANE]);
		if (p->to && LANE < strip && first + LANE < s->own_end) {
			p->to[first + LANE] = (p->bare ? 0 : p->known[first + LANE]) | found;
			vertices += popcount32(found);
		}
		warp_sync(warp);
	}
	block_close(b, level, vertices, f.examined, warp);
	if (THREAD == 0 && p->to) s->lengths[s->block] = b->rest;
}

// gather_hot: which hubs are visited.
INLINE void gather_hot(const graph_t *g, const state_t *s, uint side, warp_t warp) {
	GLOBAL const uint *visited = VISITED(s, side);
	for (uint w = GRID_WARP(s); UNIFORM(w < HOT_WORDS); w += GRID_WARPS(s)) {
		uint h = w * 32 + LANE;
		uint bits = warp_ballot(warp, h < g->hubs && bit_of(visited, g->hub[h]));
		if (LANE == 0) s->hot[w] = bits;
	}
}
