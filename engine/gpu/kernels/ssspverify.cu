// ssspverify.cu: the benchmark's rules for shortest paths, checked against the list of
// edges with their weights. verify.cu has the passes that are those of a tree: levels,
// and marks. Package check says why these rules are enough.
//
// Distances have 32 bits here, in places as those of sssp.cu.

// verify_places takes parents apart from distances: the root alone has a level. A distance
// of a vertex in the tree is finite and not negative, that of the root 0.
KERNEL(256) verify_places(GLOBAL const ulong *place, uint n, uint root, GLOBAL uint2 *node, GLOBAL ulong *faults) {
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) {
		uint2 it;
		it.x = (uint)place[v];
		it.y = v == root ? 0 : NONE;
		node[v] = it;
		uint far = (uint)(place[v] >> 32);
		if (it.x != NONE && it.x >= n) atomic_add64(faults, 1);
		if ((it.x == (uint)v) != (v == root)) atomic_add64(faults, 1);
		if (it.x == NONE ? far != INFINITE : v == root ? far != 0 : far >= INFINITE) atomic_add64(faults, 1);
	}
}

// sum32 is a distance further on by a weight, rounded.
INLINE uint sum32(uint far, uint weight) { return float_bits(float_of(far) + float_of(weight)); }

// verify_tuples holds tuples against the distances. None leads out of the tree, none makes a
// distance shorter. A vertex is marked if a tuple from its parent makes its distance
// exactly. tally[at] += tuples of the component without loops, tally[at+1] += loops in it;
// of a directed graph, those that start in the tree.
KERNEL(256) verify_tuples(GLOBAL const uint2 *edges, GLOBAL const uint *weights, ulong n, uint directed, GLOBAL const ulong *place,
                          GLOBAL uint *joined, GLOBAL ulong *faults, uint at) {
	WARP_OPEN(warp);
	ulong tuples = 0, loops = 0;
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		uint weight = weights[i], a = (uint)(place[e.x] >> 32), b = (uint)(place[e.y] >> 32);
		if (a == INFINITE && (directed || b == INFINITE)) continue;
		uint forth = sum32(a, weight), back = sum32(b, weight);
		if (a == INFINITE || b == INFINITE || forth < b || (!directed && back < a)) {
			atomic_add64(faults + 1, 1);
			continue;
		}
		if (e.x == e.y) {
			loops++;
			continue;
		}
		tuples++;
		if (!directed && back == a && (uint)place[e.x] == e.y && !bit_of(joined, e.x)) atomic_or32(joined + (e.x >> 5), 1u << (e.x & 31));
		if (forth == b && (uint)place[e.y] == e.x && !bit_of(joined, e.y)) atomic_or32(joined + (e.y >> 5), 1u << (e.y & 31));
	}
	tuples = warp_sum(warp, tuples);
	loops = warp_sum(warp, loops);
	if (LANE == 0) {
		atomic_add64(faults + at, tuples);
		atomic_add64(faults + at + 1, loops);
	}
}
