// block.cu: one block of a matrix and the state of its search, for ranks on a grid.
//
// A block leads from the vertices of its column, by number, to its rows, by number. It is
// two graphs: one has its rows, with columns as their entries, and the other its columns,
// with rows as theirs. A pass marks what it finds: found has a bit and parent a number in
// the column. block_unite takes the parent away again where a rank before this one has
// found the same row. A block counts its next frontier in words of the control that
// the steps do not use, and passes in the first level; all counts are 0 when a level begins.

INLINE void block_count(warp_t warp, ulong looked, GLOBAL ulong *count) {
	looked = warp_sum(warp, looked);
	if (LANE == 0 && looked) atomic_add64(count, looked);
}

// block_begin: nothing but the root is visited and in the frontier. NONE is a root elsewhere.
KERNEL(256) block_begin(GLOBAL uint *front, uint front_words, GLOBAL uint *visited, uint words, GLOBAL uint *parent,
                        GLOBAL uint *tree, uint vertices, uint root_column, uint root_row, uint root_place, uint root) {
	ulong rows = (ulong)words * 32;
	for (ulong i = GRID_THREAD; i < rows; i += GRID_THREADS) parent[i] = NONE;
	for (ulong i = GRID_THREAD; i < vertices; i += GRID_THREADS) tree[i] = i == root_place ? root : NONE;
	for (ulong i = GRID_THREAD; i < front_words; i += GRID_THREADS) front[i] = i == root_column >> 5 ? 1u << (root_column & 31) : 0;
	for (ulong i = GRID_THREAD; i < words; i += GRID_THREADS) visited[i] = i == root_row >> 5 ? 1u << (root_row & 31) : 0;
}

// block_queue: the columns of the frontier that are not empty; and found = visited, to
// which block_expand adds
KERNEL(1024) block_queue(SEARCH_PARAMS, GLOBAL const uint *front, GLOBAL uint *found, ulong part, uint row_words) {
	SEARCH_OPEN;
	for (ulong w = GRID_THREAD; w < row_words; w += GRID_THREADS) found[part + w] = s.visited0[w];
	for (ulong first = (ulong)GRID_WARP * 32; UNIFORM(first < g.words); first += (ulong)GRID_WARPS * 32) {
		uint w = (uint)first + LANE, n, at = 0, bits = w < g.words ? front[w] & g.index[w].x : 0;
		uint before = warp_prefix(warp, popcount32(bits), &n);
		if (LANE == 0 && n) at = atomic_add32(&s.levels->vertices, n);
		at = warp_get(warp, at, 0) + before;
		for (; bits; bits &= bits - 1) s.queue0[at++] = w * 32 + lowest_bit(bits);
	}
}

// block_expand: rows of the columns in the records join found
KERNEL(1024) block_expand(SEARCH_PARAMS, GLOBAL uint *found, ulong part) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	plan_t plan = plan_of_records(s.levels->records, 1);
	expand(&g, &s, found + part, 0, &plan, 0, s.levels, b, warp);
}

// block_bottom_up: found = rows that are not visited, asked for and have a column in the
// frontier
KERNEL(1024) block_bottom_up(SEARCH_PARAMS, GLOBAL const uint *front, GLOBAL const uint *asked, uint all, GLOBAL uint *found,
                             ulong part) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	pass_t pass = pass_over(s.visited0, found + part);
	pass.front = front;
	pass.only = all ? 0 : asked;
	pass.bare = 1;
	full(&g, &s, &pass, 0, 0, 0, 0, s.queue0, 0, s.levels, b, warp);
}

// block_extreme_scan: the whole grid looks along the rows that block_bottom_up left to it.
KERNEL(1024) block_extreme_scan(SEARCH_PARAMS, GLOBAL const uint *front, GLOBAL uint *found, ulong part) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	extreme_scan(&g, &s, front, found + part, s.levels, b, warp);
}

// block_admit: visited |= what the ranks of the row have found; another pass follows
KERNEL(256) block_admit(GLOBAL const uint *found, uint ranks, uint words, GLOBAL uint *visited, GLOBAL control_t *control) {
	if (GRID_THREAD == 0) ((GLOBAL level_t *)(control + 1))->extreme = 0;
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) {
		uint all = 0;
		for (uint j = 0; j < ranks; j++) all |= found[(ulong)j * words + w];
		visited[w] |= all;
	}
}

// block_unite: the union of what the ranks have found, in this pass and in the one before,
// is visited, and for the words of the piece it is the next frontier. Found may have rows
// that were visited before. A row belongs to the first rank that has found it: others forget
// their parent. The counts are vertices of the piece, and entries of the rows in every
// stride-th word of 64. The last block of the grid gives them to the host and clears them, or
// leaves both to bits_pack where answer_words is 0.
KERNEL(256) block_unite(SEARCH_PARAMS, GLOBAL const uint *found, GLOBAL const uint *earlier, uint two, uint ranks, uint me,
                        GLOBAL uint *next, uint piece, uint piece_words, uint column, GLOBAL const uint *out, uint directed,
                        uint stride, GLOBAL uint *answer, uint answer_words, uint ticket) {
	SEARCH_OPEN;
	__local uint is_last;
	GLOBAL ulong *counts = (GLOBAL ulong *)s.control + 2;
	ulong vertices = 0, edges = 0;
	for (ulong w = GRID_THREAD; w < g.words; w += GRID_THREADS) {
		uint all = 0, lost = 0, old = s.visited0[w];
		for (uint j = 0; j < ranks; j++) {
			uint theirs = found[(ulong)j * g.words + w] & ~old;
			if (j == me) lost = theirs & all;
			all |= theirs;
		}
		for (; lost; lost &= lost - 1) s.parent[w * 32 + lowest_bit(lost)] = NONE;
		for (uint j = 0; two && j < ranks; j++) all |= earlier[(ulong)j * g.words + w];
		int mine = w >= piece && w - piece < piece_words, sampled = (w >> 1) % stride == 0;
		if (mine) {
			next[column + (w - piece)] = all;
			vertices += popcount32(all);
		}
		if (!all) continue;
		s.visited0[w] = old | all;
		uint2 rows = g.index[w];
		for (uint bits = !sampled ? 0 : directed ? (mine ? all : 0) : all & rows.x; bits; bits &= bits - 1) {
			uint bit = lowest_bit(bits);
			edges += directed ? out[(w - piece) * 32 + bit] : g.place[rows.y + popcount32(rows.x & ((1u << bit) - 1))].y;
		}
	}
	block_count(warp, vertices, counts);
	block_count(warp, edges * stride, counts + 1);
	if (THREAD == 0) is_last = 0;
	if (!answer_words) return;
	grid_exit(&s.control->arrivals, &is_last, answer, answer_words, ticket);
	for (uint i = THREAD; is_last && i < answer_words; i += THREADS) (&s.control->arrivals)[i] = 0;
}

// block_adopt: the vertices of the piece get the labels of the parents that some rank has.
KERNEL(256) block_adopt(GLOBAL const uint *parent, ulong piece, GLOBAL const uint *inbox, ulong each, uint ranks, uint me,
                        GLOBAL const uint *labels, uint granules, uint shift, GLOBAL uint *tree, uint vertices) {
	for (ulong v = GRID_THREAD; v < vertices; v += GRID_THREADS) {
		for (uint j = 0; j < ranks; j++) {
			uint mark = j == me ? parent[piece + v] : inbox[j * each + v];
			if (mark != NONE) tree[v] = mark + labels[j * granules + (mark >> shift)];
		}
	}
}
