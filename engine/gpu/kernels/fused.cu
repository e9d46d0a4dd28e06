// fused.cu: all levels of a search in one launch.
//
// The parts of a level are those of steps.cu, with a barrier of the whole grid
// between them. After a barrier every block reads the same counts, so that all
// of them take the same decisions without a further word:
//
//   top-down     while alpha · edges of the frontier ≤ edges of the unvisited,
//                and after a bottom-up level once beta · frontier < unvisited,
//                unless so few are left that the grid looks at all of them at once
//   bottom-up    otherwise; over the rest once dense · unvisited ≤ rows, and
//                before that over everything
//
// A launch runs a bounded number of levels and leaves its state in control, so
// that a host can look at its context, collect the levels and go on.

typedef struct {
	uint alpha, beta, dense, hot;
} policy_t;

// A run is what the parts of a search share.
typedef struct {
	const graph_t *g;
	const state_t *s;
	LOCAL block_t *b;
	uint target; // of the grid's barrier
	uint closed; // no vertex is next to the frontier
	control_t c;
	policy_t p;
} run_t;

INLINE void run_sync(run_t *r) { grid_sync(&r->s->control->arrivals, &r->target); }

// settle_heavy lets the grid finish the rows that a bottom-up pass left to it.
INLINE void settle_heavy(run_t *r, GLOBAL const uint *from, GLOBAL uint *to, uint listing, GLOBAL level_t *level, warp_t warp) {
	WARP_IF(level->heavy != 0) {
		heavy_scan(r->g, r->s, from, level, r->b, warp);
		run_sync(r);
		heavy_apply(r->s, to, r->c.list_side, listing, level);
		run_sync(r);
	}
}

// share is the part of the remaining edges that so many vertices have on average.
INLINE ulong share(const control_t *c, uint vertices) {
	return (ulong)((float)c->remaining * ((float)vertices / ((float)c->unvisited + (float)vertices)));
}

// A plan is how a level that may go top-down would do it.
typedef struct {
	uint source, large;
} plan_t;

// goes_down decides about the direction of the level. The edges of a frontier that
// was not measured are first taken to be average, and counted by a cut only where
// that does not already say bottom-up.
INLINE int goes_down(run_t *r, GLOBAL level_t *level, plan_t *plan, warp_t warp) {
	control_t *c = &r->c;
	uint vertices = level->vertices, queued = c->form == FORM_QUEUE, measured = queued && level->measured;
	ulong edges = measured ? level->edges : share(c, vertices);
	int down = c->rising ? edges * r->p.alpha <= c->remaining - edges
	                     : (ulong)vertices * r->p.beta < c->unvisited && c->unvisited > GRID_THREADS;
	WARP_IF(down && !queued) {
		WARP_IF(c->form == FORM_BITMAP) requeue_bitmap(r->g, r->s, c->side, c->queue_side, level, warp);
		WARP_IF(c->form == FORM_LIST) requeue_list(r->g, r->s, c->list_side, c->queue_side, level, warp);
		c->form = FORM_QUEUE;
		run_sync(r);
	}
	plan->source = !measured ? FROM_RECORDS : !level->longs ? FROM_QUEUE : vertices <= THREADS ? FROM_TABLE : FROM_RECORDS;
	plan->large = down && plan->source == FROM_RECORDS && edges > (ulong)GRID_WARPS * LARGE * PIECE;
	WARP_IF(down && plan->source == FROM_RECORDS) {
		cut(r->g, r->s, c->queue_side, level, warp);
		if (plan->large) copy_visited(r->g, r->s, c->side);
		run_sync(r);
		edges = level->edges;
	}
	c->remaining -= edges < c->remaining ? edges : c->remaining;
	return down && (!c->rising || edges * r->p.alpha <= c->remaining);
}

INLINE void run_down(run_t *r, const plan_t *plan, GLOBAL level_t *level, warp_t warp) {
	uint records = plan->source == FROM_RECORDS ? level->records : level->vertices;
	expand(r->g, r->s, VISITED(r->s, r->c.side), r->c.queue_side, plan->source, records, plan->large, level, r->b, warp);
	run_sync(r);
	if (!plan->large) r->c.queue_side ^= 1;
	r->c.form = plan->large ? FORM_BITMAP : FORM_QUEUE;
	r->c.rising = 1;
}

INLINE void run_full(run_t *r, uint hot, GLOBAL level_t *level, warp_t warp) {
	control_t *c = &r->c;
	WARP_IF(hot) {
		gather_hot(r->g, r->s, c->side, warp);
		run_sync(r);
	}
	uint queued = c->form == FORM_QUEUE ? level->vertices : 0;
	full(r->g, r->s, c->side, c->list_side, hot, !c->filled, 0, QUEUE(r->s, c->queue_side), queued, level, r->b, warp);
	run_sync(r);
	settle_heavy(r, VISITED(r->s, c->side), VISITED(r->s, !c->side), 0, level, warp);
	c->side ^= 1;
	c->form = FORM_BITMAP;
	c->rising = 0;
	c->listed = c->filled = 1;
}

// run_rest leaves its last part out where it is the end: nobody is next to a vertex
// that has no neighbour but its parent.
INLINE void run_rest(run_t *r, uint may_end, GLOBAL level_t *level, warp_t warp) {
	GLOBAL uint *visited = VISITED(r->s, r->c.side);
	remaining(r->g, r->s, visited, r->c.list_side, level, r->b, warp);
	r->c.list_side ^= 1;
	run_sync(r);
	settle_heavy(r, visited, visited, 1, level, warp);
	r->c.form = FORM_LIST;
	r->c.rising = 0;
	r->closed = may_end && !level[1].open;
	WARP_IF(!r->closed) {
		apply(r->s, visited, r->c.list_side);
		run_sync(r);
	}
}

// start_run begins a search and returns how many levels that took.
INLINE uint start_run(run_t *r, ulong edges, uint level_count, warp_t warp) {
	const graph_t *g = r->g;
	control_t *c = &r->c;
	row_t row = row_of_queued(g, r->s->root);
	uint first = row.length > 0 && row.length <= SORTED;
	begin(g, r->s, level_count);
	WARP_IF(first) begin_with_first(g, r->s, row, r->b, warp);
	c->side = c->list_side = c->listed = 0;
	c->filled = 0;
	c->form = FORM_QUEUE;
	c->queue_side = first;
	c->rising = 1;
	c->unvisited = g->rows - (row.length > 0) - (first ? row.length : 0);
	c->remaining = edges - (first ? row.length : 0);
	run_sync(r);
	return first;
}

INLINE void save(GLOBAL control_t *out, const control_t *c) {
	out->depth = c->depth;
	out->done = c->done;
	out->side = c->side;
	out->queue_side = c->queue_side;
	out->list_side = c->list_side;
	out->form = c->form;
	out->listed = c->listed;
	out->filled = c->filled;
	out->unvisited = c->unvisited;
	out->rising = c->rising;
	out->remaining = c->remaining;
	out->end = c->end;
}

// run_level runs one level, in whatever way is best. may_end says that this launch
// has room for another one.
INLINE void run_level(run_t *r, uint may_end, GLOBAL level_t *level, warp_t warp) {
	plan_t plan;
	uint step = goes_down(r, level, &plan, warp) ? TOP_DOWN
	          : r->c.listed && (ulong)r->c.unvisited * r->p.dense <= r->g->rows ? BOTTOM_UP_REST
	          : r->p.hot ? BOTTOM_UP_HOT : BOTTOM_UP;
	if (GRID_THREAD == 0) level->step = step;
	WARP_IF(step == TOP_DOWN) run_down(r, &plan, level, warp);
	WARP_IF(step == BOTTOM_UP_REST) run_rest(r, may_end, level, warp);
	WARP_IF(step == BOTTOM_UP || step == BOTTOM_UP_HOT) run_full(r, step == BOTTOM_UP_HOT, level, warp);
	r->c.unvisited -= level[1].vertices;
}

KERNEL(1024) search_all(SEARCH_PARAMS, ulong edges, uint resume, uint level_count, uint alpha, uint beta,
                        uint dense, uint hot_step) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	run_t r;
	r.g = &g;
	r.s = &s;
	r.b = b;
	r.target = r.closed = 0;
	r.c = *s.control;
	r.p.alpha = alpha;
	r.p.beta = beta;
	r.p.dense = dense;
	r.p.hot = hot_step;
	uint depth = 0;
	WARP_IF(!resume) depth = start_run(&r, edges, level_count, warp);
	for (; depth < level_count && s.levels[depth].vertices != 0; depth++) {
		GLOBAL level_t *level = s.levels + depth;
		if (GRID_THREAD == 0) level->start = ticks();
		if (GRID_THREAD == 0 && r.closed) level->step = BOTTOM_UP_REST;
		WARP_IF(!r.closed) run_level(&r, depth + 1 < level_count, level, warp);
	}
	r.c.done = s.levels[depth].vertices == 0;
	if (r.c.done && !r.c.filled) finish(&g, &s, r.c.side);
	if (GRID_THREAD == 0) {
		r.c.depth = depth;
		r.c.end = ticks();
		save(s.control, &r.c);
	}
	grid_exit(&s.control->arrivals);
}
