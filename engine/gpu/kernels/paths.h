// paths.h: the state of a search for shortest paths by weight. Package sssp explains the algorithm: buckets, the
// directions, D₀, candidates and carried vertices are the same here.
//
// A launch runs one bucket. It begins with pushes of the records, or with pulls, and then
// expands frontiers, phase by phase, until no distance below the bound changes. The grid
// waits for all of its blocks between two phases.
//
//   place[v]    the bits of a distance of 32 bits above the parent; or, if wide, those of a
//               distance of 64 bits: then parents are looked for after the search
//   queue       the vertices of a frontier, each once; marks has a bit for each of them.
//               There are two of both: phases append to one and read the other
//   reached     the records of top-down buckets: vertices in the order in which they got
//               their first distance; cursors and keys have their next entries and sums
//   pieces      of rows that push many entries, for all warps
//   carried     numbers of candidates that were woken and not found yet. There are two
//               lists: pulls read one and append to the other
//
// Distances are numbers of 64 bits here. Those of 32 bits are rounded after every addition.

#define FORSAKEN 0x7ff0000000000000ul // the bits of an infinite distance
#define PIECE_ENTRIES 256             // of a row, for one warp
#define PULL_ALONE 8                  // entries that a lane reads before the warp reads on together
#define STASH 128                     // numbers that a warp collects before it appends them to a list
#define WIDE 1
#define ONE_WAY 2 // the graph is directed
#ifdef __OPENCL_VERSION__
#define ABREAST 1 // entries that a lane has in flight
#define PATH_WARPS 1
#else
#define ABREAST 4
#define PATH_WARPS 16 // of a block
#endif

typedef struct {
	uint arrivals, exits;
	uint queued[3];  // by the number of the phase that reads them, modulo 3
	uint pieces[3];  // by the number of the phase that makes them, modulo 3
	uint reached, carried[2];
	uint phases;
	ulong examined, lowered, found; // since the search began
	ulong degree, least;            // of the records: entries of their rows, least key
	ulong start, end;               // ticks
} stage_t;

typedef struct {
	weighted_t out, in;
	GLOBAL ulong *place;
	GLOBAL uint *queue0, *queue1, *marks0, *marks1;
	GLOBAL uint *reached, *cursors;
	GLOBAL ulong *keys;
	GLOBAL uint4 *pieces;
	GLOBAL const uint4 *candidates;
	GLOBAL const uint *candidate_of;
	GLOBAL uint *carried0, *carried1;
	GLOBAL stage_t *stage;
	uint words, wide, one_way;
} paths_t;

#define PATHS_PARAMS \
	GLOBAL const uint2 *out_index, GLOBAL const uint2 *out_place, GLOBAL const ulong *out_base, GLOBAL uint2 *out_entries, \
	GLOBAL const uint2 *in_index, GLOBAL const uint2 *in_place, GLOBAL const ulong *in_base, GLOBAL uint2 *in_entries, \
	GLOBAL ulong *place, GLOBAL uint *queue0, GLOBAL uint *queue1, GLOBAL uint *marks0, GLOBAL uint *marks1, \
	GLOBAL uint *reached, GLOBAL uint *cursors, GLOBAL ulong *keys, GLOBAL uint4 *pieces, GLOBAL const uint4 *candidates, \
	GLOBAL const uint *candidate_of, GLOBAL uint *carried0, GLOBAL uint *carried1, GLOBAL stage_t *stage, uint words, uint flags, \
	GLOBAL uint *reply_words, uint reply_count, uint ticket

#define PATHS_OPEN \
	WARP_OPEN(warp); \
	__local push_t desks[PATH_WARPS]; \
	__local uint is_last; \
	paths_t s; \
	s.out.index = out_index; s.out.place = out_place; s.out.base = out_base; s.out.entries = out_entries; \
	s.in.index = in_index; s.in.place = in_place; s.in.base = in_base; s.in.entries = in_entries; \
	s.place = place; s.queue0 = queue0; s.queue1 = queue1; s.marks0 = marks0; s.marks1 = marks1; \
	s.reached = reached; s.cursors = cursors; s.keys = keys; s.pieces = pieces; s.candidates = candidates; s.candidate_of = candidate_of; \
	s.carried0 = carried0; s.carried1 = carried1; s.stage = stage; s.words = words; \
	s.wide = flags & WIDE; s.one_way = flags & ONE_WAY; \
	bucket_t r; \
	r.s = &s; r.desk = desks + WARP; r.bound = 0; r.target = r.phase = r.flushing = r.listing = r.side = 0; \
	r.examined = r.lowered = r.found = 0; \
	if (THREAD == 0) is_last = 0

// A push_t is where a warp keeps the rows that its lanes push together.
typedef struct {
	ulong start[32];  // of the entries to push
	ulong far[32];    // bits of the distance
	uint vertex[32];
	uint before[32];  // entries of the rows before
	uint held[2][STASH];
} push_t;

// A bucket_t is what the parts of a launch share.
typedef struct {
	const paths_t *s;
	LOCAL push_t *desk;
	double bound;
	uint target; // of the grid's barrier
	uint phase;
	uint side;     // the list of carried vertices that pulls read
	uint flushing; // whole rows are pushed, and nothing is queued
	uint listing;  // vertices that get their first distance become records
	ulong examined;
	uint lowered, found;
} bucket_t;

INLINE void bucket_sync(bucket_t *r) { grid_sync(&r->s->stage->arrivals, &r->target); }

INLINE double far_of(const paths_t *s, ulong place) { return s->wide ? double_of(place) : (double)float_of((uint)(place >> 32)); }

INLINE ulong place_of(const paths_t *s, double far, uint parent) {
	return s->wide ? double_bits(far) : (ulong)float_bits((float)far) << 32 | parent;
}

// sum_of is a distance further on by a weight, rounded.
INLINE double sum_of(const paths_t *s, double far, uint weight) {
	return s->wide ? far + (double)float_of(weight) : (double)((float)far + float_of(weight));
}

// lower makes the distance of v smaller, which was old when it was read. It returns the
// distance before, or a negative number if it was as small already. Parents change with
// distances only, so that weights of zero make no cycles.
INLINE double lower(const paths_t *s, uint v, ulong old, double far, uint parent) {
	ulong to = place_of(s, far, parent);
	while (far < far_of(s, old)) {
		ulong seen = swap64(s->place + v, old, to);
		if (seen == old) return far_of(s, old);
		old = seen;
	}
	return -1;
}

// append puts values at the end of a list, ABREAST of each lane, where it says yes; at is
// where.
INLINE void append(GLOBAL uint *list, GLOBAL uint *count, const uint *value, const uint *yes, uint *at, warp_t warp) {
#ifdef __OPENCL_VERSION__
	for (uint k = 0; k < ABREAST; k++) {
		if (yes[k]) list[at[k] = atomic_add32(count, 1)] = value[k];
	}
#else
	uint total = 0, first = 0;
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		uint all = warp_ballot(warp, yes[k]);
		at[k] = total + popcount32(all & BELOW_LANE);
		total += popcount32(all);
	}
	if (!total) return;
	if (LANE == 0) first = atomic_add32(count, total);
	first = warp_get(warp, first, 0);
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		at[k] += first;
		if (yes[k]) list[at[k]] = value[k];
	}
#endif
}

// A stash_t is where a warp collects numbers for a list, so that it appends many at once.
typedef struct {
	GLOBAL uint *list, *count;
	LOCAL uint *held;
	uint holds;
} stash_t;

#ifdef __OPENCL_VERSION__
INLINE void stash_flush(stash_t *s, uint most, warp_t warp) {}
INLINE void stash_put(stash_t *s, uint value, int yes, warp_t warp) {
	if (yes) s->list[atomic_add32(s->count, 1)] = value;
}
#else
// stash_flush appends what the stash holds, if that is more than most.
INLINE void stash_flush(stash_t *s, uint most, warp_t warp) {
	if (s->holds <= most) return;
	uint at = 0;
	if (LANE == 0) at = atomic_add32(s->count, s->holds);
	at = warp_get(warp, at, 0);
	warp_sync(warp);
	for (uint i = LANE; i < s->holds; i += 32) s->list[at + i] = s->held[i];
	warp_sync(warp);
	s->holds = 0;
}

INLINE void stash_put(stash_t *s, uint value, int yes, warp_t warp) {
	uint all = warp_ballot(warp, yes);
	if (yes) s->held[s->holds + popcount32(all & BELOW_LANE)] = value;
	s->holds += popcount32(all);
	stash_flush(s, STASH - 32, warp);
}
#endif
