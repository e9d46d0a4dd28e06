// look.cu: along the rows of unvisited vertices, for a visited neighbour.
//
// A warp holds up to WAITING vertices as a dense list of small numbers, and looks
// for all of them in rounds: in each, a lane takes one vertex and looks at the
// next WINDOW entries of its row. Who has found a parent or come to the end leaves
// the list; the others move up, so that the lanes stay busy however different the
// rows are. After ROUNDS rounds the whole warp looks along one row at a time, and
// rows of more than HEAVY entries are left to the whole grid.
//
// While the frontier is small, nearly all of these looks are in vain, and each is a
// random access to the bitmap. A block then first looks into a sieve in its LOCAL
// memory, which says for every stretch of labels whether the frontier has a vertex
// there.

#define WINDOW 8
#define ROUNDS 3

// A crowd is what the numbers of a list stand for: the labels of a strip of the
// bitmap, or entries of a block's rest.
typedef struct {
	uint first;               // word of the bitmap where the strip begins
	uint2 index;              // of the lane's word of the strip
	GLOBAL const uint *rest;  // where listed
	uint listed;
} crowd_t;

INLINE uint vertex_of(const crowd_t *c, uint number) { return c->listed ? c->rest[number] : c->first * 32 + number; }

INLINE uint row_in(const graph_t *g, const crowd_t *c, uint number, warp_t warp) {
	uint row = 0;
	if (c->listed) row = row_of(g, c->rest[number]);
	WARP_IF(!c->listed) {
		uint rows_of = warp_get(warp, c->index.x, number >> 5);
		row = warp_get(warp, c->index.y, number >> 5) + popcount32(rows_of & ((1u << (number & 31)) - 1));
	}
	return row;
}

// A finder is where the outcome goes.
typedef struct {
	GLOBAL const uint *visited;
	GLOBAL uint *rest;  // of the block, to be
	GLOBAL uint *found; // top of the block's found, where listed
	LOCAL uint *missed; // bits of the strip, where not,
	LOCAL uint *stage;  // and the parents of a half of it
	GLOBAL uint *marks; // bitmap for what is found, where listed, or 0
	GLOBAL level_t *level;
	uint examined, vertices, open;
	uint sieved, stretch; // whether there is a sieve, and log₂ of the labels for a bit of it
} finder_t;

// may_hit tells whether the stretch of u has a vertex of the frontier.
INLINE uint may_hit(const finder_t *f, LOCAL const block_t *b, uint u) {
	uint at = u >> f->stretch;
	return b->bits[at >> 5 & (SIEVE_WORDS - 1)] >> (at & 31) & 1;
}

// four returns the entries 4i … 4i+3.
INLINE uint4 four(const graph_t *g, ulong i) { return *(GLOBAL const uint4 *)entry_at(g, 4 * i); }

// keep appends the lanes' vertices to the block's rest.
INLINE void keep(LOCAL block_t *b, GLOBAL uint *rest, int yes, uint v, warp_t warp) {
	uint all = warp_ballot(warp, yes), at = 0;
	WARP_IF(all) {
		if (LANE == 0) at = local_add32(&b->rest, popcount32(all));
		at = warp_get(warp, at, 0);
		if (yes) rest[at + popcount32(all & BELOW_LANE)] = v;
	}
}

// settle records the outcome of vertices that leave the list. Deferred ones are
// not found, but the grid will go on looking.
INLINE void settle(const state_t *s, const crowd_t *c, finder_t *f, int done, int deferred, uint number, uint parent,
                   uint length, LOCAL block_t *b, warp_t warp) {
	uint v = done ? vertex_of(c, number) : 0;
	if (done && parent != NONE) {
		if (!c->listed) f->stage[number % WAITING] = parent;
		else {
			s->parent[v] = parent;
			*(f->found - local_add32(&b->found, 1)) = v;
			if (f->marks) atomic_or32(f->marks + (v >> 5), 1u << (v & 31));
			f->open += length > 1;
		}
		f->vertices++;
	}
	int missed = done && parent == NONE;
	if (missed && !c->listed) local_or32(f->missed + (number >> 5), 1u << (number & 31));
	keep(b, f->rest, missed && !deferred, v, warp);
}

// look_window returns the first visited one of the WINDOW entries from at on, a
// multiple of WINDOW, that lie in [begin, end); *last says that none follow.
INLINE uint look_window(const graph_t *g, finder_t *f, ulong at, ulong begin, ulong end, int *last, LOCAL const block_t *b) {
	uint4 low = four(g, at / 4), high = four(g, at / 4 + 1);
	uint skip = begin > at ? (uint)(begin - at) : 0, count = end - at < WINDOW ? (uint)(end - at) : WINDOW;
	uint valid = (1u << count) - (1u << skip); // a bit for each entry; begin < end
	uint u[WINDOW], hit[WINDOW], parent = NONE;
	u[0] = low.x;
	u[1] = low.y;
	u[2] = low.z;
	u[3] = low.w;
	u[4] = high.x;
	u[5] = high.y;
	u[6] = high.z;
	u[7] = high.w;
	f->examined += popcount32(valid);
	*last = at + WINDOW >= end;
	if (f->sieved) {
		uint maybe = 0;
		UNROLL for (int k = 0; k < WINDOW; k++) maybe |= may_hit(f, b, u[k]) << k;
		for (valid &= maybe; valid && parent == NONE; valid &= valid - 1) { // once at most, mostly
			uint v = ENTRY(g, at + lowest_bit(valid));
			if (bit_of(f->visited, v)) parent = v;
		}
		return parent;
	}
	UNROLL for (int k = 0; k < WINDOW; k++) hit[k] = bit_of(f->visited, valid >> k & 1 ? u[k] : 0);
	UNROLL for (int k = WINDOW - 1; k >= 0; k--) parent = hit[k] & valid >> k ? u[k] : parent;
	return parent;
}

// look_together finishes the rows of the lanes that ask, one by one, from at on.
// It returns the parent and clears *more where the row is left to the grid.
INLINE uint look_together(const graph_t *g, const state_t *s, finder_t *f, ulong at, ulong end, int *more, uint v,
                          LOCAL const block_t *b, warp_t warp) {
	uint parent = NONE;
	for (uint asking = warp_ballot(warp, *more); asking; asking &= asking - 1) {
		uint lane = lowest_bit(asking), found = NONE;
		ulong i = warp_get64(warp, at, lane), stop = warp_get64(warp, end, lane);
		if (stop - i > HEAVY) {
			if (LANE == lane) {
				uint2 entry;
				entry.x = v;
				entry.y = 0;
				s->heavy[atomic_add32(&f->level->heavy, 1)] = entry;
				*more = 0;
			}
			i = stop;
		}
		for (; i < stop && found == NONE; i += 32) {
			uint u = i + LANE < stop ? ENTRY(g, i + LANE) : NONE;
			int hit = u != NONE && (!f->sieved || may_hit(f, b, u)) && bit_of(f->visited, u);
			f->examined += u != NONE;
			uint hits = warp_ballot(warp, hit);
			uint nearest = warp_get(warp, u, hits ? lowest_bit(hits) : 0);
			if (hits) found = nearest;
		}
		if (LANE == lane) parent = found;
	}
	return parent;
}

// look looks for all n of the list, from entry skip of their rows on.
INLINE void look(const graph_t *g, const state_t *s, const crowd_t *c, finder_t *f, LOCAL ushort *list, uint n, uint skip,
                 LOCAL block_t *b, warp_t warp) {
	for (uint round = 0; round < ROUNDS && n > 0; round++) {
		uint left = 0;
		for (uint i = 0; i < n; i += 32) {
			int active = i + LANE < n, last = 1;
			uint number = active ? list[i + LANE] : 0, parent = NONE, length = 0;
			uint row = row_in(g, c, number, warp);
			if (active) {
				row_t r = row_at(g, row);
				length = r.length;
				ulong begin = r.start + skip, end = r.start + r.length;
				ulong at = (begin & ~(ulong)(WINDOW - 1)) + round * WINDOW;
				if (begin < end) parent = look_window(g, f, at, begin, end, &last, b);
			}
			int stays = active && parent == NONE && !last;
			uint staying = warp_ballot(warp, stays);
			warp_sync(warp); // all have read their part of the list
			if (stays) list[left + popcount32(staying & BELOW_LANE)] = (ushort)number;
			left += popcount32(staying);
			settle(s, c, f, active && !stays, 0, number, parent, length, b, warp);
		}
		n = left;
		warp_sync(warp);
	}
	for (uint i = 0; i < n; i += 32) {
		int more = i + LANE < n;
		uint number = more ? list[i + LANE] : 0, row = row_in(g, c, number, warp);
		ulong at = 0, end = 0;
		if (more) {
			row_t r = row_at(g, row);
			at = ((r.start + skip) & ~(ulong)(WINDOW - 1)) + ROUNDS * WINDOW;
			end = r.start + r.length;
		}
		int active = more;
		uint parent = look_together(g, s, f, at, end, &more, vertex_of(c, number), b, warp);
		settle(s, c, f, active, active && !more, number, parent, 2, b, warp);
	}
	warp_sync(warp);
}
