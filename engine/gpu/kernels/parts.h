// parts.h: the addresses of the arrays of all parts of a search, a barrier, and counts.
//
// Every part counts two records for a level: its own frontier and what the step did, then
// what the step found. In a launch of one block, as OpenCL, that block searches all
// parts, one after the other.

#define SAME_LEVEL (2 * depth)
#define FOUND_LEVEL (2 * depth + 1)
#define NEXT_LEVEL (2 * depth + 2)
#define KEPT_LEVEL(level_count) (2 * (level_count) + 1) // a frontier between two launches

// parts_t is what the parts of a search share, as a block sees it.
typedef struct {
	const graph_t *g, *out; // rows of the parts of this launch
	const state_t *s;       // arrays of the first of them; the arrays of the others follow
	LOCAL block_t *b;
	GLOBAL level_t *levels; // likewise
	GLOBAL const ulong *peers;
	ulong queue_stride, record_stride, extreme_stride;
	uint level_count;
	uint parts, first, mine; // parts in all; first and number of those of this launch
	uint from, until;        // those of this block, within the launch
	uint part_blocks, rank;         // blocks of a part, and the place of this block among them
	uint launches, launch, target, epoch; // of the barrier
	uint rows, directed;     // of all parts
	uint outdated, closed;
	uint shown;              // words that each part showed the others in this level, of all parts together
	control_t c;
	policy_t p;
} parts_t;

#define EACH_PART(a, i) for (uint i = (a)->from; UNIFORM(i < (a)->until); i++)

// part_of is the state of a part of this launch.
INLINE state_t part_of(const parts_t *a, uint i) {
	state_t s = *a->s;
	ulong words = a->g->words, list = (ulong)a->part_blocks * s.capacity;
	s.visited0 += i * words;
	s.visited1 += i * words;
	s.queue0 += i * a->queue_stride;
	s.queue1 += i * a->queue_stride;
	s.records += i * a->record_stride;
	s.list0 += i * list;
	s.list1 += i * list;
	s.lengths += i * 2 * a->part_blocks;
	s.extreme += i * a->extreme_stride;
	s.levels = a->levels + (ulong)i * (2 * a->level_count + 2);
	s.own_first = first_word(a->g->words, a->first + i, a->parts);
	s.own_end = first_word(a->g->words, a->first + i + 1, a->parts);
	s.block = a->rank;
	s.blocks = a->part_blocks;
	s.parts = a->parts;
	s.peers = a->launches > 1 ? a->peers : 0;
	return s;
}

// Arrays of any part: of this launch, or of a peer's memory.
INLINE ulong peer(const parts_t *a, uint q, uint array) { return a->peers[q * PEER_ARRAYS + array]; }

INLINE GLOBAL uint *visited_of(const parts_t *a, uint q, uint side) {
	if (a->launches == 1) return VISITED(a->s, side) + (ulong)q * a->g->words;
	return (GLOBAL uint *)peer(a, q, side ? PEER_VISITED1 : PEER_VISITED0);
}

INLINE GLOBAL uint *found_of(const parts_t *a, uint q) {
	return a->launches == 1 ? a->s->queue1 + q * a->queue_stride : (GLOBAL uint *)peer(a, q, PEER_FOUND);
}

INLINE GLOBAL uint *list_of(const parts_t *a, uint q, uint side) {
	if (a->launches == 1) return LIST(a->s, side) + (ulong)q * a->part_blocks * a->s->capacity;
	return (GLOBAL uint *)peer(a, q, side ? PEER_LIST1 : PEER_LIST0);
}

INLINE GLOBAL uint *lengths_of(const parts_t *a, uint q) {
	return a->launches == 1 ? a->s->lengths + q * 2 * a->part_blocks : (GLOBAL uint *)peer(a, q, PEER_LENGTHS);
}

INLINE GLOBAL level_t *levels_of(const parts_t *a, uint q) {
	if (a->launches == 1) return a->levels + (ulong)q * (2 * a->level_count + 2);
	return (GLOBAL level_t *)peer(a, q, PEER_LEVELS);
}

#ifdef __OPENCL_VERSION__
INLINE void parts_sync(parts_t *a) { block_sync(); }
#else
INLINE uint *flags_of(const parts_t *a, uint launch) { return (uint *)a->peers[a->parts * PEER_ARRAYS + launch]; }

// TRUST is how many nanoseconds a launch waits for the others before it ends with an error:
// one of them has failed. No level takes as long.
#define TRUST 5000000000ul

INLINE void wait_for(const uint *flag, uint epoch) {
	ulong began = ticks();
	uint seen;
	do {
		asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
		if (ticks() - began > TRUST) asm volatile("trap;");
	} while (seen - epoch > 1); // a launch may be one barrier ahead of another
}

// parts_sync waits for all blocks of all launches. The first block of a launch waits for its
// own blocks, tells the other launches, waits for them, and lets its blocks go on: only
// stores and loads go between devices.
INLINE void parts_sync(parts_t *a) {
	uint *arrivals = &a->s->control->arrivals, seen;
	if (a->launches == 1) {
		grid_sync(arrivals, &a->target);
		return;
	}
	uint *mine = flags_of(a, a->launch);
	a->target += BLOCKS;
	a->epoch++;
	__syncthreads();
	if (THREAD == 0) {
		asm volatile("fence.acq_rel.sys;" : : : "memory");
		asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(arrivals) : "memory");
		if (BLOCK == 0) {
			do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrivals) : "memory");
			while (seen < a->target);
			for (uint to = 0; to < a->launches; to++)
				asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(flags_of(a, to) + a->launch), "r"(a->epoch) : "memory");
			for (uint from = 0; from < a->launches; from++) wait_for(mine + from, a->epoch);
			asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(mine + a->launches), "r"(a->epoch) : "memory");
		}
		wait_for(mine + a->launches, a->epoch);
	}
	__syncthreads();
}
#endif

// A tally is what decides about a level: the frontiers of all parts.
typedef struct {
	ulong edges;   // of those that are measured
	uint vertices;
	uint measured; // all of them
	uint longs;    // some part has a row of more than LONG entries,
	uint many;     // or more vertices than fit in a table
} tally_t;

INLINE tally_t tally_of(const parts_t *a, uint record, warp_t warp) {
	tally_t t;
	t.edges = 0;
	t.vertices = t.longs = t.many = 0;
	t.measured = 1;
	for (uint first = 0; UNIFORM(first < a->parts); first += 32) {
		int some = first + LANE < a->parts;
		GLOBAL const level_t *l = levels_of(a, some ? first + LANE : 0) + record;
		uint vertices = some ? l->vertices : 0, measured = !some || l->measured, longs = some && l->longs;
		ulong edges = some ? l->edges : 0;
		t.vertices += warp_sum32(warp, vertices);
		t.measured &= warp_ballot(warp, measured) == NONE;
		t.longs |= warp_ballot(warp, longs);
		t.many |= warp_ballot(warp, vertices > THREADS);
		t.edges += warp_sum(warp, edges);
	}
	return t;
}

// examined_in is how many entries all parts have looked at in a level.
INLINE ulong examined_in(const parts_t *a, uint record, warp_t warp) {
	ulong examined = 0;
	for (uint q = LANE; q < a->parts; q += 32) examined += levels_of(a, q)[record].examined;
	return warp_sum(warp, examined);
}

// some_extreme tells whether a part left rows to its blocks; some_open, whether one has found a
// vertex with another neighbour than its parent.
INLINE uint some_extreme(const parts_t *a, uint record, warp_t warp) {
	uint some = 0;
	for (uint q = LANE; q < a->parts; q += 32) some |= levels_of(a, q)[record].extreme != 0;
	return warp_ballot(warp, some);
}

INLINE uint some_open(const parts_t *a, uint record, warp_t warp) {
	uint some = 0;
	for (uint q = LANE; q < a->parts; q += 32) some |= levels_of(a, q)[record].open != 0;
	return warp_ballot(warp, some);
}

INLINE int owns(const state_t *s, uint v) { return v >> 5 >= s->own_first && v >> 5 < s->own_end; }

INLINE level_t empty_level(void) {
	level_t l;
	l.vertices = l.records = l.measured = l.longs = l.open = l.extreme = l.step = l.queued = l.shown = l.lonely = 0;
	l.edges = l.examined = l.start = 0;
	return l;
}
