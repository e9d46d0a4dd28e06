// sssp.cu: the launches of a search for shortest paths, and pulls.

// close_bucket adds what the threads have counted and ends the launch.
INLINE void close_bucket(bucket_t *r, LOCAL uint *is_last, GLOBAL uint *words, uint count, uint ticket, warp_t warp) {
	GLOBAL stage_t *stage = r->s->stage;
	ulong examined = warp_sum(warp, r->examined), lowered = warp_sum(warp, r->lowered), found = warp_sum(warp, r->found);
	if (LANE == 0 && examined) atomic_add64(&stage->examined, examined);
	if (LANE == 0 && lowered) atomic_add64(&stage->lowered, lowered);
	if (LANE == 0 && found) atomic_add64(&stage->found, found);
	if (GRID_THREAD == 0) {
		for (uint i = 0; i < 3; i++) stage->queued[i] = stage->pieces[i] = 0;
		stage->end = ticks();
	}
	grid_exit(&stage->arrivals, is_last, words, count, ticket);
}

// open_bucket forgets what the last launch has measured, before a barrier.
INLINE void open_bucket(bucket_t *r) {
	if (GRID_THREAD != 0) return;
	r->s->stage->degree = 0;
	r->s->stage->least = FORSAKEN;
	r->s->stage->start = ticks();
}

// paths_seed begins a search: the root is the only record.
KERNEL(512) paths_seed(PATHS_PARAMS, uint root) {
	PATHS_OPEN;
	for (ulong v = GRID_THREAD; v < (ulong)words * 32; v += GRID_THREADS) {
		place[v] = v == root ? place_of(&s, 0, root) : place_of(&s, double_of(FORSAKEN), NONE);
	}
	for (ulong w = GRID_THREAD; w < words; w += GRID_THREADS) marks0[w] = marks1[w] = 0;
	if (GRID_THREAD == 0) {
		for (uint i = 0; i < 3; i++) stage->queued[i] = stage->pieces[i] = 0;
		stage->carried[0] = stage->carried[1] = stage->phases = 0;
		stage->examined = stage->lowered = stage->found = 0;
		stage->reached = 1;
		reached[0] = root;
		cursors[0] = 0;
	}
	open_bucket(&r);
	bucket_sync(&r);
	measure_records(&r, warp);
	close_bucket(&r, &is_last, reply_words, reply_count, ticket, warp);
}

// paths_down finds all vertices nearer than the bound by pushes.
KERNEL(512) paths_down(PATHS_PARAMS, ulong bound, uint records) {
	PATHS_OPEN;
	r.bound = double_of(bound);
	r.listing = 1;
	open_bucket(&r);
	push_records(&r, records, 0, warp);
	finish_bucket(&r, warp);
	measure_records(&r, warp);
	close_bucket(&r, &is_last, reply_words, reply_count, ticket, warp);
}

// A puller_t is a vertex that pulls.
typedef struct {
	uint number; // of its candidate
	uint4 candidate;
	double before, best, first; // its distance, what it has pulled, the distance of its first neighbour
	uint parent;
	uint at; // the next entry to read; 0: none is
	row_t row;
} puller_t;

// pull_one reads an entry, unless that and all behind it come too late.
INLINE int pull_one(const bucket_t *r, double near, puller_t *p, row_t row, uint at, double limit) {
	const paths_t *s = r->s;
	if (at >= row.length) return 0;
	uint2 entry = s->in.entries[row.start + at];
	if (sum_of(s, near, floor_of(entry.y, row.length)) >= limit) return 0;
	double sum = sum_of(s, far_of(s, LIVE(s->place + entry.x)), entry.y);
	if (sum < p->best) {
		p->best = sum;
		p->parent = entry.x;
	}
	return 1;
}

INLINE double lesser(double a, double b) { return a < b ? a : b; }

// pull_together lets the whole warp read the rows of the lanes that have not ended.
INLINE void pull_together(bucket_t *r, double near, puller_t *p, int open, warp_t warp) {
	for (uint some = warp_ballot(warp, open); UNIFORM(some != 0); some &= some - 1) {
		uint lane = lowest_bit(some), at = warp_get(warp, p->at, lane);
		puller_t mine;
		row_t row;
		row.start = warp_get64(warp, p->row.start, lane);
		row.length = warp_get(warp, p->row.length, lane);
		mine.best = double_of(warp_get64(warp, double_bits(p->best), lane));
		mine.parent = warp_get(warp, p->parent, lane);
		double limit = lesser(mine.best, r->bound);
		for (at += LANE; pull_one(r, near, &mine, row, at, limit); at += 32) r->examined++;
		for (uint step = 16; UNIFORM(step > 0); step >>= 1) {
			double best = double_of(warp_get64(warp, double_bits(mine.best), LANE ^ step));
			uint parent = warp_get(warp, mine.parent, LANE ^ step);
			if (best < mine.best) {
				mine.best = best;
				mine.parent = parent;
			}
		}
		if (LANE == lane) {
			p->best = mine.best;
			p->parent = mine.parent;
		}
	}
}

// settle_pull takes what a vertex has pulled. Below the bound it is found, otherwise
// carried. It has something to push if its first entry leads to a distance below the bound
// that is lower than the one there, or if one of the others may: that is known without
// its row.
INLINE void settle_pull(bucket_t *r, const puller_t *p, int yes, stash_t *queue, stash_t *carried, warp_t warp) {
	const paths_t *s = r->s;
	int found = yes && p->best < r->bound, pushes = 0;
	if (yes && p->best < p->before) {
		LIVE(s->place + p->candidate.z) = place_of(s, p->best, p->parent);
		r->lowered++;
	}
	if (found) {
		r->found++;
		pushes = s->one_way || sum_of(s, p->best, p->candidate.y) < lesser(r->bound, p->first) || sum_of(s, p->best, p->candidate.w) < r->bound;
	}
	stash_put(queue, p->candidate.z, pushes, warp);
	stash_put(carried, p->number, yes && !found, warp);
}

// pull lets carried vertices pull, and those that are woken now.
INLINE void pull(bucket_t *r, double near, double from, uint woken, uint wake_to, warp_t warp) {
	const paths_t *s = r->s;
	uint carried = LIVE32(s->stage->carried + r->side), n = carried + wake_to - woken;
	GLOBAL const uint *list = r->side ? s->carried1 : s->carried0;
	stash_t queue, later;
	queue.list = r->phase & 1 ? s->queue0 : s->queue1;
	queue.count = s->stage->queued + (r->phase + 1) % 3;
	later.list = r->side ? s->carried0 : s->carried1;
	later.count = s->stage->carried + (r->side ^ 1);
	queue.held = r->desk->held[0];
	later.held = r->desk->held[1];
	queue.holds = later.holds = 0;
	for (uint first = GRID_WARP * 32; UNIFORM(first < n); first += GRID_WARPS * 32) {
		uint i = first + LANE;
		puller_t p;
		p.number = i < carried ? list[i] : i < n ? woken + i - carried : 0; // lanes without a vertex read some candidate
		p.candidate = s->candidates[p.number];
		p.before = far_of(s, LIVE(s->place + p.candidate.z));
		p.first = far_of(s, LIVE(s->place + p.candidate.x));
		p.best = p.before;
		p.parent = NONE;
		p.at = 0;
		int yes = i < n && p.before >= from && (i < carried || p.before == double_of(FORSAKEN)), open = 0;
		double sum = sum_of(s, p.first, p.candidate.y);
		if (yes && sum < p.best) {
			p.best = sum;
			p.parent = p.candidate.x;
		}
		r->examined += yes;
		if (yes && sum_of(s, near, p.candidate.w) < lesser(p.best, r->bound)) {
			p.row = weighted_at(&s->in, row_number(&s->in, p.candidate.z));
			open = 1;
			for (p.at = 1; open && p.at <= PULL_ALONE; p.at++) open = pull_one(r, near, &p, p.row, p.at, lesser(p.best, r->bound));
			r->examined += p.at - 1;
		}
		pull_together(r, near, &p, open, warp);
		settle_pull(r, &p, yes, &queue, &later, warp);
	}
	stash_flush(&queue, 0, warp);
	stash_flush(&later, 0, warp);
}

// paths_up finds all vertices nearer than the bound by pulls, of carried vertices and of
// those whose candidates are from woken up to wake_to. flush says that vertices nearer than
// near push their whole rows before.
KERNEL(512) paths_up(PATHS_PARAMS, ulong near, ulong from, ulong bound, uint woken, uint wake_to, uint side, uint flush,
                      uint records) {
	PATHS_OPEN;
	r.side = side;
	open_bucket(&r);
	WARP_IF(flush) {
		r.flushing = 1;
		r.bound = double_of(FORSAKEN);
		push_records(&r, records, double_of(near), warp);
		end_phase(&r, warp);
		if (GRID_THREAD == 0) stage->pieces[0] = 0;
		r.phase = 1;
		r.flushing = 0;
	}
	r.bound = double_of(bound);
	pull(&r, double_of(near), double_of(from), woken, wake_to, warp);
	finish_bucket(&r, warp);
	if (GRID_THREAD == 0) stage->carried[side] = 0;
	close_bucket(&r, &is_last, reply_words, reply_count, ticket, warp);
}

// parents_clear: the root alone has a parent.
KERNEL(256) parents_clear(GLOBAL uint *parent, uint n, uint root) {
	for (ulong v = GRID_THREAD; v < n; v += GRID_THREADS) parent[v] = v == root ? root : NONE;
}

// parents_find gives parents to vertices that have none, by distances of 64 bits: neighbours
// from which a weight makes the distance. In the first round these are nearer than the vertex.
// Later on they have a parent already: so weights of zero make no cycles. changed counts.
KERNEL(256) parents_find(GLOBAL const ulong *far, GLOBAL uint *parent, GLOBAL const uint4 *candidates, uint first_round, GLOBAL uint *changed,
                         WEIGHTED_PARAMS) {
	WARP_OPEN(warp);
	WEIGHTED_OPEN(g);
	for (uint i = GRID_WARP; UNIFORM(i < rows); i += GRID_WARPS) {
		uint v = candidates[i].z, found = NONE;
		ulong at = far[v];
		row_t row;
		row.start = 0;
		row.length = 0;
		if (at != FORSAKEN && LIVE32(parent + v) == NONE) row = weighted_at(&g, row_number(&g, v));
		row.length = warp_get(warp, row.length, 0);
		for (uint first = 0; UNIFORM(first < row.length && found == NONE); first += 32) {
			uint2 entry = entries[row.start + (first + LANE < row.length ? first + LANE : 0)];
			ulong from = far[entry.x];
			int tight = double_bits(double_of(from) + (double)float_of(entry.y)) == at &&
			            (first_round ? from < at : LIVE32(parent + entry.x) != NONE);
			uint all = warp_ballot(warp, tight && first + LANE < row.length);
			uint other = warp_get(warp, entry.x, all ? lowest_bit(all) : 0);
			if (all) found = other;
		}
		if (LANE == 0 && found != NONE) {
			LIVE32(parent + v) = found;
			atomic_add32(changed, 1);
		}
	}
}
