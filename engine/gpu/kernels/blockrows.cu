// blockrows.cu: the rows and the columns of a block, from the list of all edges (kernel 1).
//
// Row v of the block is the vertex with the label first + v. A vertex has a number in the
// column if its granule of labels has one: above is how much higher its labels are, and
// NONE where the granule belongs to another column. The kernels of layout.cu and rows.cu
// make rows of the entries, with numbers where a graph has labels; here a row and a column
// of the same number are no loop.

// entry_of: where the entry that leads from u to v is in the block
INLINE int entry_of(uint u, uint v, uint first, uint height, GLOBAL const uint *above, uint granule, uint *row, uint *column) {
	*row = v - first;
	if (*row >= height) return 0;
	uint higher = above[u >> granule];
	*column = u - higher;
	return higher != NONE;
}

// block_lengths: entries of each row and of each column, duplicates included
KERNEL(256) block_lengths(GLOBAL const uint2 *edges, ulong n, uint directed, uint first, uint height, GLOBAL const uint *above,
                          uint granule, GLOBAL uint *of_row, GLOBAL uint *of_column) {
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		uint row, column;
		if (e.x == e.y) continue;
		if (entry_of(e.x, e.y, first, height, above, granule, &row, &column)) {
			atomic_add32(of_row + row, 1);
			atomic_add32(of_column + column, 1);
		}
		if (!directed && entry_of(e.y, e.x, first, height, above, granule, &row, &column)) {
			atomic_add32(of_row + row, 1);
			atomic_add32(of_column + column, 1);
		}
	}
}

// block_scatter: the entries into the rows, or into the columns, in no particular order
KERNEL(256) block_scatter(GLOBAL const uint2 *edges, ulong n, uint directed, uint first, uint height, GLOBAL const uint *above,
                          uint granule, uint columns, GLOBAL uint *cursor, GRAPH_PARAMS) {
	GRAPH_OPEN(g);
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		uint row, column;
		if (e.x == e.y) continue;
		if (entry_of(e.x, e.y, first, height, above, granule, &row, &column))
			put(&g, cursor, columns ? column : row, columns ? row : column);
		if (!directed && entry_of(e.y, e.x, first, height, above, granule, &row, &column))
			put(&g, cursor, columns ? column : row, columns ? row : column);
	}
}

// block_degrees: of[x] = the degree of the vertex with number x, whose label is by the
// granule of x above it; 0 for numbers without a vertex
KERNEL(256) block_degrees(GLOBAL const uint *degree, uint n, GLOBAL const uint *above, uint granule, GLOBAL uint *of, uint count) {
	for (ulong x = GRID_THREAD; x < count; x += GRID_THREADS) {
		ulong label = x + above[x >> granule];
		of[x] = label < n ? degree[label] : 0;
	}
}

// block_made: made[v] = the length of row v, and the degree of its first entry
KERNEL(256) block_made(GLOBAL const uint *degree, GLOBAL uint2 *made, uint height, GRAPH_PARAMS) {
	GRAPH_OPEN(g);
	for (ulong v = GRID_THREAD; v < height; v += GRID_THREADS) {
		uint2 it;
		it.x = it.y = 0;
		if (has_row(&g, (uint)v)) {
			row_t r = row_at(&g, row_of(&g, (uint)v));
			it.x = r.length;
			it.y = degree[ENTRY(&g, r.start)];
		}
		made[v] = it;
	}
}
