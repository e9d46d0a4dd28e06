// look.cu: along the rows of unvisited vertices, for a visited neighbour.
//
// A warp holds up to WAITING vertices as a dense list of small numbers, and looks
// for all of them in rounds: in each, a lane takes one vertex and looks at the
// next WINDOW entries of its row. A vertex that has a parent or has come to the end of its
// row leaves the list; the others move up, so that the lanes stay busy however different the
// rows are. After ROUNDS rounds teams of lanes look along a row each. A row is extreme if
// EXTREME entries were looked at in vain: the whole grid looks at the rest of it.
//
// While the frontier is small, nearly all of these looks are in vain, and each is a
// random access to the bitmap. A block then first looks into a summary of the frontier in its
// LOCAL memory, which says for every stretch of labels whether the frontier has a vertex there.

#define WINDOW 8
#define ROUNDS 3
#define TEAM 8
#define TEAM_LANES ((1u << TEAM) - 1)

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
	LOCAL uint *missed; // bits of the strip, where not and where it does not fill
	LOCAL uint *stage;  // parents of a half of the strip, where it does
	GLOBAL uint *marks; // bitmap for what is found, where listed, or 0
	GLOBAL level_t *level;
	uint examined, vertices, open;
	uint summary, stretch; // whether there is a summary, and log₂ of the labels for a bit of it
	uint filling, listing; // whether parents are collected to be stored with the others, and the missed listed
} finder_t;

// may_hit tells whether the stretch of u has a vertex of the frontier.
INLINE uint may_hit(const finder_t *f, LOCAL const block_t *b, uint u) {
	uint word = u >> (f->stretch + 3) & (SUMMARY_WORDS - 1) * 4; // in bytes
	return *(LOCAL const uint *)((LOCAL const uchar *)b->bits + word) >> (u >> f->stretch & 31) & 1;
}

// four returns the entries 4i … 4i+3.
INLINE uint4 four(const graph_t *g, ulong i) { return load_once4((GLOBAL const uint4 *)entry_at(g, 4 * i), g->once); }

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
// not found, but the grid will go on looking. A leaf has no other neighbour.
INLINE void settle(const graph_t *g, const state_t *s, const crowd_t *c, finder_t *f, int done, int deferred, uint number,
                   uint parent, uint leaf, LOCAL block_t *b, warp_t warp) {
	uint v = done ? vertex_of(c, number) : 0;
	int hit = done && parent != NONE, missed = done && parent == NONE;
	if (hit && f->filling) f->stage[number % WAITING] = parent;
	if (hit && !f->filling) store_once(s->parent + v, parent, g->once);
	WARP_IF(c->listed) {
		uint all = warp_ballot(warp, hit), at = 0;
		if (LANE == 0 && all) at = local_add32(&b->found, popcount32(all));
		at = warp_get(warp, at, 0) + popcount32(all & BELOW_LANE);
		if (hit) *(f->found - at) = v;
		if (hit && f->marks) atomic_or32(f->marks + (v >> 5), 1u << (v & 31));
		f->open += hit && !leaf;
		f->vertices += hit;
	}
	if (missed && !c->listed && !f->filling) local_or32(f->missed + (number >> 5), 1u << (number & 31));
	WARP_IF(f->listing) keep(b, f->rest, missed && !deferred, v, warp);
}

// look_window returns the first visited one of the WINDOW entries from at on, a
// multiple of four: the row has left more from there, of which the first skip are not
// looked at.
INLINE uint look_window(const graph_t *g, finder_t *f, ulong at, uint skip, uint left, LOCAL const block_t *b) {
	uint4 low = four(g, at / 4), high = four(g, at / 4 + 1);
	uint count = left < WINDOW ? left : WINDOW, valid = (1u << count) - (1u << skip); // a bit for each entry
	uint u[WINDOW], hit[WINDOW], parent = NONE;
	u[0] = low.x;
	u[1] = low.y;
	u[2] = low.z;
	u[3] = low.w;
	u[4] = high.x;
	u[5] = high.y;
	u[6] = high.z;
	u[7] = high.w;
	f->examined += count - skip;
	if (f->summary) {
		uint maybe = 0;
		UNROLL for (int k = WINDOW - 1; k >= 0; k--) maybe = maybe << 1 | may_hit(f, b, u[k]);
		for (valid &= maybe; valid && parent == NONE; valid &= valid - 1) { // once at most, mostly
			uint v = ENTRY(g, at + lowest_bit(valid));
			if (bit_of(f->visited, v)) parent = v;
		}
		return parent;
	}
	UNROLL for (int k = 0; k < 4; k++) hit[k] = bit_of(f->visited, valid >> k & 1 ? u[k] : 0);
	UNROLL for (int k = 3; k >= 0; k--) parent = hit[k] & valid >> k ? u[k] : parent;
	if (parent != NONE || !(valid >> 4)) return parent;
	UNROLL for (int k = 4; k < WINDOW; k++) hit[k] = bit_of(f->visited, valid >> k & 1 ? u[k] : 0);
	UNROLL for (int k = WINDOW - 1; k >= 4; k--) parent = hit[k] & valid >> k ? u[k] : parent;
	return parent;
}

// look_four returns the first visited one of the entries i … i+3 before stop.
INLINE uint look_four(const graph_t *g, finder_t *f, ulong i, ulong stop, LOCAL const block_t *b) {
	uint4 it = four(g, i / 4);
	uint u[4], may[4], hit[4], parent = NONE, count = stop - i < 4 ? (uint)(stop - i) : 4;
	u[0] = it.x;
	u[1] = it.y;
	u[2] = it.z;
	u[3] = it.w;
	f->examined += count;
	UNROLL for (uint k = 0; k < 4; k++) may[k] = k < count && (!f->summary || may_hit(f, b, u[k]));
	UNROLL for (int k = 0; k < 4; k++) hit[k] = bit_of(f->visited, may[k] ? u[k] : 0) & may[k];
	UNROLL for (int k = 3; k >= 0; k--) parent = hit[k] ? u[k] : parent;
	return parent;
}

// look_together finishes the rows of the lanes that ask, the first ones of the warp, from
// at on, a multiple of four: TEAM lanes look along one row, four entries each, and the
// teams at several rows together. It returns the parent and clears *more where EXTREME
// entries were looked at in vain and the others are left to the grid.
INLINE uint look_together(const graph_t *g, const state_t *s, finder_t *f, ulong at, ulong end, int *more, uint v,
                          LOCAL const block_t *b, warp_t warp) {
	uint parent = NONE, asking = popcount32(warp_ballot(warp, *more));
	ulong reach = end - at > EXTREME ? at + EXTREME : end;
	for (uint first = 0; UNIFORM(first < asking); first += 32 / TEAM) {
		uint whose = first + LANE / TEAM, found = NONE;
		ulong i = warp_get64(warp, at, whose) + LANE % TEAM * 4, stop = warp_get64(warp, reach, whose);
		int looking = whose < asking && i < stop;
		for (uint some = warp_ballot(warp, looking); UNIFORM(some);) {
			if (looking) found = look_four(g, f, i, stop, b);
			uint hits = warp_ballot(warp, found != NONE);
			i += TEAM * 4;
			looking = looking && !(hits >> LANE / TEAM * TEAM & TEAM_LANES) && i < stop;
			some = warp_ballot(warp, looking);
		}
		uint team = (LANE - first) * TEAM & 31, hits = warp_ballot(warp, found != NONE) >> team & TEAM_LANES;
		uint nearest = warp_get(warp, found, hits ? team + lowest_bit(hits) : 0);
		if (LANE - first < 32 / TEAM && hits) parent = nearest;
	}
	if (*more && parent == NONE && reach < end) {
		uint2 entry;
		entry.x = v;
		entry.y = 0;
		s->extreme[atomic_add32(&f->level->extreme, 1)] = entry;
		*more = 0;
	}
	return parent;
}

// look looks for all n of the list, whose heads were tried: from the second entry of
// their rows on, which have one.
INLINE void look(const graph_t *g, const state_t *s, const crowd_t *c, finder_t *f, LOCAL ushort *list, uint n, LOCAL block_t *b,
                 warp_t warp) {
	for (uint round = 0; UNIFORM(round < ROUNDS && n > 0); round++) {
		uint left = 0;
		for (uint i = 0; UNIFORM(i < n); i += 32) {
			int active = i + LANE < n, last = 1;
			uint number = active ? list[i + LANE] : 0, parent = NONE;
			uint row = row_in(g, c, number, warp);
			if (active) {
				row_t r = row_at(g, row);
				uint pad = (uint)(r.start + 1) % 4, passed = round * WINDOW, more = r.length - 1 + pad - passed;
				parent = look_window(g, f, r.start + 1 - pad + passed, round ? 0 : pad, more, b);
				last = more <= WINDOW;
			}
			int stays = active && parent == NONE && !last;
			uint staying = warp_ballot(warp, stays);
			warp_sync(warp); // all have read their part of the list
			if (stays) list[left + popcount32(staying & BELOW_LANE)] = (ushort)number;
			left += popcount32(staying);
			settle(g, s, c, f, active && !stays, 0, number, parent, 0, b, warp);
		}
		n = left;
		warp_sync(warp);
	}
	for (uint i = 0; UNIFORM(i < n); i += 32) {
		int more = i + LANE < n;
		uint number = more ? list[i + LANE] : 0, row = row_in(g, c, number, warp);
		ulong at = 0, end = 0;
		if (more) {
			row_t r = row_at(g, row);
			at = ((r.start + 1) & ~(ulong)3) + ROUNDS * WINDOW;
			end = r.start + r.length;
		}
		int active = more;
		uint parent = look_together(g, s, f, at, end, &more, vertex_of(c, number), b, warp);
		settle(g, s, c, f, active, active && !more, number, parent, 0, b, warp);
	}
	warp_sync(warp);
}
