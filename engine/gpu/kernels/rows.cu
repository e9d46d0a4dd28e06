// rows.cu: neighbours in falling order of degree, each once (kernel 1).
//
// Bottom-up, the first neighbour that is visited ends the look at a row, and the
// heaviest neighbour is the likeliest to be visited. Rows of up to 32 entries are
// sorted by a warp, each lane counting the entries before its own; rows up to
// SORTED by a block, bitonically in LOCAL memory. Longer rows belong to hubs,
// which are found before it would matter: they only get their heaviest neighbour
// in front. But their edges are those that a large top-down level looks at, and up to
// half of them are there several times: a bitmap of the row's neighbours finds them.

#define SORTED 4096

// A key orders by falling degree, then by label.
INLINE ulong row_key(GLOBAL const uint *degree, uint v) { return (ulong)~degree[v] << 32 | v; }

// sort_short sorts the rows of up to 32 entries and lists the others.
KERNEL(256) sort_short(GLOBAL const uint *degree, GLOBAL uint *middle, GLOBAL uint *large, GLOBAL uint *counts, GRAPH_PARAMS) {
	WARP_OPEN(warp);
	GRAPH_OPEN(g);
	__local ulong sorted[BLOCK_WARPS * 32];
	LOCAL ulong *mine = sorted + WARP * 32;
	for (uint row = GRID_WARP; UNIFORM(row < rows); row += GRID_WARPS) {
		row_t r = row_at(&g, row);
		ulong start = r.start;
		uint length = r.length;
		if (length > 32) {
			if (LANE == 0) {
				if (length > SORTED) large[atomic_add32(counts + 1, 1)] = row;
				else middle[atomic_add32(counts, 1)] = row;
			}
			continue;
		}
		ulong key = LANE < length ? row_key(degree, ENTRY(&g, start + LANE)) : ~0ul;
		uint place = 0;
		for (uint j = 0; UNIFORM(j < length); j++) {
			ulong other = warp_get64(warp, key, j);
			place += other < key || (other == key && j < LANE);
		}
		warp_sync(warp);
		if (LANE < length) mine[place] = key;
		warp_sync(warp);
		ulong it = LANE < length ? mine[LANE] : ~0ul;
		int first = LANE < length && (LANE == 0 || mine[LANE - 1] != it);
		uint firsts = warp_ballot(warp, first);
		if (LANE == 0) g.place[row].y = popcount32(firsts);
		if (first) ENTRY(&g, start + popcount32(firsts & BELOW_LANE)) = (uint)it;
		warp_sync(warp);
	}
}

// bitonic sorts n keys, n a power of two, by the whole block.
INLINE void bitonic(LOCAL ulong *key, uint n) {
	for (uint size = 2; UNIFORM(size <= n); size <<= 1) {
		for (uint step = size >> 1; UNIFORM(step > 0); step >>= 1) {
			for (uint i = THREAD; i < n / 2; i += THREADS) {
				uint low = 2 * i - (i & (step - 1)), high = low + step;
				ulong a = key[low], b = key[high];
				if ((a > b) == ((low & size) == 0)) {
					key[low] = b;
					key[high] = a;
				}
			}
			block_sync();
		}
	}
}

// sort_middle sorts the rows of 33 to SORTED entries, a block for each.
KERNEL(128) sort_middle(GLOBAL const uint *degree, GLOBAL const uint *middle, uint n, GRAPH_PARAMS) {
	WARP_OPEN(warp);
	GRAPH_OPEN(g);
	__local ulong key[SORTED];
	for (uint m = BLOCK; UNIFORM(m < n); m += BLOCKS) {
		ulong start = row_at(&g, middle[m]).start;
		uint length = row_at(&g, middle[m]).length, size = 64;
		while (size < length) size <<= 1;
		for (uint i = THREAD; i < size; i += THREADS) key[i] = i < length ? row_key(degree, ENTRY(&g, start + i)) : ~0ul;
		block_sync();
		bitonic(key, size);
		if (WARP == 0) { // copy each key once
			uint kept = 0;
			for (uint i = LANE; i < size; i += 32) {
				int first = i < length && (i == 0 || key[i - 1] != key[i]);
				uint firsts = warp_ballot(warp, first);
				if (first) ENTRY(&g, start + kept + popcount32(firsts & BELOW_LANE)) = (uint)key[i];
				kept += popcount32(firsts);
			}
			if (LANE == 0) g.place[middle[m]].y = kept;
		}
		block_sync();
	}
}

// unique_large keeps each neighbour of a hub once, a block for each hub. Every block has
// a bitmap of all neighbours in seen, with no bit set before and after.
KERNEL(1024) unique_large(GLOBAL const uint *large, uint n, GLOBAL uint *seen, uint seen_words, GRAPH_PARAMS) {
	WARP_OPEN(warp);
	GRAPH_OPEN(g);
	__local uint kept;
	GLOBAL uint *mine = seen + (ulong)BLOCK * seen_words;
	for (uint m = BLOCK; UNIFORM(m < n); m += BLOCKS) {
		row_t r = row_at(&g, large[m]);
		if (THREAD == 0) kept = 0;
		for (uint first = 0; UNIFORM(first < r.length); first += THREADS) {
			uint u = first + THREAD < r.length ? ENTRY(&g, r.start + first + THREAD) : 0, at = 0;
			block_sync(); // all have read theirs: what is kept can move to the front
			uint old = or_if(mine + (u >> 5), 1u << (u & 31), first + THREAD < r.length);
			int fresh = !(old >> (u & 31) & 1);
			uint all = warp_ballot(warp, fresh);
			if (LANE == 0 && all) at = local_add32(&kept, popcount32(all));
			at = warp_get(warp, at, 0) + popcount32(all & BELOW_LANE);
			if (fresh) ENTRY(&g, r.start + at) = u;
		}
		block_sync();
		uint length = kept;
		if (THREAD == 0) g.place[large[m]].y = length;
		for (uint i = THREAD; i < length; i += THREADS) mine[ENTRY(&g, r.start + i) >> 5] = 0;
		block_sync();
	}
}

// lead_large puts the heaviest neighbour of a hub in front, a block for each hub.
KERNEL(1024) lead_large(GLOBAL const uint *degree, GLOBAL const uint *large, uint n, GRAPH_PARAMS) {
	GRAPH_OPEN(g);
	__local ulong best[1024];
	__local uint spot[1024];
	for (uint m = BLOCK; UNIFORM(m < n); m += BLOCKS) {
		ulong start = row_at(&g, large[m]).start;
		uint length = row_at(&g, large[m]).length;
		best[THREAD] = ~0ul;
		spot[THREAD] = 0;
		for (uint i = THREAD; i < length; i += THREADS) {
			ulong key = row_key(degree, ENTRY(&g, start + i));
			if (key < best[THREAD]) {
				best[THREAD] = key;
				spot[THREAD] = i;
			}
		}
		block_sync();
		for (uint span = THREADS >> 1; UNIFORM(span > 0); span >>= 1) {
			if (THREAD < span && best[THREAD + span] < best[THREAD]) {
				best[THREAD] = best[THREAD + span];
				spot[THREAD] = spot[THREAD + span];
			}
			block_sync();
		}
		if (THREAD == 0) {
			uint first = ENTRY(&g, start);
			ENTRY(&g, start) = (uint)best[0];
			ENTRY(&g, start + spot[0]) = first;
		}
		block_sync();
	}
}

// heads: first[r] = first entry of row r and whether it is the only one,
// first_hot[r] = its number among the hubs
KERNEL(256) heads(GLOBAL uint *first, GLOBAL ushort *first_hot, GLOBAL const uint2 *hub_index, GRAPH_PARAMS) {
	GRAPH_OPEN(g);
	for (ulong row = GRID_THREAD; row < rows; row += GRID_THREADS) {
		row_t r = row_at(&g, (uint)row);
		uint v = ENTRY(&g, r.start);
		uint2 word = hub_index[v >> 5];
		uint below = popcount32(word.x & ((1u << (v & 31)) - 1));
		first[row] = v | (r.length == 1 ? LEAF : 0);
		first_hot[row] = word.x >> (v & 31) & 1 ? (ushort)(word.y + below) : (ushort)NO_HUB;
	}
}
