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
// that a host can look at its context, collect the levels and go on. It also ends
// after so many small levels in a row as patience says, if it says anything: along
// a path a host is faster.

typedef struct {
	uint alpha, beta, dense, hot;
} policy_t;

// A reply is where the host waits for the end of a launch: in pinned memory, count words
// of the control and the levels behind it, then the ticket. Where the host has no such
// memory, it waits for the launch itself and reads them.
typedef struct {
	GLOBAL uint *words;
	uint count, ticket;
} reply_t;

// A run is what the parts of a search share.
typedef struct {
	const graph_t *g;   // rows into the vertices, which bottom-up reads
	const graph_t *out; // rows out of them, which top-down reads: the same of an undirected graph
	const state_t *s;
	LOCAL block_t *b;
	uint target;   // of the grid's barrier
	uint closed;   // no vertex is next to the frontier
	uint paired;   // every vertex in the other bitmap is visited
	uint outdated; // a top-down level has followed the pass that listed the rest
	uint pieces;   // in the table of the root's neighbours, or 0
	uint away;     // the other bitmap has what the last pass over the rest found, not the current one
	control_t c;
	policy_t p;
} run_t;

// is_directed is known to the compiler: it makes code for each kind of graph.
INLINE int is_directed(const run_t *r) { return r->out != r->g; }

INLINE void run_sync(run_t *r) { grid_sync(&r->s->control->arrivals, &r->target); }

// finish_extreme lets the grid finish the rows that a bottom-up pass left to it.
INLINE void finish_extreme(run_t *r, GLOBAL const uint *from, GLOBAL uint *to, uint listing, GLOBAL level_t *level, warp_t warp) {
	WARP_IF(level->extreme != 0) {
		extreme_scan(r->g, r->s, from, 0, level, r->b, warp);
		run_sync(r);
		extreme_apply(r->s, to, r->c.list_side, listing, level);
		run_sync(r);
	}
}

// come_home: the current bitmap has all that is visited, after the next barrier.
INLINE void come_home(run_t *r) {
	if (r->away) apply(r->s, VISITED(r->s, r->c.side), r->c.list_side);
	r->away = 0;
}

// share is the part of the remaining edges that so many vertices have on average.
INLINE ulong share(const control_t *c, uint vertices) {
	return (ulong)((float)c->remaining * ((float)vertices / ((float)c->unvisited + (float)vertices)));
}

// prepare lays out a frontier of so many edges, if they were measured, and returns how
// many there are. A level is large where it has so many that bottom-up will follow: what
// it finds is neither queued nor measured. The bitmap is kept as it was, in case.
INLINE ulong prepare(run_t *r, GLOBAL level_t *level, uint measured, ulong edges, plan_t *plan, warp_t warp) {
	control_t *c = &r->c;
	plan->source = !measured ? FROM_RECORDS
	             : r->pieces ? FROM_TABLE
	             : !level->longs ? FROM_QUEUE
	             : level->vertices <= THREADS ? FROM_TABLE : FROM_RECORDS;
	plan->large = edges > (ulong)GRID_WARPS * LARGE && edges * LARGE_PART > c->remaining;
	plan->records = plan->source == FROM_QUEUE ? level->vertices : r->pieces;
	WARP_IF(plan->source == FROM_RECORDS) cut(r->out, r->s, c->queue_side, level, warp);
	WARP_IF(plan->source == FROM_TABLE && !r->pieces) {
		plan->records = tabulate_queue(r->out, QUEUE(r->s, c->queue_side), level->vertices, r->b, warp);
	}
	if (plan->large) copy_visited(r->g, r->s, c->side);
	WARP_IF(plan->large || plan->source == FROM_RECORDS) run_sync(r);
	if (plan->source == FROM_RECORDS) {
		edges = level->edges;
		plan->records = level->records;
	}
	return edges;
}

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
		come_home(r);
		c->form = FORM_QUEUE;
		run_sync(r);
	}
	WARP_IF(down) edges = prepare(r, level, measured, edges, plan, warp);
	r->pieces = 0;
	c->remaining -= edges < c->remaining ? edges : c->remaining;
	return down && (!c->rising || edges * r->p.alpha <= c->remaining);
}

INLINE void run_down(run_t *r, const plan_t *plan, GLOBAL level_t *level, warp_t warp) {
	expand(r->out, r->s, VISITED(r->s, r->c.side), r->c.queue_side, plan, 1, level, r->b, warp);
	run_sync(r);
	if (!plan->large) r->c.queue_side ^= 1;
	r->c.form = plan->large ? FORM_BITMAP : FORM_QUEUE;
	r->c.rising = 1;
	r->outdated = 1;
}

// few_left guesses whether a full pass will leave so few that the next one goes over the
// rest: a small frontier finds a part of the others only, and a list of them is in vain.
INLINE uint few_left(const run_t *r, uint frontier) {
	return (ulong)frontier * 20 >= r->g->rows || (ulong)r->c.unvisited * 4 <= r->g->rows;
}

INLINE void run_full(run_t *r, uint hot, GLOBAL level_t *level, warp_t warp) {
	control_t *c = &r->c;
	WARP_IF(hot) {
		gather_hot(r->g, r->s, c->side, warp);
		run_sync(r);
	}
	uint queued = c->form == FORM_QUEUE ? level->vertices : 0;
	uint listing = few_left(r, level->vertices);
	pass_t pass = pass_over(VISITED(r->s, c->side), VISITED(r->s, !c->side));
	full(r->g, r->s, &pass, c->list_side, hot, !c->filled, listing, QUEUE(r->s, c->queue_side), queued, level, r->b, warp);
	run_sync(r);
	finish_extreme(r, VISITED(r->s, c->side), VISITED(r->s, !c->side), 0, level, warp);
	c->side ^= 1;
	c->form = FORM_BITMAP;
	c->rising = r->outdated = 0;
	c->listed = listing;
	c->filled = r->paired = 1;
}

// run_rest needs one barrier, since the passes take turns with the bitmaps: each
// reads one and marks what it finds in the other, which the next pass reads. That one
// may lack visited vertices, but none of them is next to a vertex of the rest: all
// have looked for them before. What the last pass has found is added to it here, so
// that the current bitmap lacks at most one pass. Where only vertices of an undirected
// graph are found that have no neighbour but their parent, nobody is next to them, and it
// was the last.
INLINE void run_rest(run_t *r, uint may_end, GLOBAL level_t *level, warp_t warp) {
	control_t *c = &r->c;
	WARP_IF(!r->paired) {
		copy_visited(r->g, r->s, c->side);
		run_sync(r);
		r->paired = 1;
	}
	GLOBAL uint *from = VISITED(r->s, c->side != r->away), *to = VISITED(r->s, c->side == r->away);
	if (c->form == FORM_LIST) apply(r->s, to, c->list_side);
	remaining(r->g, r->s, from, to, c->list_side, r->outdated, level, r->b, warp);
	c->list_side ^= 1;
	r->away ^= 1;
	r->outdated = 0;
	run_sync(r);
	finish_extreme(r, from, to, 1, level, warp);
	c->form = FORM_LIST;
	c->rising = 0;
	r->closed = may_end && !is_directed(r) && !level[1].open;
}

// start_run begins a search and returns how many levels that took.
INLINE uint start_run(run_t *r, ulong edges, uint level_count, warp_t warp) {
	const graph_t *g = r->g, *out = r->out;
	control_t *c = &r->c;
	row_t row = row_of_queued(out, r->s->root);
	uint first = row.length > 0 && row.length <= SORTED;
	begin(out, r->s, level_count);
	WARP_IF(first) r->pieces = begin_with_first(out, r->s, row, r->b, warp);
	c->side = c->list_side = c->listed = 0;
	c->filled = 0;
	c->form = FORM_QUEUE;
	c->queue_side = first;
	c->rising = 1;
	c->unvisited = g->rows - (is_directed(r) ? has_row(g, r->s->root) : row.length > 0) - (first ? row.length : 0);
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
	          : r->p.hot && !(r->c.form == FORM_QUEUE && small_enough(r->g, level->vertices)) ? BOTTOM_UP_HOT : BOTTOM_UP;
	if (GRID_THREAD == 0) level->step = step;
	WARP_IF(step == TOP_DOWN) run_down(r, &plan, level, warp);
	WARP_IF(step == BOTTOM_UP_REST) run_rest(r, may_end, level, warp);
	WARP_IF(step == BOTTOM_UP || step == BOTTOM_UP_HOT) run_full(r, step == BOTTOM_UP_HOT, level, warp);
	r->c.unvisited -= level[1].vertices;
}

// lonely is how many levels in a row had a small frontier, with this one. It is kept
// with the levels, which begin with none: a register would be missed elsewhere. About a
// large frontier nothing more is read than its size. Rows whose entries were not counted
// are taken to be short: after the hubs of a large graph, those of average length that
// the other decisions expect would not be small.
INLINE uint lonely(const run_t *r, GLOBAL level_t *level, uint is_first) {
	uint vertices = level->vertices;
	if (vertices > FEW) return 0;
	ulong edges = r->c.form == FORM_QUEUE && level->measured ? level->edges : 8 * vertices;
	if (vertices + edges > FEW) return 0;
	uint count = is_first ? 1 : level[-1].lonely + 1;
	if (GRID_THREAD == 0) level->lonely = count;
	return count;
}

// search runs the levels of a launch.
INLINE void search(const graph_t *g, const graph_t *out, const state_t *s, ulong edges, uint resume, uint level_count, uint patience,
                   policy_t policy, reply_t reply, LOCAL block_t *b, warp_t warp) {
	run_t r;
	r.g = g;
	r.out = out;
	r.s = s;
	r.b = b;
	r.target = r.closed = r.paired = r.pieces = r.away = 0;
	r.outdated = 1;
	r.c = *s->control;
	r.p = policy;
	uint depth = 0;
	WARP_IF(!resume) depth = start_run(&r, edges, level_count, warp);
	for (; UNIFORM(depth < level_count && s->levels[depth].vertices != 0 &&
	               (!patience || r.closed || lonely(&r, s->levels + depth, depth == 0) < patience)); depth++) {
		GLOBAL level_t *level = s->levels + depth;
		if (GRID_THREAD == 0) level->start = ticks();
		if (GRID_THREAD == 0 && r.closed) level->step = BOTTOM_UP_REST;
		WARP_IF(!r.closed) run_level(&r, depth + 1 < level_count, level, warp);
	}
	r.c.done = s->levels[depth].vertices == 0;
	if (!r.c.done) come_home(&r);
	if (r.c.done && !r.c.filled) finish(g, s, r.c.side);
	if (GRID_THREAD == 0) {
		r.c.depth = depth;
		r.c.end = ticks();
		save(s->control, &r.c);
	}
	grid_exit(&s->control->arrivals, &b->is_last, reply.words, reply.count, reply.ticket);
}

#define POLICY_OPEN(p) \
	policy_t p; \
	p.alpha = alpha; p.beta = beta; p.dense = dense; p.hot = hot_step

#define REPLY_OPEN(reply) \
	reply_t reply; \
	reply.words = reply_words; reply.count = reply_count; reply.ticket = ticket

KERNEL(1024) search_all(SEARCH_PARAMS, ulong edges, uint resume, uint level_count, uint patience,
                        uint alpha, uint beta, uint dense, uint hot_step, GLOBAL uint *reply_words, uint reply_count, uint ticket) {
	SEARCH_OPEN;
	BLOCK_OPEN(b);
	POLICY_OPEN(p);
	REPLY_OPEN(reply);
	search(&g, &g, &s, edges, resume, level_count, patience, p, reply, b, warp);
}
