// bottomup.cu: from the unvisited to the frontier.
//
// A full pass gives a warp TILE words of the bitmap. First each lane tries the
// head of its rows, all loads in flight together: that settles most vertices. The
// others are gathered into a dense list, and each lane looks along one row, SHORT
// entries at most; longer rows are looked at by the whole warp, and rows of more
// than HEAVY entries by the whole grid, afterwards. A word of the new bitmap is
// stored once, without atomics.
//
// The hot form (Zhang's BGC) keeps the bits of the hubs in LOCAL memory: nine in
// ten heads are hubs, and are tried without leaving the multiprocessor.

// look returns the first visited entry in [*at, end), at most SHORT entries on.
INLINE uint look(const graph_t *g, GLOBAL const uint *visited, ulong *at, ulong end, uint *examined) {
	ulong stop = end - *at > SHORT ? *at + SHORT : end;
	while (*at < stop) { // SHORT is a multiple of 4
		uint u[4], hit[4];
		UNROLL for (int k = 0; k < 4; k++) u[k] = *at + k < stop ? ENTRY(g, *at + k) : NONE;
		UNROLL for (int k = 0; k < 4; k++) hit[k] = u[k] != NONE && bit_of(visited, u[k]);
		UNROLL for (int k = 0; k < 4; k++) {
			*examined += u[k] != NONE;
			if (hit[k]) return u[k];
		}
		*at = u[3] == NONE ? end : *at + 4; // NONE: the row has ended
	}
	return NONE;
}

// look_together finishes the rows of the lanes that are not done, one by one. It
// returns the parent and clears *more where the row is left to the grid.
INLINE uint look_together(const graph_t *g, const state_t *s, GLOBAL const uint *visited, ulong at, ulong end, int *more,
                          uint v, GLOBAL level_t *level, uint *examined, warp_t warp) {
	uint parent = NONE;
	for (uint asking = warp_ballot(warp, *more); asking; asking &= asking - 1) {
		uint lane = lowest_bit(asking), found = NONE;
		ulong i = warp_get64(warp, at, lane), stop = warp_get64(warp, end, lane);
		if (stop - i > HEAVY) {
			if (LANE == lane) {
				uint2 entry;
				entry.x = v;
				entry.y = 0;
				s->heavy[atomic_add32(&level->heavy, 1)] = entry;
				*more = 0;
			}
			i = stop;
		}
		for (; i < stop && found == NONE; i += 32) {
			uint u = i + LANE < stop ? ENTRY(g, i + LANE) : NONE;
			int hit = u != NONE && bit_of(visited, u);
			*examined += u != NONE;
			uint hits = warp_ballot(warp, hit);
			uint nearest = warp_get(warp, u, hits ? lowest_bit(hits) : 0);
			if (hits) found = nearest;
		}
		if (LANE == lane) parent = found;
	}
	return parent;
}

// keep appends the lanes' vertices to the block's rest.
INLINE void keep(LOCAL block_t *b, GLOBAL uint *segment, int yes, uint v, warp_t warp) {
	uint all = warp_ballot(warp, yes), at = 0;
	if (LANE == 0 && all) at = local_add32(&b->rest, popcount32(all));
	at = warp_get(warp, at, 0);
	if (yes) segment[at + popcount32(all & BELOW_LANE)] = v;
}

INLINE void load_hot(const state_t *s, LOCAL block_t *b) {
	for (uint i = THREAD; i < HOT_WORDS; i += THREADS) b->hot[i] = s->hot[i];
	block_sync();
}

// full: one pass over all unvisited; with fill, the others of the tile that are
// in no tree yet get the parent NONE.
INLINE void full(const graph_t *g, const state_t *s, uint side, uint list_side, uint hot, uint fill, GLOBAL level_t *level,
                 LOCAL block_t *b, warp_t warp) {
	GLOBAL const uint *from = VISITED(s, side);
	GLOBAL uint *to = VISITED(s, !side), *segment = LIST(s, list_side) + (ulong)BLOCK * s->capacity;
	LOCAL uint *vertex = b->scratch + WARP * 64 * TILE, *row_waiting = vertex + 32 * TILE, *gained = b->gained + WARP * TILE;
	uint vertices = 0, examined = 0;
	block_open(b);
	WARP_IF(hot) load_hot(s, b);
	for (uint first = GRID_WARP * TILE; first < g->words; first += GRID_WARPS * TILE) {
		uint old[TILE], rows_of[TILE], row[TILE], mine[TILE], head[TILE], at_hub[TILE], hit[TILE], hits[TILE], waiting = 0;
		UNROLL for (int k = 0; k < TILE; k++) {
			uint w = first + k;
			uint2 word;
			word.x = word.y = 0;
			if (w < g->words) word = g->index[w];
			old[k] = w < g->words ? from[w] : NONE;
			rows_of[k] = word.x;
			row[k] = word.y + popcount32(word.x & BELOW_LANE);
			mine[k] = !(old[k] >> LANE & 1);
		}
		UNROLL for (int k = 0; k < TILE; k++) {
			head[k] = mine[k] ? g->head[row[k]] : NONE;
			at_hub[k] = hot && mine[k] ? g->hot[row[k]] : NO_HUB;
		}
		UNROLL for (int k = 0; k < TILE; k++) {
			hit[k] = 0;
			if (mine[k] && at_hub[k] == NO_HUB) hit[k] = bit_of(from, head[k]);
			if (at_hub[k] != NO_HUB) hit[k] = b->hot[at_hub[k] >> 5] >> (at_hub[k] & 31) & 1;
		}
		if (LANE < TILE) gained[LANE] = 0;
		UNROLL for (int k = 0; k < TILE; k++) {
			uint v = (first + k) * 32 + LANE;
			int isolated = !(rows_of[k] >> LANE & 1);
			if (hit[k]) s->parent[v] = head[k];
			else if (fill && (mine[k] || isolated) && v != s->root && first + k < g->words) s->parent[v] = NONE;
			hits[k] = warp_ballot(warp, hit[k]);
			uint misses = warp_ballot(warp, mine[k] && !hit[k]);
			if (mine[k] && !hit[k]) {
				uint at = waiting + popcount32(misses & BELOW_LANE);
				vertex[at] = v;
				row_waiting[at] = row[k];
			}
			waiting += popcount32(misses);
			examined += mine[k];
		}
		warp_sync(warp);
		for (uint i = LANE; i < (waiting + 31) / 32 * 32; i += 32) {
			int active = i < waiting;
			uint v = active ? vertex[i] : 0, parent = NONE;
			ulong at = 0, end = 0;
			if (active) {
				at = row_start(g, row_waiting[i]) + 1;
				end = row_start(g, row_waiting[i] + 1);
				parent = look(g, from, &at, end, &examined);
			}
			int more = active && parent == NONE && at < end, deferred = more;
			uint together = look_together(g, s, from, at, end, &more, v, level, &examined, warp);
			deferred &= !more;
			if (parent == NONE) parent = together;
			if (parent != NONE) {
				s->parent[v] = parent;
				local_or32(gained + (v >> 5) - first, 1u << (v & 31));
			}
			keep(b, segment, active && parent == NONE && !deferred, v, warp);
		}
		warp_sync(warp);
		UNROLL for (int k = 0; k < TILE; k++) {
			if (LANE == k && first + k < g->words) {
				uint found = hits[k] | gained[k];
				to[first + k] = old[k] | found;
				vertices += popcount32(found);
			}
		}
		warp_sync(warp);
	}
	block_close(b, level, vertices, 0, examined, warp);
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
