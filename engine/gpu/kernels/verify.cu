// verify.cu: the benchmark's rules for a tree, checked against the list of edges.
//
// Nothing here reads the rows that a search uses. Levels are rebuilt from the
// parents alone, round by round, so that a cycle never gets a level; then every
// tuple of the list is held against them, and marks those whose parent it joins.
//
// A node is a vertex's parent and level, in one sector of memory: tuples come in no
// order, and each look at an end of one is a random access.
//
//   faults[0]  parents out of range, or in no tree          (rules 1, 2)
//   faults[1]  tuples with one end outside, or ends more
//              than one level apart                         (rules 3, 4)
//   faults[2]  vertices with no tuple to their parent       (rule 5)
//
// A directed tuple binds its second end only: that end is in the tree if the first is,
// at most one level below it, and the first may be its parent.

// verify_seed: the root alone has a level.
KERNEL(256) verify_seed(GLOBAL const uint *parent, uint n, uint root, GLOBAL uint2 *node, GLOBAL ulong *faults) {
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		uint2 it;
		it.x = parent[v];
		it.y = v == root ? 0 : NONE;
		node[v] = it;
		if (it.x != NONE && it.x >= n) atomic_add64(faults, 1);
		if ((it.x == (uint)v) != (v == root)) atomic_add64(faults, 1);
	}
}

// verify_round: a vertex whose parent has level depth-1 has level depth.
KERNEL(256) verify_round(GLOBAL uint2 *node, uint n, uint depth, GLOBAL ulong *tally, uint at) {
	WARP_OPEN(warp);
	ulong mine = 0;
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		uint2 it = node[v];
		if (it.y != NONE || it.x >= n || node[it.x].y != depth - 1) continue;
		node[v].y = depth;
		mine++;
	}
	mine = warp_sum(warp, mine);
	if (LANE == 0 && mine) atomic_add64(tally + at, mine);
}

// verify_edges: faults[at] += tuples of the component without loops, faults[at+1]
// += loops in it; of a directed graph, those that start in the tree
KERNEL(256) verify_edges(GLOBAL const uint2 *edges, ulong n, uint directed, GLOBAL const uint2 *node, GLOBAL uint *joined,
                         GLOBAL ulong *faults, uint at) {
	WARP_OPEN(warp);
	ulong tuples = 0, loops = 0;
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i], a = node[e.x], b = node[e.y];
		if (a.y == NONE && (directed || b.y == NONE)) continue;
		if (a.y == NONE || b.y == NONE || b.y > a.y + 1 || (!directed && a.y > b.y + 1)) {
			atomic_add64(faults + 1, 1);
			continue;
		}
		if (e.x == e.y) {
			loops++;
			continue;
		}
		tuples++;
		if (!directed && a.x == e.y && !bit_of(joined, e.x)) atomic_or32(joined + (e.x >> 5), 1u << (e.x & 31));
		if (b.x == e.x && !bit_of(joined, e.y)) atomic_or32(joined + (e.y >> 5), 1u << (e.y & 31));
	}
	tuples = warp_sum(warp, tuples);
	loops = warp_sum(warp, loops);
	if (LANE == 0) {
		atomic_add64(faults + at, tuples);
		atomic_add64(faults + at + 1, loops);
	}
}

// verify_marks: every vertex with a parent has a level and a tuple to its parent.
KERNEL(256) verify_marks(GLOBAL const uint2 *node, uint n, uint root, GLOBAL const uint *joined, GLOBAL ulong *faults) {
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		uint2 it = node[v];
		if (it.x == NONE) continue;
		if (it.y == NONE) atomic_add64(faults, 1);
		if (v != root && !bit_of(joined, (uint)v)) atomic_add64(faults + 2, 1);
	}
}

// verify_joined: joined = vertices with a tuple to another vertex
KERNEL(256) verify_joined(GLOBAL const uint2 *edges, ulong n, GLOBAL uint *joined) {
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		if (e.x == e.y) continue;
		if (!bit_of(joined, e.x)) atomic_or32(joined + (e.x >> 5), 1u << (e.x & 31));
		if (!bit_of(joined, e.y)) atomic_or32(joined + (e.y >> 5), 1u << (e.y & 31));
	}
}
