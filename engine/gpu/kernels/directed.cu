// directed.cu: what a directed graph needs beyond the kernels of an undirected one.
//
// A directed graph has two sets of rows. The rows into the vertices are the graph of the
// other kernels: vertices without an edge into them have no row, and no
// level finds them. The rows out of the vertices have an index of their own: every vertex
// with an edge has a row there, which is empty where no edge leads out. Vertices without
// any edge count as visited; all others do not, until they are found.

// count_directed: how many edges lead into every vertex, and out of it, loops left out
KERNEL(256) count_directed(GLOBAL const uint2 *edges, ulong n, GLOBAL uint *in_degree, GLOBAL uint *out_degree) {
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		if (e.x == e.y) continue;
		atomic_add32(out_degree + e.x, 1);
		atomic_add32(in_degree + e.y, 1);
	}
}

// scatter_directed: one end of every edge into the rows of the other
KERNEL(256) scatter_directed(GLOBAL const uint2 *edges, ulong n, uint into, GLOBAL uint *cursor, GRAPH_PARAMS) {
	GRAPH_OPEN(g);
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		if (e.x == e.y) continue;
		if (into) put(&g, cursor, e.y, e.x);
		else put(&g, cursor, e.x, e.y);
	}
}

// OUT_PARAMS are the rows out of the vertices.
#define OUT_PARAMS \
	GLOBAL const uint2 *out_index, GLOBAL uint2 *out_place, GLOBAL const ulong *out_base, GLOBAL uint *out_part0, \
	GLOBAL uint *out_part1, GLOBAL uint *out_part2, GLOBAL uint *out_part3, uint out_shift, uint out_rows

#define OUT_OPEN(out, g) \
	graph_t out = g; \
	out.index = out_index; out.place = out_place; out.base = out_base; \
	out.entries[0] = out_part0; out.entries[1] = out_part1; out.entries[2] = out_part2; out.entries[3] = out_part3; \
	out.shift = out_shift; out.rows = out_rows

// search_all_directed is search_all for a directed graph.
KERNEL(1024) search_all_directed(SEARCH_PARAMS, OUT_PARAMS, ulong edges, uint resume, uint level_count, uint patience,
                                 uint alpha, uint beta, uint dense, uint hot_step, GLOBAL uint *reply_words, uint reply_count,
                                 uint ticket) {
	SEARCH_OPEN;
	OUT_OPEN(out, g);
	BLOCK_OPEN(b);
	POLICY_OPEN(p);
	REPLY_OPEN(reply);
	search(&g, &out, &s, edges, resume, level_count, patience, p, reply, b, warp);
}
