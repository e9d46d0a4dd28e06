// handover.cu: what the device is told of a search that was run elsewhere.

// step_take: vertices that others found join the tree, each with its parent. They
// and then their parents lie where records will be; the last are the frontier.
KERNEL(1024) step_take(SEARCH_PARAMS, uint side, uint queue_side, uint count, uint frontier) {
	STATE_OPEN(s);
	GLOBAL const uint *found = (GLOBAL const uint *)s.records, *from = found + count;
	GLOBAL uint *visited = VISITED(&s, side), *queue = QUEUE(&s, queue_side);
	for (ulong i = GRID_THREAD; i < count; i += GRID_THREADS) {
		uint v = found[i];
		s.parent[v] = from[i];
		atomic_or32(visited + (v >> 5), 1u << (v & 31));
		if (i + frontier >= count) queue[i + frontier - count] = v;
	}
}
