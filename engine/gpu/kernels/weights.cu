// weights.cu: rows of a graph with weights, each in the order of its weights (kernel 1).
//
// The numbers of rows and their places are those of layout.cu. An entry is a neighbour
// and the bits of a weight, which are in the order of the weights because none is
// negative. Rows of up to SORTED entries are sorted by weight. Longer rows are in the order
// of the class of a weight, an eighth of an octave: nobody reads most of their entries,
// and whoever reads them compares the least weight of a class.
//
// A candidate is a vertex with what most pulls read of its row: the first entry, and the least
// weight of the others. Candidates are listed by the octave of the first weight.

#define CLASS_BITS 20
#define CLASSES 2048
#define OCTAVES 256
#define WAKE_CHUNK 4096 // rows that a block lists together, so that candidates stay near the order of labels
#define INFINITE 0x7f800000u // the bits of a weight that no edge has

typedef struct {
	GLOBAL const uint2 *index;
	GLOBAL const uint2 *place;
	GLOBAL const ulong *base;
	GLOBAL uint2 *entries;
} weighted_t;

#define WEIGHTED_PARAMS GLOBAL const uint2 *index, GLOBAL const uint2 *place, GLOBAL const ulong *base, GLOBAL uint2 *entries, uint rows

#define WEIGHTED_OPEN(g) \
	weighted_t g; \
	g.index = index; g.place = place; g.base = base; g.entries = entries

INLINE row_t weighted_at(const weighted_t *g, uint row) {
	uint2 place = g->place[row];
	row_t r;
	r.start = g->base[row / GROUP] + place.x;
	r.length = place.y;
	return r;
}

// row_number is the number of the row of a vertex, NONE if it has none.
INLINE uint row_number(const weighted_t *g, uint v) {
	uint2 word = g->index[v >> 5];
	return word.x >> (v & 31) & 1 ? word.y + popcount32(word.x & ((1u << (v & 31)) - 1)) : NONE;
}

// floor_of is the bits of a weight that no entry from this one on in its row is below.
INLINE uint floor_of(uint weight, uint length) { return length > SORTED ? weight & ~((1u << CLASS_BITS) - 1) : weight; }

// ceiling_of is the bits of a weight that no entry up to this one in its row is beyond.
INLINE uint ceiling_of(uint weight, uint length) { return length > SORTED ? weight | ((1u << CLASS_BITS) - 1) : weight; }

// generate_weights: weights[i] = that of edge(first + i), drawn after the edge, i < count
KERNEL(256) generate_weights(GLOBAL uint *weights, GLOBAL const uint *jumps, GLOBAL const ulong *keys, ulong first, ulong count,
                             uint scale, uint limit, uint z0, uint z1, uint z2, uint z3, uint z4) {
	ulong i = (ulong)GRID_WARP * 32 * EDGES_PER_LANE + LANE;
	if (i >= count) return;
	stream_t s = stream_at(jumps, first + i, z0, z1, z2, z3, z4);
	for (int j = 0; j < EDGES_PER_LANE && i < count; j++, i += 32) {
		stream_t of_edge = s;
		edge(&of_edge, keys, scale, limit);
		float drawn = (float)draw(&of_edge);
		weights[i] = float_bits((float)((double)drawn * 4.65661287524579692e-10));
		s = jump(jumps + 25 * 5, s);
	}
}

// count_side: the degrees of the first ends of n edges, if out, or of the second ends
KERNEL(256) count_side(GLOBAL const uint2 *edges, ulong n, uint out, GLOBAL uint *degree) {
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		if (e.x != e.y) atomic_add32(degree + (out ? e.x : e.y), 1);
	}
}

INLINE void put_weighted(const weighted_t *g, GLOBAL uint *cursor, uint from, uint to, uint weight) {
	uint row = row_number(g, from);
	uint2 entry;
	entry.x = to;
	entry.y = weight;
	g->entries[weighted_at(g, row).start + atomic_add32(cursor + row, 1)] = entry;
}

// scatter_weighted puts n edges into the rows of their first ends, if out, and of their
// second ends, if into.
KERNEL(256) scatter_weighted(GLOBAL const uint2 *edges, GLOBAL const uint *weights, ulong n, uint out, uint into, GLOBAL uint *cursor,
                             WEIGHTED_PARAMS) {
	WEIGHTED_OPEN(g);
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		if (e.x == e.y) continue;
		if (out) put_weighted(&g, cursor, e.x, e.y, weights[i]);
		if (into) put_weighted(&g, cursor, e.y, e.x, weights[i]);
	}
}

INLINE ulong weight_key(uint2 entry) { return (ulong)entry.y << 32 | entry.x; }

INLINE uint2 entry_of(ulong key) {
	uint2 entry;
	entry.x = (uint)key;
	entry.y = (uint)(key >> 32);
	return entry;
}

// weigh_short sorts the rows of up to 32 entries and lists the others.
KERNEL(256) weigh_short(GLOBAL uint *middle, GLOBAL uint *large, GLOBAL uint *counts, WEIGHTED_PARAMS) {
	WARP_OPEN(warp);
	WEIGHTED_OPEN(g);
	for (uint row = GRID_WARP; UNIFORM(row < rows); row += GRID_WARPS) {
		row_t r = weighted_at(&g, row);
		if (r.length > 32 && LANE == 0) {
			if (r.length > SORTED) large[atomic_add32(counts + 1, 1)] = row;
			else middle[atomic_add32(counts, 1)] = row;
		}
		uint length = r.length > 32 ? 0 : r.length, spot = 0;
		ulong key = LANE < length ? weight_key(entries[r.start + LANE]) : ~0ul;
		for (uint j = 0; UNIFORM(j < length); j++) {
			ulong other = warp_get64(warp, key, j);
			spot += other < key || (other == key && j < LANE);
		}
		warp_sync(warp);
		if (LANE < length) entries[r.start + spot] = entry_of(key);
	}
}

// weigh_middle sorts the rows of 33 to SORTED entries, a block for each.
KERNEL(128) weigh_middle(GLOBAL const uint *middle, uint n, WEIGHTED_PARAMS) {
	WEIGHTED_OPEN(g);
	__local ulong key[SORTED];
	for (uint m = BLOCK; UNIFORM(m < n); m += BLOCKS) {
		row_t r = weighted_at(&g, middle[m]);
		uint size = 64;
		while (size < r.length) size <<= 1;
		for (uint i = THREAD; i < size; i += THREADS) key[i] = i < r.length ? weight_key(entries[r.start + i]) : ~0ul;
		block_sync();
		bitonic(key, size);
		for (uint i = THREAD; i < r.length; i += THREADS) entries[r.start + i] = entry_of(key[i]);
		block_sync();
	}
}

// weigh_large orders the longer rows by class, a block for each, which has room entries
// in spare.
KERNEL(1024) weigh_large(GLOBAL const uint *large, uint n, GLOBAL uint2 *spare, ulong room, WEIGHTED_PARAMS) {
	WEIGHTED_OPEN(g);
	__local uint next[CLASSES];
	GLOBAL uint2 *mine = spare + (ulong)BLOCK * room;
	for (uint m = BLOCK; UNIFORM(m < n); m += BLOCKS) {
		row_t r = weighted_at(&g, large[m]);
		for (uint i = THREAD; i < CLASSES; i += THREADS) next[i] = 0;
		block_sync();
		for (uint i = THREAD; i < r.length; i += THREADS) {
			mine[i] = entries[r.start + i];
			local_add32(next + (mine[i].y >> CLASS_BITS), 1);
		}
		block_sync();
		if (THREAD == 0) {
			uint sum = 0;
			for (uint i = 0; i < CLASSES; i++) {
				uint count = next[i];
				next[i] = sum;
				sum += count;
			}
		}
		block_sync();
		for (uint i = THREAD; i < r.length; i += THREADS) entries[r.start + local_add32(next + (mine[i].y >> CLASS_BITS), 1)] = mine[i];
		block_sync();
	}
}

// weigh_classes: classes[c] += entries whose weight is of class c
KERNEL(1024) weigh_classes(GLOBAL const uint2 *entries, ulong n, GLOBAL ulong *classes) {
	__local uint counts[CLASSES];
	for (uint i = THREAD; i < CLASSES; i += THREADS) counts[i] = 0;
	block_sync();
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) local_add32(counts + (entries[i].y >> CLASS_BITS), 1);
	block_sync();
	for (uint i = THREAD; i < CLASSES; i += THREADS) {
		if (counts[i]) atomic_add64(classes + i, counts[i]);
	}
}

// weigh_rows: sums[0] += the squares of the lengths of rows; sums[1] = the length of the
// longest
KERNEL(256) weigh_rows(GLOBAL ulong *sums, WEIGHTED_PARAMS) {
	WEIGHTED_OPEN(g);
	ulong squares = 0;
	uint longest = 0;
	for (ulong row = GRID_THREAD; row < rows; row += GRID_THREADS) {
		ulong length = place[row].y;
		squares += length * length;
		if (length > longest) longest = (uint)length;
	}
	if (squares) atomic_add64(sums, squares);
	if (longest > ((GLOBAL volatile uint *)sums)[2]) atomic_max32((GLOBAL uint *)sums + 2, longest);
}

// wake_count: octaves[o] += candidates of octave o, octaves[OCTAVES + o] += entries of their rows
KERNEL(256) wake_count(GLOBAL ulong *octaves, WEIGHTED_PARAMS) {
	WEIGHTED_OPEN(g);
	__local uint candidates[OCTAVES];
	__local ulong degree[OCTAVES];
	for (uint i = THREAD; i < OCTAVES; i += THREADS) {
		candidates[i] = 0;
		degree[i] = 0;
	}
	block_sync();
	for (ulong row = GRID_THREAD; row < rows; row += GRID_THREADS) {
		row_t r = weighted_at(&g, (uint)row);
		if (!r.length) continue;
		uint octave = entries[r.start].y >> 23;
		local_add32(candidates + octave, 1);
		atomic_add64(degree + octave, r.length);
	}
	block_sync();
	for (uint i = THREAD; i < OCTAVES; i += THREADS) {
		if (!candidates[i]) continue;
		atomic_add64(octaves + i, candidates[i]);
		atomic_add64(octaves + OCTAVES + i, degree[i]);
	}
}

// wake_fill lists the candidates from next[octave] on: the neighbour and the weight of the first
// entry, the vertex, the least weight of the others. candidate_of[row] = where it is.
KERNEL(256) wake_fill(GLOBAL uint *next, GLOBAL const uint *labels, GLOBAL uint4 *candidates, GLOBAL uint *candidate_of, WEIGHTED_PARAMS) {
	WEIGHTED_OPEN(g);
	__local uint at[OCTAVES];
	for (ulong chunk = (ulong)BLOCK * WAKE_CHUNK; UNIFORM(chunk < rows); chunk += (ulong)BLOCKS * WAKE_CHUNK) {
		uint stop = rows - chunk < WAKE_CHUNK ? rows : (uint)chunk + WAKE_CHUNK;
		for (uint i = THREAD; i < OCTAVES; i += THREADS) at[i] = 0;
		block_sync();
		for (uint row = (uint)chunk + THREAD; row < stop; row += THREADS) {
			row_t r = weighted_at(&g, row);
			if (r.length) local_add32(at + (entries[r.start].y >> 23), 1);
		}
		block_sync();
		for (uint i = THREAD; i < OCTAVES; i += THREADS) {
			if (at[i]) at[i] = atomic_add32(next + i, at[i]);
		}
		block_sync();
		for (uint row = (uint)chunk + THREAD; row < stop; row += THREADS) {
			row_t r = weighted_at(&g, row);
			if (!r.length) continue;
			uint2 first = entries[r.start];
			uint spot = local_add32(at + (first.y >> 23), 1);
			uint4 w;
			w.x = first.x;
			w.y = first.y;
			w.z = labels[row];
			w.w = r.length > 1 ? floor_of(entries[r.start + 1].y, r.length) : INFINITE;
			candidates[spot] = w;
			candidate_of[row] = spot;
		}
		block_sync();
	}
}

// row_labels: labels[r] = the vertex of row r
KERNEL(256) row_labels(GLOBAL uint *labels, uint words, WEIGHTED_PARAMS) {
	WEIGHTED_OPEN(g);
	for (ulong v = GRID_THREAD; v < (ulong)words * 32; v += GRID_THREADS) {
		uint row = row_number(&g, (uint)v);
		if (row < rows) labels[row] = (uint)v;
	}
}
