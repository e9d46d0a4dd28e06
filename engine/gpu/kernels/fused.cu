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

// settle_heavy lets the grid finish the rows that a bottom-up pass left to it.
INLINE void settle_heavy(const graph_t *g, const state_t *s, GLOBAL const uint *from, GLOBAL uint *to, uint list_side,
                         uint listing, GLOBAL level_t *level, LOCAL block_t *b, uint *target, warp_t warp) {
	WARP_IF(level->heavy != 0) {
		heavy_scan(g, s, from, level, b, warp);
		grid_sync(&s->control->arrivals, target);
		heavy_apply(s, to, list_side, listing, level);
		grid_sync(&s->control->arrivals, target);
	}
}

// share is the part of the remaining edges that so many vertices have on average.
INLINE ulong share(const control_t *c, uint vertices) {
	return (ulong)((float)c->remaining * ((float)vertices / ((float)c->unvisited + (float)vertices)));
}

// A plan is how a level that may go top-down would do it.
typedef struct {
	uint cut_up, large;
} plan_t;

// goes_down decides about the direction of the level. The edges of a frontier that
// was not measured are first taken to be average, and counted by a cut only where
// that does not already say bottom-up.
INLINE int goes_down(const graph_t *g, const state_t *s, control_t *c, const policy_t *p, GLOBAL level_t *level, plan_t *plan,
                     uint *target, warp_t warp) {
	uint vertices = level->vertices, queued = c->form == FORM_QUEUE, measured = queued && level->measured;
	ulong edges = measured ? level->edges : share(c, vertices);
	int down = c->rising ? edges * p->alpha <= c->remaining - edges
	                     : (ulong)vertices * p->beta < c->unvisited && c->unvisited > GRID_THREADS;
	WARP_IF(down && !queued) {
		WARP_IF(c->form == FORM_BITMAP) requeue_bitmap(g, s, c->side, c->queue_side, level, warp);
		WARP_IF(c->form == FORM_LIST) requeue_list(g, s, c->list_side, c->queue_side, level, warp);
		grid_sync(&s->control->arrivals, target);
	}
	plan->cut_up = down && (!measured || level->longs);
	plan->large = plan->cut_up && edges > (ulong)GRID_WARPS * LARGE * PIECE;
	WARP_IF(plan->cut_up) {
		cut(g, s, c->queue_side, level, warp);
		if (plan->large) copy_visited(g, s, c->side);
		grid_sync(&s->control->arrivals, target);
		edges = level->edges;
	}
	c->remaining -= edges < c->remaining ? edges : c->remaining;
	return down && (!c->rising || edges * p->alpha <= c->remaining);
}

INLINE void run_down(const graph_t *g, const state_t *s, control_t *c, const plan_t *plan, GLOBAL level_t *level, LOCAL block_t *b,
                     uint *target, warp_t warp) {
	expand(g, s, VISITED(s, c->side), c->queue_side, plan->cut_up, plan->large, level, b, warp);
	grid_sync(&s->control->arrivals, target);
	if (!plan->large) c->queue_side ^= 1;
	c->form = plan->large ? FORM_BITMAP : FORM_QUEUE;
	c->rising = 1;
}

INLINE void run_full(const graph_t *g, const state_t *s, control_t *c, uint hot, GLOBAL level_t *level, LOCAL block_t *b,
                     uint *target, warp_t warp) {
	WARP_IF(hot) {
		gather_hot(g, s, c->side, warp);
		grid_sync(&s->control->arrivals, target);
	}
	full(g, s, c->side, c->list_side, hot, !c->filled, level, b, warp);
	grid_sync(&s->control->arrivals, target);
	settle_heavy(g, s, VISITED(s, c->side), VISITED(s, !c->side), c->list_side, 0, level, b, target, warp);
	c->side ^= 1;
	c->form = FORM_BITMAP;
	c->rising = 0;
	c->listed = c->filled = 1;
}

INLINE void run_rest(const graph_t *g, const state_t *s, control_t *c, GLOBAL level_t *level, LOCAL block_t *b, uint *target, warp_t warp) {
	GLOBAL uint *visited = VISITED(s, c->side);
	remaining(g, s, visited, c->list_side, level, b, warp);
	c->list_side ^= 1;
	grid_sync(&s->control->arrivals, target);
	settle_heavy(g, s, visited, visited, c->list_side, 1, level, b, target, warp);
	apply(s, visited, c->list_side);
	grid_sync(&s->control->arrivals, target);
	c->form = FORM_LIST;
	c->rising = 0;
}

KERNEL(1024) search_all(SEARCH_PARAMS, ulong edges, uint resume, uint level_count, uint alpha, uint beta,
                        uint dense, uint hot_step) {
	SEARCH_OPEN;
	__local block_t b;
	uint target = 0;
	policy_t p;
	p.alpha = alpha;
	p.beta = beta;
	p.dense = dense;
	p.hot = hot_step;
	control_t c = *s.control;
	WARP_IF(!resume) {
		begin(&g, &s, level_count);
		c.side = c.queue_side = c.list_side = c.listed = c.filled = 0;
		c.form = FORM_QUEUE;
		c.rising = 1;
		c.unvisited = rows - has_row(&g, root);
		c.remaining = edges;
		grid_sync(&s.control->arrivals, &target);
	}
	uint depth = 0;
	for (; depth < level_count && s.levels[depth].vertices != 0; depth++) {
		GLOBAL level_t *level = s.levels + depth;
		if (GRID_THREAD == 0) level->start = ticks();
		plan_t plan;
		uint step = goes_down(&g, &s, &c, &p, level, &plan, &target, warp) ? TOP_DOWN
		          : c.listed && (ulong)c.unvisited * p.dense <= rows ? BOTTOM_UP_REST
		          : p.hot ? BOTTOM_UP_HOT : BOTTOM_UP;
		if (GRID_THREAD == 0) level->step = step;
		WARP_IF(step == TOP_DOWN) run_down(&g, &s, &c, &plan, level, &b, &target, warp);
		WARP_IF(step == BOTTOM_UP_REST) run_rest(&g, &s, &c, level, &b, &target, warp);
		WARP_IF(step == BOTTOM_UP || step == BOTTOM_UP_HOT) run_full(&g, &s, &c, step == BOTTOM_UP_HOT, level, &b, &target, warp);
		c.unvisited -= level[1].vertices;
	}
	c.done = s.levels[depth].vertices == 0;
	if (c.done && !c.filled) finish(&g, &s, c.side);
	if (GRID_THREAD == 0) {
		c.depth = depth;
		c.end = ticks();
		c.arrivals = c.exits = 0;
		GLOBAL control_t *out = s.control;
		out->depth = c.depth;
		out->done = c.done;
		out->side = c.side;
		out->queue_side = c.queue_side;
		out->list_side = c.list_side;
		out->form = c.form;
		out->listed = c.listed;
		out->filled = c.filled;
		out->unvisited = c.unvisited;
		out->rising = c.rising;
		out->remaining = c.remaining;
		out->end = c.end;
	}
	grid_exit(&s.control->arrivals);
}
