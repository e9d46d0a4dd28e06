// block.cu: one block of a matrix and the state of its search, for ranks on a grid.
//
// A block leads from the vertices of its column, by number, to its rows, by number. Its
// columns and its rows are each a list of lines that are not empty: line k is number[k] and
// has entry[first[k] … first[k+1]). A pass marks what it finds: found[v] is set and
// parent[v] is a number in the column. block_unite takes the parent away again where a rank
// before this one has found the same row.

INLINE int block_bit(GLOBAL const uint *set, uint i) { return set[i >> 5] >> (i & 31) & 1; }

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

// block_clear: nothing is found yet
KERNEL(256) block_clear(GLOBAL uint *found, ulong place, uint words) {
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) found[place + w] = 0;
}

// block_top_down: found |= rows of the columns in the frontier that are not visited.
// A warp takes 32 columns at a time; its lanes read each of those in the frontier
// together.
KERNEL(256) block_top_down(GLOBAL const uint *number, GLOBAL const ulong *first, GLOBAL const uint *entry, uint lines,
                           GLOBAL const uint *front, GLOBAL const uint *visited, GLOBAL uint *found, ulong place,
                           GLOBAL uint *parent, GLOBAL ulong *counts) {
	WARP_OPEN(warp);
	ulong looked = 0;
	found += place;
	for (ulong base = (ulong)GRID_WARP * 32; UNIFORM(base < lines); base += (ulong)GRID_WARPS * 32) {
		uint k = (uint)base + LANE;
		uint todo = warp_ballot(warp, k < lines && block_bit(front, number[k < lines ? k : 0]));
		while (UNIFORM(todo)) {
			uint line = (uint)base + lowest_bit(todo);
			todo &= todo - 1;
			uint u = number[line];
			for (ulong i = first[line] + LANE; i < first[line + 1]; i += 32) {
				uint v = entry[i];
				looked++;
				if (block_bit(visited, v) || block_bit(found, v)) continue;
				if (!(atomic_or32(found + (v >> 5), 1u << (v & 31)) >> (v & 31) & 1)) parent[v] = u;
			}
		}
	}
	block_count(warp, looked, counts + 2);
}

// block_bottom_up: found |= rows that are not visited, asked for and have a column in the
// frontier. A lane looks along its row until it finds one.
KERNEL(256) block_bottom_up(GLOBAL const uint *number, GLOBAL const ulong *first, GLOBAL const uint *entry, uint lines,
                            GLOBAL const uint *front, GLOBAL const uint *visited, GLOBAL const uint *home, uint asked,
                            GLOBAL uint *found, ulong place, GLOBAL uint *parent, GLOBAL ulong *counts) {
	WARP_OPEN(warp);
	ulong looked = 0;
	found += place;
	for (ulong k = GRID_THREAD; k < lines; k += GRID_THREADS) {
		uint v = number[k];
		if (block_bit(visited, v) || (asked && block_bit(home, v) != (asked == 1))) continue;
		ulong i = first[k], end = first[k + 1];
		for (; i < end && !block_bit(front, entry[i]); i++) looked++;
		if (i == end) continue;
		looked++;
		parent[v] = entry[i];
		atomic_or32(found + (v >> 5), 1u << (v & 31));
	}
	block_count(warp, looked, counts + 2);
}

// block_admit: visited |= what the ranks of the row have found
KERNEL(256) block_admit(GLOBAL const uint *found, uint ranks, uint words, GLOBAL uint *visited) {
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) {
		uint all = 0;
		for (uint j = 0; j < ranks; j++) all |= found[(ulong)j * words + w];
		visited[w] |= all;
	}
}

// block_unite: the union of what the ranks have found, in this pass and in the one before,
// is visited, and for the words of the piece it is the next frontier. A row belongs to the
// first rank that has found it: others forget their parent. counts are vertices of the
// piece, and entries of the rows in every stride-th word of 64.
KERNEL(256) block_unite(GLOBAL const uint *found, GLOBAL const uint *earlier, uint two, uint ranks, uint me, uint words,
                        GLOBAL uint *visited, GLOBAL uint *parent, GLOBAL uint *next, uint piece, uint piece_words, uint column,
                        GLOBAL const uint2 *index, GLOBAL const ulong *first, GLOBAL const uint *out, uint directed, uint stride,
                        GLOBAL ulong *counts) {
	WARP_OPEN(warp);
	ulong vertices = 0, edges = 0;
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) {
		uint all = 0, lost = 0;
		for (uint j = 0; j < ranks; j++) {
			uint theirs = found[(ulong)j * words + w];
			if (j == me) lost = theirs & all;
			all |= theirs;
		}
		for (; lost; lost &= lost - 1) parent[w * 32 + lowest_bit(lost)] = NONE;
		for (uint j = 0; two && j < ranks; j++) all |= earlier[(ulong)j * words + w];
		int mine = w >= piece && w - piece < piece_words, sampled = (w >> 1) % stride == 0;
		if (mine) {
			next[column + (w - piece)] = all;
			vertices += popcount32(all);
		}
		if (!all) continue;
		visited[w] |= all;
		if (directed && !(mine && sampled)) continue;
		uint2 rows = index[w];
		for (uint bits = sampled ? all & (directed ? ~0u : rows.x) : 0; bits; bits &= bits - 1) {
			uint bit = lowest_bit(bits);
			ulong k = rows.y + popcount32(rows.x & ((1u << bit) - 1));
			edges += directed ? out[(w - piece) * 32 + bit] : first[k + 1] - first[k];
		}
	}
	block_count(warp, vertices, counts);
	block_count(warp, edges * stride, counts + 1);
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
