// push.cu: pushes of shortest paths, from records and from frontiers: phases end a bucket.

// take is what follows when distances of vertices were lowered, from what they were before;
// a negative number says that one was not.
INLINE void take(bucket_t *r, const uint *v, const double *before, warp_t warp) {
	const paths_t *s = r->s;
	uint first[ABREAST], fresh[ABREAST], number[ABREAST], at[ABREAST], next = r->phase + 1;
	GLOBAL uint *marks = next & 1 ? s->marks1 : s->marks0;
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		r->lowered += before[k] >= 0;
		r->found += before[k] >= r->bound && !r->flushing;
		first[k] = before[k] == double_of(FORSAKEN);
	}
	if (r->flushing) {
		UNROLL for (uint k = 0; k < ABREAST; k++) number[k] = first[k] ? s->candidate_of[row_number(&s->in, v[k])] : 0;
		append(r->side ? s->carried1 : s->carried0, s->stage->carried + r->side, number, first, at, warp);
		return;
	}
	UNROLL for (uint k = 0; k < ABREAST; k++) number[k] = or_if(marks + (v[k] >> 5), 1u << (v[k] & 31), before[k] >= 0);
	UNROLL for (uint k = 0; k < ABREAST; k++) fresh[k] = before[k] >= 0 && !(number[k] >> (v[k] & 31) & 1);
	append(next & 1 ? s->queue1 : s->queue0, s->stage->queued + next % 3, v, fresh, at, warp);
	if (!r->listing) return;
	append(s->reached, &s->stage->reached, v, first, at, warp);
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		if (first[k]) s->cursors[at[k]] = 0;
	}
}

// relax pushes entries, up to ABREAST of each lane, from vertices with distances.
INLINE void relax(bucket_t *r, const uint2 *entry, const double *far, const uint *from, uint count, warp_t warp) {
	const paths_t *s = r->s;
	double sum[ABREAST], before[ABREAST];
	ulong old[ABREAST], seen[ABREAST];
	uint v[ABREAST], lowers[ABREAST];
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		v[k] = entry[k].x;
		old[k] = LIVE(s->place + v[k]);
		sum[k] = sum_of(s, far[k], entry[k].y);
	}
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		lowers[k] = k < count && sum[k] < r->bound && sum[k] < far_of(s, old[k]);
		seen[k] = swap_if(s->place + v[k], old[k], place_of(s, sum[k], from[k]), lowers[k]);
	}
	UNROLL for (uint k = 0; k < ABREAST; k++) {
		before[k] = !lowers[k] ? -1 : seen[k] == old[k] ? far_of(s, old[k]) : lower(s, v[k], seen[k], sum[k], from[k]);
	}
	take(r, v, before, warp);
}

// near_entry tells whether an entry may make a sum below the bound, and sure_entry whether it
// does, and all before it.
INLINE int near_entry(const bucket_t *r, row_t row, uint at, double far) {
	return sum_of(r->s, far, floor_of(r->s->out.entries[row.start + at].y, row.length)) < r->bound;
}
INLINE int sure_entry(const bucket_t *r, row_t row, uint at, double far) {
	return sum_of(r->s, far, ceiling_of(r->s->out.entries[row.start + at].y, row.length)) < r->bound;
}

// row_end is the first entry of a row from from on that is not near, or not sure.
INLINE uint row_end(const bucket_t *r, row_t row, uint from, double far, int sure) {
	uint low = from, high = row.length;
	for (uint step = 1; low < high; step *= 2) {
		uint at = row.length - low < step ? row.length - 1 : low + step - 1;
		if (!(sure ? sure_entry(r, row, at, far) : near_entry(r, row, at, far))) {
			high = at;
			break;
		}
		low = at + 1;
	}
	while (low < high) {
		uint middle = low + (high - low) / 2;
		if (sure ? sure_entry(r, row, middle, far) : near_entry(r, row, middle, far)) low = middle + 1;
		else high = middle;
	}
	return low;
}

// list_pieces leaves a part of a row to all warps.
INLINE void list_pieces(bucket_t *r, uint v, uint from, uint end) {
	uint n = (end - from + PIECE_ENTRIES - 1) / PIECE_ENTRIES;
	uint at = atomic_add32(r->s->stage->pieces + r->phase % 3, n);
	for (uint i = 0; i < n; i++, from += PIECE_ENTRIES) {
		uint4 piece;
		piece.x = v;
		piece.y = from;
		piece.z = end - from < PIECE_ENTRIES ? end : from + PIECE_ENTRIES;
		piece.w = 0;
		r->s->pieces[at + i] = piece;
	}
}

// push_rows pushes a part of the row of every lane's vertex. The lanes share the entries of
// all rows evenly.
INLINE void push_rows(bucket_t *r, uint v, double far, row_t row, uint from, uint end, warp_t warp) {
	LOCAL push_t *desk = r->desk;
	uint count = end - from, total;
	r->examined += count;
	if (count > PIECE_ENTRIES) {
		list_pieces(r, v, from, end);
		count = 0;
	}
	uint before = warp_prefix(warp, count, &total);
	warp_sync(warp);
	desk->before[LANE] = before;
	desk->vertex[LANE] = v;
	desk->far[LANE] = double_bits(far);
	desk->start[LANE] = row.start + from;
	warp_sync(warp);
	for (uint first = 0; UNIFORM(first < total); first += 32 * ABREAST) {
		uint2 entry[ABREAST];
		double fars[ABREAST];
		uint vertices[ABREAST], mine = 0;
		UNROLL for (uint k = 0; k < ABREAST; k++) {
			uint i = first + 32 * k + LANE, owner = 0;
			if (i < total) mine = k + 1;
			else i = 0;
			UNROLL for (uint step = 16; step > 0; step >>= 1) {
				if (desk->before[owner + step] <= i) owner += step;
			}
			entry[k] = r->s->out.entries[desk->start[owner] + i - desk->before[owner]];
			fars[k] = double_of(desk->far[owner]);
			vertices[k] = desk->vertex[owner];
		}
		relax(r, entry, fars, vertices, mine, warp);
	}
}

// push_pieces pushes the pieces that the phase has made.
INLINE void push_pieces(bucket_t *r, uint n, warp_t warp) {
	const paths_t *s = r->s;
	for (uint p = SPREAD_WARP; UNIFORM(p < n); p += GRID_WARPS) {
		uint4 piece = s->pieces[p];
		ulong start = weighted_at(&s->out, row_number(&s->out, piece.x)).start;
		double far = far_of(s, LIVE(s->place + piece.x));
		for (uint first = piece.y; UNIFORM(first < piece.z); first += 32 * ABREAST) {
			uint2 entry[ABREAST];
			double fars[ABREAST];
			uint vertices[ABREAST], mine = 0;
			UNROLL for (uint k = 0; k < ABREAST; k++) {
				uint i = first + 32 * k + LANE;
				if (i < piece.z) mine = k + 1;
				entry[k] = s->out.entries[start + (i < piece.z ? i : first)];
				fars[k] = far;
				vertices[k] = piece.x;
			}
			relax(r, entry, fars, vertices, mine, warp);
		}
	}
}

INLINE row_t out_row(const paths_t *s, uint v) {
	uint number = row_number(&s->out, v);
	row_t row;
	row.start = 0;
	row.length = 0;
	if (number != NONE) row = weighted_at(&s->out, number);
	return row;
}

// share_of is how many of n vertices a warp takes at a time: few, where there are few.
INLINE uint share_of(uint n) {
	uint each = (n + GRID_WARPS - 1) / GRID_WARPS;
	return each < 1 ? 1 : each > 32 ? 32 : each;
}

// expand pushes the vertices of the frontier below the bound.
INLINE void expand_queue(bucket_t *r, uint n, warp_t warp) {
	const paths_t *s = r->s;
	GLOBAL const uint *queue = r->phase & 1 ? s->queue1 : s->queue0;
	GLOBAL uint *marks = r->phase & 1 ? s->marks1 : s->marks0;
	uint share = share_of(n);
	for (uint first = SPREAD_WARP * share; UNIFORM(first < n); first += GRID_WARPS * share) {
		uint i = first + LANE, end = 0, v = 0;
		double far = 0;
		row_t row;
		row.start = 0;
		if (LANE < share && i < n) {
			v = queue[i];
			marks[v >> 5] = 0; // nobody marks in these now
			far = far_of(s, LIVE(s->place + v));
			row = out_row(s, v);
			end = row_end(r, row, 0, far, 0);
		}
		push_rows(r, v, far, row, 0, end, warp);
	}
}

// push_records pushes what the rows of n records have below the bound; or, flushing, the
// whole rows of vertices nearer than near.
INLINE void push_records(bucket_t *r, uint n, double near, warp_t warp) {
	const paths_t *s = r->s;
	uint share = share_of(n);
	for (uint first = SPREAD_WARP * share; UNIFORM(first < n); first += GRID_WARPS * share) {
		uint i = first + LANE, from = 0, end = 0, v = 0;
		double far = 0;
		row_t row;
		row.start = 0;
		if (LANE < share && i < n && (r->flushing || double_of(s->keys[i]) < r->bound)) {
			v = s->reached[i];
			far = far_of(s, LIVE(s->place + v));
			if (!r->flushing || far < near) {
				row = out_row(s, v);
				from = r->flushing ? 0 : s->cursors[i];
				end = r->flushing ? row.length : row_end(r, row, from, far, 0);
			}
		}
		push_rows(r, v, far, row, from, end, warp);
	}
}

// end_phase waits for the pushes of a phase, and for its pieces.
INLINE void end_phase(bucket_t *r, warp_t warp) {
	bucket_sync(r);
	uint n = LIVE32(r->s->stage->pieces + r->phase % 3);
	WARP_IF(n != 0) {
		push_pieces(r, n, warp);
		bucket_sync(r);
	}
}

// finish_bucket expands frontiers until no distance below the bound changes.
INLINE void finish_bucket(bucket_t *r, warp_t warp) {
	GLOBAL stage_t *stage = r->s->stage;
	end_phase(r, warp);
	r->phase++;
	for (uint n = LIVE32(stage->queued + r->phase % 3); UNIFORM(n != 0); n = LIVE32(stage->queued + r->phase % 3)) {
		if (GRID_THREAD == 0) {
			stage->queued[(r->phase + 2) % 3] = 0;
			stage->pieces[(r->phase + 1) % 3] = 0;
			stage->phases++;
		}
		expand_queue(r, n, warp);
		end_phase(r, warp);
		r->phase++;
	}
}

// measure_records finds the next entries of all records and the least of their sums.
INLINE void measure_records(bucket_t *r, warp_t warp) {
	const paths_t *s = r->s;
	uint n = LIVE32(&s->stage->reached);
	ulong least = FORSAKEN, degree = 0;
	for (ulong i = GRID_THREAD; i < n; i += GRID_THREADS) {
		uint v = s->reached[i];
		double far = far_of(s, LIVE(s->place + v)), key = double_of(FORSAKEN);
		row_t row = out_row(s, v);
		uint at = row_end(r, row, s->cursors[i], far, 1);
		if (at < row.length) key = sum_of(s, far, floor_of(s->out.entries[row.start + at].y, row.length));
		if (key < r->bound) key = r->bound;
		s->cursors[i] = at;
		s->keys[i] = double_bits(key);
		degree += row.length;
		if (double_bits(key) < least) least = double_bits(key);
	}
	for (uint step = 16; UNIFORM(step > 0); step >>= 1) {
		ulong other = warp_get64(warp, least, LANE ^ step);
		if (other < least) least = other;
	}
	degree = warp_sum(warp, degree);
	if (LANE == 0 && least != FORSAKEN) lower64(&s->stage->least, least);
	if (LANE == 0 && degree) atomic_add64(&s->stage->degree, degree);
}
