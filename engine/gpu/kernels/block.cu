// block.cu: the exploration of one block of a matrix, for ranks on a grid.
//
// A block leads from the vertices of its columns, by label, to its rows, by number.
// Its columns and its rows are each a list of lines that are not empty: line k is
// number[k] and has entry[first[k] … first[k+1]). Both mark: out[v] is set and
// parent[v] is a label.

INLINE int block_bit(GLOBAL const uint *set, uint i) { return set[i >> 5] >> (i & 31) & 1; }

INLINE void block_count(warp_t warp, ulong looked, GLOBAL ulong *examined) {
	looked = warp_sum(warp, looked);
	if (LANE == 0 && looked) atomic_add64(examined, looked);
}

// block_top_down: out |= rows of the columns in the frontier that are not visited.
// A warp takes 32 columns at a time; its lanes read each of those in the frontier
// together.
KERNEL(256) block_top_down(GLOBAL const uint *number, GLOBAL const ulong *first, GLOBAL const uint *entry, uint lines,
                           GLOBAL const uint *front, GLOBAL const uint *visited, GLOBAL uint *out, GLOBAL uint *parent,
                           GLOBAL ulong *examined) {
	WARP_OPEN(warp);
	ulong looked = 0;
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
				if (block_bit(visited, v) || block_bit(out, v)) continue;
				if (!(atomic_or32(out + (v >> 5), 1u << (v & 31)) >> (v & 31) & 1)) parent[v] = u;
			}
		}
	}
	block_count(warp, looked, examined);
}

// block_bottom_up: out |= rows that are not closed and have a column in the
// frontier. A lane looks along its row until it finds one.
KERNEL(256) block_bottom_up(GLOBAL const uint *number, GLOBAL const ulong *first, GLOBAL const uint *entry, uint lines,
                            GLOBAL const uint *front, GLOBAL const uint *closed, GLOBAL uint *out, GLOBAL uint *parent,
                            GLOBAL ulong *examined) {
	WARP_OPEN(warp);
	ulong looked = 0;
	for (ulong k = GRID_THREAD; k < lines; k += GRID_THREADS) {
		uint v = number[k];
		if (block_bit(closed, v)) continue;
		for (ulong i = first[k]; i < first[k + 1]; i++) {
			uint u = entry[i];
			looked++;
			if (!block_bit(front, u)) continue;
			parent[v] = u;
			atomic_or32(out + (v >> 5), 1u << (v & 31));
			break;
		}
	}
	block_count(warp, looked, examined);
}
