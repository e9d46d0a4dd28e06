// layout.cu: from the list of edges to rows, still unsorted (kernel 1).
//
//  1. count: the degree of every vertex, loops left out.
//  2. select, sum_groups, number: which labels have a row, and its number. The
//     same kernels number the hubs.
//  3. row_places, sum_groups: where every row starts.
//  4. scatter: both ends of every edge into the rows, in no particular order.
//
// Prefix sums have two storeys: a warp sums a group of GROUP values, one block
// sums the groups.

KERNEL(256) count(GLOBAL const uint2 *edges, ulong n, GLOBAL uint *degree) {
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		if (e.x == e.y) continue;
		atomic_add32(degree + e.x, 1);
		atomic_add32(degree + e.y, 1);
	}
}

// count_degrees: total += |{v : degree[v] ≥ least}|
KERNEL(256) count_degrees(GLOBAL const uint *degree, uint n, uint least, GLOBAL ulong *total) {
	WARP_OPEN(warp);
	ulong mine = 0;
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) mine += degree[v] >= least;
	mine = warp_sum(warp, mine);
	if (LANE == 0 && mine != 0) atomic_add64(total, mine);
}

// select: index[w] = which of 32 vertices, if they are in [first, end), have a degree
// of at least least, and how many such lie before them in the group of GROUP words;
// sums[group] = all in it
KERNEL(256) select_least(GLOBAL const uint *degree, uint first, uint end, uint words, uint least, GLOBAL uint2 *index,
                         GLOBAL ulong *sums) {
	WARP_OPEN(warp);
	for (uint group = GRID_WARP; UNIFORM(group * GROUP < words); group += GRID_WARPS) {
		uint before = 0;
		for (uint i = 0; UNIFORM(i < GROUP); i++) {
			uint w = group * GROUP + i;
			if (w >= words) break;
			uint v = w * 32 + LANE;
			uint mask = warp_ballot(warp, v >= first && v < end && degree[v] >= least);
			if (LANE == 0) {
				uint2 word;
				word.x = mask;
				word.y = before;
				index[w] = word;
			}
			before += popcount32(mask);
		}
		if (LANE == 0) sums[group] = before;
	}
}

// sum_groups: sums[i] = sums[0] + … + sums[i-1] for i ≤ n, by one block
KERNEL(1024) sum_groups(GLOBAL ulong *sums, uint n) {
	WARP_OPEN(warp);
	__local ulong of_warp[BLOCK_WARPS];
	ulong carry = 0;
	for (uint first = 0; UNIFORM(first <= n); first += THREADS) {
		uint i = first + THREAD;
		ulong value = i < n ? sums[i] : 0, sum = value;
		for (uint step = 1; UNIFORM(step < 32); step <<= 1) {
			ulong below = warp_get64(warp, sum, LANE - step);
			if (LANE >= step) sum += below;
		}
		if (LANE == 31) of_warp[WARP] = sum;
		block_sync();
		for (uint w = 0; w < WARP; w++) sum += of_warp[w];
		if (i <= n) sums[i] = carry + sum - value;
		for (uint w = 0; w < WARPS; w++) carry += of_warp[w];
		block_sync();
	}
}

// number: adds the sums of the groups to the index and lists the vertices it
// holds, or notes their degrees as the lengths of their rows
KERNEL(256) number(GLOBAL uint2 *index, GLOBAL const ulong *sums, uint words, GLOBAL const uint *degree,
                   GLOBAL uint2 *place, uint want_place, GLOBAL uint *labels, uint want_labels) {
	WARP_OPEN(warp);
	for (uint w = GRID_WARP; UNIFORM(w < words); w += GRID_WARPS) {
		uint2 word = index[w];
		word.y += (uint)sums[w / GROUP];
		warp_sync(warp);
		if (LANE == 0) index[w] = word;
		uint at = word.y + popcount32(word.x & BELOW_LANE);
		if (word.x >> LANE & 1) {
			if (want_place) place[at].y = degree[w * 32 + LANE];
			if (want_labels) labels[at] = w * 32 + LANE;
		}
	}
}

// row_lengths: degree[first+i] += offsets[i+1] - offsets[i], i < n
KERNEL(256) row_lengths(GLOBAL const ulong *offsets, ulong first, ulong n, GLOBAL uint *degree) {
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) degree[first + i] += (uint)(offsets[i + 1] - offsets[i]);
}

// place_some gives places to the rows of a group whose lengths are from least to most,
// and returns where the next one would start.
INLINE ulong place_some(GLOBAL uint2 *place, uint n, uint first, uint least, uint most, ulong before, warp_t warp) {
	for (uint i = first; UNIFORM(i < first + GROUP); i += 32) {
		uint total, length = i + LANE < n ? place[i + LANE].y : 0;
		int chosen = i + LANE < n && length >= least && length <= most;
		uint within = warp_prefix(warp, chosen ? length : 0, &total);
		if (chosen) place[i + LANE].x = (uint)before + within;
		before += total;
	}
	return before;
}

// row_places: where each of n rows starts in its group, small ones first or all in order;
// sums[group] = its entries
KERNEL(256) row_places(GLOBAL uint2 *place, uint n, GLOBAL ulong *sums, uint in_order) {
	WARP_OPEN(warp);
	for (uint group = GRID_WARP; UNIFORM((ulong)group * GROUP < n); group += GRID_WARPS) {
		ulong all = place_some(place, n, group * GROUP, 0, in_order ? NONE : SMALL, 0, warp);
		WARP_IF(!in_order) all = place_some(place, n, group * GROUP, SMALL + 1, NONE, all, warp);
		if (LANE == 0) sums[group] = all;
	}
}

// put: only the vertices of this part have rows.
INLINE void put(const graph_t *g, GLOBAL uint *cursor, uint from, uint to) {
	if (!has_row(g, from)) return;
	uint row = row_of(g, from);
	ENTRY(g, row_at(g, row).start + atomic_add32(cursor + row, 1)) = to;
}

KERNEL(256) scatter(GLOBAL const uint2 *edges, ulong n, GLOBAL uint *cursor, GRAPH_PARAMS) {
	GRAPH_OPEN(g);
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint2 e = edges[i];
		if (e.x == e.y) continue;
		put(&g, cursor, e.x, e.y);
		put(&g, cursor, e.y, e.x);
	}
}
