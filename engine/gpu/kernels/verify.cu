// verify.cu: the benchmark's rules for a tree, checked against the list of edges.
//
// Nothing here reads the rows that a search uses. Levels are rebuilt from the
// parents alone, round by round, so that a cycle never gets a level; then every
// tuple of the list is held against them, and marks those whose parent it joins.
//
//   faults[0]  parents out of range, or in no tree          (rules 1, 2)
//   faults[1]  tuples with one end outside, or ends more
//              than one level apart                         (rules 3, 4)
//   faults[2]  vertices with no tuple to their parent       (rule 5)

// verify_seed: the root alone has a level.
KERNEL(256) verify_seed(GLOBAL const uint *parent, uint n, uint root, GLOBAL uint *level, GLOBAL ulong *faults) {
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		level[v] = NONE;
		if (parent[v] != NONE && parent[v] >= n) atomic_add64(faults, 1);
		if ((parent[v] == (uint)v) != (v == root)) atomic_add64(faults, 1);
		if (v == root) level[v] = 0;
	}
}

// verify_round: a vertex whose parent has level depth-1 has level depth.
KERNEL(256) verify_round(GLOBAL const uint *parent, uint n, uint depth, GLOBAL uint *level, GLOBAL ulong *tally, uint at) {
	WARP_OPEN(warp);
	ulong mine = 0;
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		uint p = parent[v];
		if (level[v] != NONE || p >= n || level[p] != depth - 1) continue;
		level[v] = depth;
		mine++;
	}
	mine = warp_sum(warp, mine);
	if (LANE == 0 && mine) atomic_add64(tally + at, mine);
}

// verify_edges: faults[at] += tuples of the component without loops, faults[at+1]
// += loops in it
KERNEL(256) verify_edges(GLOBAL const uint2 *edges, ulong n, GLOBAL const uint *parent, GLOBAL const uint *level,
                         GLOBAL uint *joined, GLOBAL ulong *faults, uint at) {
	WARP_OPEN(warp);
	ulong tuples = 0, loops = 0;
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		uint a = level[e.x], b = level[e.y];
		if (a == NONE && b == NONE) continue;
		if (a == NONE || b == NONE || (a > b ? a - b : b - a) > 1) {
			atomic_add64(faults + 1, 1);
			continue;
		}
		if (e.x == e.y) {
			loops++;
			continue;
		}
		tuples++;
		if (parent[e.x] == e.y && !bit_of(joined, e.x)) atomic_or32(joined + (e.x >> 5), 1u << (e.x & 31));
		if (parent[e.y] == e.x && !bit_of(joined, e.y)) atomic_or32(joined + (e.y >> 5), 1u << (e.y & 31));
	}
	tuples = warp_sum(warp, tuples);
	loops = warp_sum(warp, loops);
	if (LANE == 0) {
		atomic_add64(faults + at, tuples);
		atomic_add64(faults + at + 1, loops);
	}
}

// verify_marks: every vertex with a parent has a level and a tuple to its parent.
KERNEL(256) verify_marks(GLOBAL const uint *parent, uint n, uint root, GLOBAL const uint *level, GLOBAL const uint *joined,
                         GLOBAL ulong *faults) {
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		if (parent[v] == NONE) continue;
		if (level[v] == NONE) atomic_add64(faults, 1);
		if (v != root && !bit_of(joined, (uint)v)) atomic_add64(faults + 2, 1);
	}
}
