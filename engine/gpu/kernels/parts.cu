// parts.cu: all levels of a search of a graph in parts, in one launch for each device.
//
// A part has the rows of its own vertices, and a bitmap of all vertices. It has an equal share
// of the blocks, which take the steps of fused.cu:
//
//   top-down   marks the neighbours of the part's own frontier in the part's bitmap, and stores
//              their parents with the owners. Several parts may find a vertex, each with a
//              parent of the same level: any will do.
//   bottom-up  finds vertices of its own.
//
// Then the parts unite their bitmaps: each reads what it lacks in the memory of the others.
// A small top-down level is read as the queues of what was found, a pass over the rest as its
// lists, everything else as words of bitmaps, which the owner of the words has united. A
// barrier of all parts lies before and after. Behind it all blocks read the counts of all
// parts and take the same decision.

// clear_levels clears the records that the last launch has used, but the first and the one
// that it has kept.
INLINE void clear_levels(const parts_t *a, const state_t *s) {
	GLOBAL ulong *counts = (GLOBAL ulong *)(s->levels + 1);
	uint used = a->c.depth < a->level_count ? a->c.depth + 1 : a->level_count;
	for (ulong i = PART_THREAD(s); i < (ulong)used * 2 * (sizeof(level_t) / 8); i += PART_THREADS(s)) counts[i] = 0;
}

// parts_begin: nothing but the root is visited, and its owner has it in its queue.
INLINE void parts_begin(parts_t *a, ulong edges, warp_t warp) {
	control_t *c = &a->c;
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		uint root = s.root;
		for (ulong w = PART_THREAD(&s); w < a->g->words; w += PART_THREADS(&s)) s.visited0[w] = w == root >> 5 ? 1u << (root & 31) : 0;
		clear_levels(a, &s);
		if (PART_THREAD(&s) == 0) {
			level_t first = empty_level();
			first.measured = 1;
			if (owns(&s, root)) {
				uint length = row_of_queued(a->out, root).length;
				first.vertices = 1;
				first.edges = length;
				first.longs = length > LONG;
				first.open = has_row(a->g, root);
				s.queue0[0] = s.parent[root] = root;
			}
			s.levels[0] = first;
		}
	}
	c->side = c->list_side = c->queue_side = c->listed = c->filled = 0;
	c->form = FORM_QUEUE;
	c->rising = 1;
	c->remaining = edges;
	parts_sync(a);
	c->unvisited = a->rows - (some_open(a, 0, warp) != 0);
}

// parts_resume goes on from the frontiers that the last launch kept.
INLINE void parts_resume(parts_t *a) {
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		clear_levels(a, &s);
		if (PART_THREAD(&s) == 0) s.levels[0] = s.levels[KEPT_LEVEL(a->level_count)];
	}
	parts_sync(a);
}

// unite_queues: each part takes over what the others have found, and queues and measures
// its own vertices among all of it.
INLINE void unite_queues(parts_t *a, const state_t *s, uint me, uint depth, warp_t warp) {
	GLOBAL uint *visited = VISITED(s, a->c.side);
	GLOBAL level_t *next = s->levels + NEXT_LEVEL;
	ulong edges = 0;
	uint longs = 0, queued = 0;
	block_open(a->b);
	for (uint q = 0; UNIFORM(q < a->parts); q++) {
		uint n = levels_of(a, q)[FOUND_LEVEL].vertices;
		GLOBAL const uint *found = found_of(a, q);
		queued += n;
		for (ulong first = (ulong)PART_SPREAD(s) * 32; UNIFORM(first < n); first += PART_THREADS(s)) {
			int there = first + LANE < n;
			uint v = there ? found[first + LANE] : 0, at = 0;
			uint old = or_if(visited + (v >> 5), 1u << (v & 31), there && q != me);
			int fresh = there && owns(s, v) && (q == me || !(old >> (v & 31) & 1));
			uint all = warp_ballot(warp, fresh);
			if (LANE == 0 && all) at = atomic_add32(&next->vertices, popcount32(all));
			at = warp_get(warp, at, 0) + popcount32(all & BELOW_LANE);
			if (fresh) {
				uint length = row_of_queued(a->out, v).length;
				s->queue0[at] = v;
				edges += length;
				longs += length > LONG;
			}
		}
	}
	edges = warp_sum(warp, edges);
	longs = warp_sum32(warp, longs);
	if (LANE == 0 && edges) {
		atomic_add64(&next->edges, edges);
		if (longs) atomic_add32(&next->longs, longs);
	}
	if (PART_THREAD(s) == 0) next->measured = 1;
	a->shown = queued;
}

// unite_own: the part's own words become those of all parts. What is new is counted, and
// measured if it is to be.
INLINE void unite_own(parts_t *a, const state_t *s, uint me, uint depth, uint measures, warp_t warp) {
	GLOBAL uint *visited = VISITED(s, a->c.side);
	GLOBAL const uint *before = VISITED(s, !a->c.side);
	GLOBAL level_t *next = s->levels + NEXT_LEVEL;
	uint vertices = 0, longs = 0;
	ulong edges = 0;
	for (ulong w = s->own_first + PART_THREAD(s); w < s->own_end; w += PART_THREADS(s)) {
		uint all = visited[w];
		for (uint q = 0; q < a->parts; q++) all |= visited_of(a, q, a->c.side)[w];
		visited[w] = all;
		uint fresh = all & ~before[w];
		vertices += popcount32(fresh);
		for (fresh = measures ? fresh : 0; fresh; fresh &= fresh - 1) {
			uint length = row_of_queued(a->out, (uint)w * 32 + lowest_bit(fresh)).length;
			edges += length;
			longs += length > LONG;
		}
	}
	vertices = warp_sum32(warp, vertices);
	longs = warp_sum32(warp, longs);
	edges = warp_sum(warp, edges);
	if (LANE == 0 && vertices) {
		atomic_add32(&next->vertices, vertices);
		if (edges) atomic_add64(&next->edges, edges);
		if (longs) atomic_add32(&next->longs, longs);
	}
	if (PART_THREAD(s) == 0) next->measured = measures;
}

// take_words: the words of other parts become those of their owners.
INLINE void take_words(parts_t *a, const state_t *s, uint me, uint side) {
	GLOBAL uint *to = VISITED(s, side);
	for (uint k = 1; k < a->parts; k++) {
		uint q = (me + k) % a->parts, end = first_word(a->g->words, q + 1, a->parts); // not all of the same one at a time
		GLOBAL const uint *from = visited_of(a, q, side);
		for (ulong w = first_word(a->g->words, q, a->parts) + PART_THREAD(s); w < end; w += PART_THREADS(s)) to[w] = from[w];
	}
}

// take_found marks what a pass over the rest has found, in all parts.
INLINE void take_found(parts_t *a, const state_t *s) {
	GLOBAL uint *visited = VISITED(s, a->c.side);
	for (uint q = 0; q < a->parts; q++) {
		uint n = lengths_of(a, q)[a->part_blocks + s->block];
		GLOBAL const uint *top = list_of(a, q, a->c.list_side) + (ulong)(s->block + 1) * s->capacity - 1;
		for (uint i = THREAD; i < n; i += THREADS) {
			uint v = *(top - i);
			atomic_or32(visited + (v >> 5), 1u << (v & 31));
		}
	}
}

// count_next: what a bottom-up step has found of its own is the next frontier.
INLINE void count_next(const state_t *s, uint depth) {
	if (PART_THREAD(s) == 0) s->levels[NEXT_LEVEL].vertices = s->levels[FOUND_LEVEL].vertices;
}

// parts_go_down decides about the direction of a level, as goes_down does. *cuts says that the
// frontier was cut into records.
INLINE int parts_go_down(parts_t *a, uint depth, const tally_t *t, ulong *edges, uint *cuts, warp_t warp) {
	control_t *c = &a->c;
	uint measured = t->measured;
	*edges = measured ? t->edges : share(c, t->vertices);
	int down = c->rising ? *edges * a->p.alpha <= c->remaining - *edges
	                     : (ulong)t->vertices * a->p.beta < c->unvisited && c->unvisited > GRID_THREADS;
	*cuts = down && (!measured || (t->longs && t->many));
	WARP_IF(down && c->form != FORM_QUEUE) {
		EACH_PART(a, i) {
			state_t s = part_of(a, i);
			WARP_IF(c->form == FORM_BITMAP) requeue_bitmap(a->g, &s, c->side, 0, s.levels + SAME_LEVEL, warp);
			WARP_IF(c->form == FORM_LIST) requeue_list(a->g, &s, c->list_side, 0, s.levels + SAME_LEVEL, warp);
		}
		c->form = FORM_QUEUE;
		parts_sync(a);
	}
	WARP_IF(*cuts) {
		EACH_PART(a, i) {
			state_t s = part_of(a, i);
			cut(a->out, &s, 0, s.levels + SAME_LEVEL, warp);
		}
		parts_sync(a);
		*edges = tally_of(a, SAME_LEVEL, warp).edges;
	}
	c->remaining -= *edges < c->remaining ? *edges : c->remaining;
	return down && (!c->rising || *edges * a->p.alpha <= c->remaining);
}

// parts_down is a top-down level. A large one leads to bitmaps: so does one whose queues
// would be longer than the words of the bitmaps.
INLINE void parts_down(parts_t *a, uint depth, ulong edges, uint cuts, warp_t warp) {
	control_t *c = &a->c;
	uint large = edges * 2 > a->g->words || (edges > (ulong)GRID_WARPS * LARGE && edges * LARGE_PART > c->remaining);
	WARP_IF(large) {
		EACH_PART(a, i) {
			state_t s = part_of(a, i);
			copy_visited(a->g, &s, c->side);
		}
		parts_sync(a);
	}
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		GLOBAL level_t *level = s.levels + SAME_LEVEL;
		plan_t plan;
		plan.large = large;
		plan.source = cuts ? FROM_RECORDS : level->longs ? FROM_TABLE : FROM_QUEUE;
		plan.records = cuts ? level->records : level->vertices;
		WARP_IF(plan.source == FROM_TABLE) plan.records = tabulate_queue(a->out, s.queue0, level->vertices, a->b, warp);
		expand(a->out, &s, VISITED(&s, c->side), 0, &plan, 0, level, a->b, warp);
	}
	parts_sync(a);
	WARP_IF(large) {
		ulong average = share(c, tally_of(a, FOUND_LEVEL, warp).vertices); // some are counted several times
		uint measures = average * a->p.alpha / 2 <= c->remaining;          // otherwise bottom-up follows
		EACH_PART(a, i) {
			state_t s = part_of(a, i);
			unite_own(a, &s, a->first + i, depth, measures, warp);
		}
		parts_sync(a);
	}
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		if (large) take_words(a, &s, a->first + i, c->side);
		WARP_IF(!large) unite_queues(a, &s, a->first + i, depth, warp);
	}
	parts_sync(a);
	if (large) a->shown = 2 * a->g->words; // once to their owners, and once from these
	c->form = large ? FORM_BITMAP : FORM_QUEUE;
	c->rising = 1;
	a->outdated = 1;
}

// parts_extreme lets the blocks of each part finish the rows that a pass left to them.
INLINE void parts_extreme(parts_t *a, uint depth, uint from, uint to, uint listing, warp_t warp) {
	WARP_IF(some_extreme(a, SAME_LEVEL, warp)) {
		EACH_PART(a, i) {
			state_t s = part_of(a, i);
			extreme_scan(a->g, &s, VISITED(&s, from), 0, s.levels + SAME_LEVEL, a->b, warp);
		}
		parts_sync(a);
		EACH_PART(a, i) {
			state_t s = part_of(a, i);
			extreme_apply(&s, VISITED(&s, to), a->c.list_side, listing, s.levels + SAME_LEVEL);
		}
		parts_sync(a);
	}
}

// parts_full is a pass over all unvisited vertices. listing: see few_left in fused.cu.
INLINE void parts_full(parts_t *a, uint depth, uint frontier, warp_t warp) {
	control_t *c = &a->c;
	uint listing = (ulong)frontier * 20 >= a->rows || (ulong)c->unvisited * 4 <= a->rows;
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		pass_t pass = pass_over(VISITED(&s, c->side), VISITED(&s, !c->side));
		full(a->g, &s, &pass, c->list_side, 0, !c->filled, listing, s.queue0, 0, s.levels + SAME_LEVEL, a->b, warp);
	}
	parts_sync(a);
	parts_extreme(a, depth, c->side, !c->side, 0, warp);
	c->side ^= 1;
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		take_words(a, &s, a->first + i, c->side);
		count_next(&s, depth);
	}
	parts_sync(a);
	a->shown = a->g->words;
	c->form = FORM_BITMAP;
	c->rising = a->outdated = 0;
	c->listed = listing;
	c->filled = 1;
}

// parts_rest is a pass over the rest. It may be the last: see run_rest in fused.cu.
INLINE void parts_rest(parts_t *a, uint depth, uint may_end, warp_t warp) {
	control_t *c = &a->c;
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		remaining(a->g, &s, VISITED(&s, c->side), 0, c->list_side, a->outdated, s.levels + SAME_LEVEL, a->b, warp);
	}
	c->list_side ^= 1;
	a->outdated = 0;
	parts_sync(a);
	parts_extreme(a, depth, c->side, c->side, 1, warp);
	a->closed = may_end && !a->directed && !some_open(a, FOUND_LEVEL, warp);
	EACH_PART(a, i) {
		state_t s = part_of(a, i);
		if (!a->closed) take_found(a, &s);
		count_next(&s, depth);
	}
	parts_sync(a);
	c->form = FORM_LIST;
	c->rising = 0;
}

INLINE uint parts_level(parts_t *a, uint depth, const tally_t *t, uint may_end, warp_t warp) {
	ulong edges;
	uint cuts, down = parts_go_down(a, depth, t, &edges, &cuts, warp);
	uint rest = !down && a->c.listed && (ulong)a->c.unvisited * a->p.dense <= a->rows;
	WARP_IF(down) parts_down(a, depth, edges, cuts, warp);
	WARP_IF(rest) parts_rest(a, depth, may_end, warp);
	WARP_IF(!down && !rest) parts_full(a, depth, t->vertices, warp);
	return down ? TOP_DOWN : rest ? BOTTOM_UP_REST : BOTTOM_UP;
}

// report stores a level for the host, all but the entries that were looked at.
INLINE void report(GLOBAL level_t *to, const level_t *l) {
	to->vertices = l->vertices;
	to->edges = l->edges;
	to->step = l->step;
	to->start = l->start;
	to->shown = l->shown;
}

// search_in_parts runs the levels of a launch. The levels behind the control are those of
// all parts together, for the host.
INLINE void search_in_parts(parts_t *a, ulong edges, uint resume, reply_t reply, warp_t warp) {
	const state_t *s = a->s;
	uint depth = 0;
	WARP_IF(resume) parts_resume(a);
	WARP_IF(!resume) parts_begin(a, edges, warp);
	tally_t t = tally_of(a, 0, warp);
	for (; UNIFORM(depth < a->level_count && t.vertices != 0); depth++) {
		level_t now = empty_level();
		now.vertices = t.vertices;
		now.edges = t.edges;
		now.start = ticks();
		now.step = BOTTOM_UP_REST;
		a->shown = 0;
		WARP_IF(!a->closed) now.step = parts_level(a, depth, &t, depth + 1 < a->level_count, warp);
		t = tally_of(a, NEXT_LEVEL, warp);
		now.shown = now.step == BOTTOM_UP_REST && !a->closed ? t.vertices : a->shown;
		if (GRID_THREAD == 0) report(s->levels + depth, &now);
		a->c.unvisited -= t.vertices;
	}
	a->c.done = t.vertices == 0;
	for (uint d = GRID_WARP; UNIFORM(a->launch == 0 && d < depth); d += GRID_WARPS) {
		ulong examined = examined_in(a, 2 * d, warp);
		if (LANE == 0) s->levels[d].examined = examined;
	}
	EACH_PART(a, i) {
		state_t part = part_of(a, i);
		if (a->c.done && !a->c.filled) finish(a->g, &part, a->c.side);
		if (!a->c.done && PART_THREAD(&part) == 0) part.levels[KEPT_LEVEL(a->level_count)] = part.levels[SAME_LEVEL];
	}
	if (GRID_THREAD == 0) {
		level_t last = empty_level();
		last.vertices = t.vertices;
		report(s->levels + depth, &last);
		a->c.depth = depth;
		a->c.end = ticks();
		save(s->control, &a->c);
	}
	parts_sync(a); // nobody's parents are incomplete when the first launch ends
	grid_exit(&s->control->arrivals, &a->b->is_last, reply.words, reply.count, reply.ticket);
}

#define PARTS_PARAMS \
	GLOBAL level_t *part_levels, GLOBAL const ulong *peers, ulong queue_stride, ulong record_stride, ulong extreme_stride, \
	uint parts, uint first_part, uint mine, uint part_blocks, uint launches, uint launch, uint all_rows, uint directed

KERNEL(1024) search_parts(SEARCH_PARAMS, OUT_PARAMS, PARTS_PARAMS, ulong edges, uint resume, uint level_count, uint alpha, uint beta,
                          uint dense, GLOBAL uint *reply_words, uint reply_count, uint ticket) {
	SEARCH_OPEN;
	OUT_OPEN(out, g);
	BLOCK_OPEN(b);
	REPLY_OPEN(reply);
	parts_t a;
	a.g = &g;
	a.out = &out;
	a.s = &s;
	a.b = b;
	a.levels = part_levels;
	a.peers = peers;
	a.queue_stride = queue_stride;
	a.record_stride = record_stride;
	a.extreme_stride = extreme_stride;
	a.level_count = level_count;
	a.parts = parts;
	a.first = first_part;
	a.mine = mine;
	a.part_blocks = part_blocks;
	a.from = BLOCKS < mine ? 0 : BLOCK % mine;
	a.until = BLOCKS < mine ? mine : a.from + 1;
	a.rank = BLOCKS < mine ? 0 : BLOCK / mine;
	a.launches = launches;
	a.launch = launch;
	a.target = 0;
	a.epoch = 0;
#ifndef __OPENCL_VERSION__
	if (launches > 1) a.epoch = flags_of(&a, launch)[launches]; // that of the end of the last search
#endif
	a.rows = all_rows;
	a.directed = directed;
	a.outdated = 1;
	a.closed = 0;
	a.c = *s.control;
	a.p.alpha = alpha;
	a.p.beta = beta;
	a.p.dense = dense;
	a.p.hot = 0;
	search_in_parts(&a, edges, resume, reply, warp);
}
