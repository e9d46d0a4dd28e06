// maps.cu: bottom-up with a thread for every vertex, as Zhang et al. have it, and three ways to
// note who was found. MAP_WORDS: the lanes of a warp vote, and one stores the word of the
// bitmap. MAP_BITS: every thread sets its bit, by an atomic operation. MAP_BYTES, the paper's:
// every thread stores a byte of its own, and another pass packs the bytes. Full passes
// (bottomup.cu) are faster than all of them; these are here to be compared with each other.

enum { MAP_WORDS, MAP_BITS, MAP_BYTES };

// first_visited returns the first neighbour of a vertex that was visited before the level.
INLINE uint first_visited(const graph_t *g, GLOBAL const uint *known, uint v, uint *examined) {
	row_t r = row_at(g, row_of(g, v));
	for (uint i = 0; i < r.length; i++) {
		uint u = ENTRY(g, r.start + i);
		*examined += 1;
		if (bit_of(known, u)) return u;
	}
	return NONE;
}

// step_vertices looks for all unvisited vertices. With MAP_BITS, the bitmap that it writes
// must be a copy of the one that it reads.
KERNEL(1024) step_vertices(SEARCH_PARAMS, uint depth, uint side, uint map, GLOBAL uchar *bytes) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	GLOBAL const uint *known = VISITED(&s, side);
	GLOBAL uint *next = VISITED(&s, !side);
	uint vertices = 0, examined = 0;
	block_open(b);
	for (uint w = GRID_WARP(&s); UNIFORM(w < g.words); w += GRID_WARPS(&s)) {
		uint v = w * 32 + LANE, parent = NONE, wanted = g.index[w].x & ~known[w];
		if (wanted >> LANE & 1) parent = first_visited(&g, known, v, &examined);
		uint found = parent != NONE;
		if (found) s.parent[v] = parent;
		vertices += found;
		if (map == MAP_BITS && found) atomic_or32(next + w, 1u << LANE);
		if (map == MAP_BYTES) bytes[v] = (uchar)found;
		WARP_IF(map == MAP_WORDS) {
			uint all = warp_ballot(warp, (int)found);
			if (LANE == 0) next[w] = known[w] | all;
		}
	}
	block_close(b, s.levels + depth, vertices, examined, warp);
}

// step_pack adds the vertices whose byte is set to the visited ones.
KERNEL(1024) step_pack(SEARCH_PARAMS, uint side, GLOBAL const uchar *bytes) {
	STATE_OPEN(s);
	GLOBAL const uint *known = VISITED(&s, side);
	GLOBAL uint *next = VISITED(&s, !side);
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) {
		GLOBAL const uint *four = (GLOBAL const uint *)(bytes + w * 32); // bytes at a time
		uint found = 0;
		UNROLL for (uint i = 0; i < 8; i++) {
			uint x = four[i];
			found |= ((x | x >> 7 | x >> 14 | x >> 21) & 15) << (4 * i);
		}
		next[w] = known[w] | found;
	}
}
