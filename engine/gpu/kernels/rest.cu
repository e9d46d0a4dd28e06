// rest.cu: bottom-up over the vertices that earlier passes left, and the rows
// that were left to the whole grid.

// remaining: one pass over the block's rest. The others must not see in this level
// what it finds: it is marked in another bitmap, or afterwards, by apply. Outdated is a
// list from before a top-down level, which may have found some of its vertices.
INLINE void remaining(const graph_t *g, const state_t *s, GLOBAL const uint *visited, GLOBAL uint *marks, uint list_side,
                      uint outdated, GLOBAL level_t *level, LOCAL block_t *b, warp_t warp) {
	ulong segment = (ulong)s->block * s->capacity;
	LOCAL ushort *list = b->desk[WARP].waiting;
	uint n = s->lengths[s->block];
	finder_t f;
	f.visited = visited;
	f.rest = LIST(s, !list_side) + segment;
	f.found = f.rest + s->capacity - 1;
	f.missed = f.stage = b->desk[WARP].stage;
	f.marks = marks;
	f.level = level;
	f.examined = f.vertices = f.open = f.summary = f.stretch = f.filling = 0;
	f.listing = 1;
	crowd_t c;
	c.first = c.index.x = c.index.y = 0;
	c.listed = 1;
	uint share = (n + THREADS - 1) / THREADS * 32; // of a warp, at a time
	if (share > WAITING) share = WAITING;
	block_open(b);
	for (uint first = WARP * share; UNIFORM(first < n); first += WARPS * share) {
		uint waiting = 0;
		c.rest = LIST(s, list_side) + segment + first;
		for (uint i = 0; UNIFORM(i < share && first + i < n); i += 32) {
			int active = first + i + LANE < n && !(outdated && bit_of(visited, c.rest[i + LANE]));
			uint all = warp_ballot(warp, active);
			if (active) list[waiting + popcount32(all & BELOW_LANE)] = (ushort)(i + LANE);
			waiting += popcount32(all);
		}
		warp_sync(warp);
		if (LANE == 0) f.examined += waiting;
		uint left = try_heads(g, s, &c, &f, list, waiting, 0, 0, b, warp);
		look(g, s, &c, &f, list, left, b, warp);
	}
	uint open = warp_sum32(warp, f.open);
	if (LANE == 0 && open) local_add32(&b->open, open);
	block_close(b, level, f.vertices, f.examined, warp);
	if (THREAD == 0) {
		if (b->open) atomic_add32(&level[1].open, b->open);
		s->lengths[s->block] = b->rest;
		s->lengths[s->blocks + s->block] = b->found;
	}
}

// apply marks what remaining found as visited.
INLINE void apply(const state_t *s, GLOBAL uint *visited, uint list_side) {
	uint n = s->lengths[s->blocks + s->block];
	GLOBAL const uint *top = LIST(s, list_side) + (ulong)(s->block + 1) * s->capacity - 1;
	for (uint i = THREAD; i < n; i += THREADS) {
		uint v = *(top - i);
		atomic_or32(visited + (v >> 5), 1u << (v & 31));
	}
}

// extreme_scan: the grid looks along the extreme rows, piece by piece. Several warps may find a
// parent; any of them will do. Vertices that are found are set in marks, unless that is 0.
INLINE void extreme_scan(const graph_t *g, const state_t *s, GLOBAL const uint *visited, GLOBAL uint *marks, GLOBAL level_t *level,
                       LOCAL block_t *b, warp_t warp) {
	uint n = level->extreme, examined = 0;
	block_open(b);
	for (uint h = 0; UNIFORM(h < n); h++) {
		uint v = s->extreme[h].x;
		row_t r = row_at(g, row_of(g, v));
		ulong end = r.start + r.length;
		for (ulong at = r.start + (ulong)GRID_WARP(s) * PIECE; UNIFORM(at < end); at += (ulong)GRID_WARPS(s) * PIECE) {
			ulong stop = end - at > PIECE ? at + PIECE : end;
			if (warp_get(warp, s->extreme[h].y, 0)) at = stop = end; // found by others
			for (ulong i = at + LANE; i < stop; i += 32) {
				uint u = ENTRY(g, i);
				examined++;
				if (!bit_of(visited, u)) continue;
				s->parent[v] = u;
				s->extreme[h].y = 1;
				if (marks) atomic_or32(marks + (v >> 5), 1u << (v & 31));
				break;
			}
		}
	}
	block_close(b, level, 0, examined, warp);
}

// extreme_apply: vertices with extreme rows become visited if they were found; the others join the
// rest of some block. After a pass over the rest they also join the found.
INLINE void extreme_apply(const state_t *s, GLOBAL uint *visited, uint list_side, uint listing, GLOBAL level_t *level) {
	if (THREAD != 0) return;
	GLOBAL uint *segment = LIST(s, list_side) + (ulong)s->block * s->capacity;
	for (uint h = s->block; h < level->extreme; h += s->blocks) {
		uint v = s->extreme[h].x;
		if (!s->extreme[h].y) {
			segment[s->lengths[s->block]++] = v;
			continue;
		}
		atomic_or32(visited + (v >> 5), 1u << (v & 31));
		if (listing) *(segment + s->capacity - 1 - s->lengths[s->blocks + s->block]++) = v;
		atomic_add32(&level[1].vertices, 1);
		atomic_add32(&level[1].open, 1);
	}
}
