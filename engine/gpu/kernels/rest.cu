// rest.cu: bottom-up over the vertices that earlier passes left, and the rows
// that were left to the whole grid.

// remaining: one pass over the block's rest. What it finds is marked as visited
// only afterwards, by apply: the others must not see it in this level.
INLINE void remaining(const graph_t *g, const state_t *s, GLOBAL const uint *visited, uint list_side, GLOBAL level_t *level,
                      LOCAL block_t *b, warp_t warp) {
	ulong segment = (ulong)BLOCK * s->capacity;
	GLOBAL const uint *list = LIST(s, list_side) + segment;
	GLOBAL uint *left = LIST(s, !list_side) + segment, *top = left + s->capacity - 1;
	uint n = s->lengths[BLOCK], vertices = 0, examined = 0;
	ulong edges = 0;
	block_open(b);
	for (uint first = WARP * 32; first < n; first += THREADS) {
		int active = first + LANE < n;
		uint v = active ? list[first + LANE] : 0, parent = NONE;
		active = active && !bit_of(visited, v); // a top-down level may have found it
		ulong start = 0, at = 0, end = 0;
		if (active) {
			uint row = row_of(g, v);
			at = start = row_start(g, row);
			end = row_start(g, row + 1);
			parent = look(g, visited, &at, end, &examined);
		}
		int more = active && parent == NONE && at < end, deferred = more;
		uint together = look_together(g, s, visited, at, end, &more, v, level, &examined, warp);
		deferred &= !more;
		if (parent == NONE) parent = together;
		if (parent != NONE) {
			s->parent[v] = parent;
			*(top - local_add32(&b->found, 1)) = v;
			vertices++;
			edges += end - start;
		}
		keep(b, left, active && parent == NONE && !deferred, v, warp);
	}
	block_close(b, level, vertices, edges, examined, warp);
	if (THREAD == 0) {
		s->lengths[BLOCK] = b->rest;
		s->lengths[BLOCKS + BLOCK] = b->found;
	}
}

// apply marks what remaining found as visited.
INLINE void apply(const state_t *s, GLOBAL uint *visited, uint list_side) {
	uint n = s->lengths[BLOCKS + BLOCK];
	GLOBAL const uint *top = LIST(s, list_side) + (ulong)(BLOCK + 1) * s->capacity - 1;
	for (uint i = THREAD; i < n; i += THREADS) {
		uint v = *(top - i);
		atomic_or32(visited + (v >> 5), 1u << (v & 31));
	}
}

// heavy_scan: the grid looks along the long rows, piece by piece. Several warps
// may find a parent; any of them will do.
INLINE void heavy_scan(const graph_t *g, const state_t *s, GLOBAL const uint *visited, GLOBAL level_t *level,
                       LOCAL block_t *b, warp_t warp) {
	uint n = level->heavy, examined = 0;
	block_open(b);
	for (uint h = 0; h < n; h++) {
		uint v = s->heavy[h].x, row = row_of(g, v);
		ulong end = row_start(g, row + 1);
		for (ulong at = row_start(g, row) + (ulong)GRID_WARP * PIECE; at < end; at += (ulong)GRID_WARPS * PIECE) {
			ulong stop = end - at > PIECE ? at + PIECE : end;
			if (warp_get(warp, s->heavy[h].y, 0)) at = stop = end; // found by others
			for (ulong i = at + LANE; i < stop; i += 32) {
				uint u = ENTRY(g, i);
				examined += u != NONE;
				if (u == NONE || !bit_of(visited, u)) continue;
				s->parent[v] = u;
				s->heavy[h].y = 1;
				break;
			}
		}
	}
	block_close(b, level, 0, 0, examined, warp);
}

// heavy_apply: heavy vertices that were found become visited, the others join the
// rest of some block. After a pass over the rest they also join the found.
INLINE void heavy_apply(const graph_t *g, const state_t *s, GLOBAL uint *visited, uint list_side, uint listing, GLOBAL level_t *level) {
	if (THREAD != 0) return;
	GLOBAL uint *segment = LIST(s, list_side) + (ulong)BLOCK * s->capacity;
	for (uint h = BLOCK; h < level->heavy; h += BLOCKS) {
		uint v = s->heavy[h].x, row = row_of(g, v);
		if (!s->heavy[h].y) {
			segment[s->lengths[BLOCK]++] = v;
			continue;
		}
		atomic_or32(visited + (v >> 5), 1u << (v & 31));
		if (listing) *(segment + s->capacity - 1 - s->lengths[BLOCKS + BLOCK]++) = v;
		atomic_add32(&level[1].vertices, 1);
		atomic_add64(&level[1].edges, row_start(g, row + 1) - row_start(g, row));
	}
}
