package csr

// group puts the entries of each tile together by row, and sets count.
func (t *tiling) group() error {
	t.team.For(int64(t.stripes), 1, func(worker int, s, _ int64) {
		for r := range t.rounds {
			if t.ctx.Err() == nil {
				t.groupTile(&t.tools[worker], r, int(s))
			}
		}
	})
	for r, at := range t.rowAt {
		at[t.n] = t.tile[(r+1)*t.stripes]
	}
	return nil
}

// groupTile is group for one tile.
func (t *tiling) groupTile(w *tool, round, stripe int) {
	lo, hi := stripe<<t.stripeShift, min((stripe+1)<<t.stripeShift, t.n)
	k := round*t.stripes + stripe
	tile, counts, next := t.room[t.tile[k]:t.tile[k+1]], t.count[lo:hi], w.next[:hi-lo]
	copied := w.rowRoom(len(tile))
	clear(next)
	t.countRows(tile, copied, next)
	at, sum := t.rowAt[round][lo:hi], t.tile[k]
	for i, n := range next {
		at[i], next[i] = sum, sum
		sum += n
		counts[i] += n
	}
	t.putTogether(copied, next)
}

// countRows counts the entries of each row, and copies them all.
func (t *tiling) countRows(tile, copied, counts []uint32) {
	shift := t.division.columnBits
	if haveShifts && len(tile) > 0 {
		countRowsAMD64(&tile[0], len(tile), shift, &copied[0], &counts[0])
		return
	}
	for i, w := range tile {
		copied[i] = w
		counts[w>>shift]++
	}
}

// putTogether writes entries to the tiles, each behind the others of its row.
func (t *tiling) putTogether(words, next []uint32) {
	shift := t.division.columnBits
	if haveShifts && len(words) > 0 {
		putTogetherAMD64(&words[0], len(words), shift, &next[0], &t.room[0])
		return
	}
	for _, w := range words {
		at := &next[w>>shift]
		t.room[*at] = w
		*at++
	}
}
