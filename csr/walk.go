package csr

import (
	"slices"
	"sort"
)

// rankCost is what a vertex costs beside its entries, in entries: two lines of memory.
const rankCost = 8

// buckets is the number of buckets of a round, at most.
func (t *tiling) buckets() (most int) {
	for _, r := range t.rounds {
		most = max(most, t.bucketsOf(r))
	}
	return most
}

func (t *tiling) bucketsOf(r tiledRound) int { return (r.end-r.first-1)>>t.rowShift + 1 }

// rankPieces is the number of pieces of the ranks: hubs share none with others.
func (t *tiling) rankPieces() int { return t.team.Size()*piecesPerWorker + 1 }

// cutRanks divides the ranks into pieces that take about the same time, and leaves out those at
// the end that have no edges.
func (t *tiling) cutRanks() {
	const grain = 1024
	blocks := (t.n + grain - 1) / grain
	cost := make([]int64, blocks+1) // of all ranks before each block
	t.team.For(int64(t.n), grain, func(_ int, lo, hi int64) {
		for _, v := range t.byRank[lo:hi] {
			cost[lo/grain+1] += t.rowCost(v)
		}
	})
	for i := range blocks {
		cost[i+1] += cost[i]
	}
	end := sort.Search(blocks, func(i int) bool { return cost[i] == cost[blocks] }) * grain
	t.ranks = []int{0, int(t.hubs), min(end, t.n)}
	pieces := t.rankPieces() - 1
	for p := 1; p < pieces; p++ {
		target := cost[blocks] / int64(pieces) * int64(p)
		block := sort.Search(blocks, func(i int) bool { return cost[i+1] >= target })
		at, sum := block*grain, cost[block]
		for ; sum < target; at++ {
			sum += t.rowCost(t.byRank[at])
		}
		t.ranks = append(t.ranks, at)
	}
	slices.Sort(t.ranks)
	t.hubPiece = slices.Index(t.ranks, int(t.hubs))
}

// rowCost is what a vertex costs in a walk.
func (t *tiling) rowCost(v uint32) int64 {
	n := int64(t.count[v])
	return n + rankCost*min(n, 1)
}

// A walk is the arguments of the kernel that reads rows in the order of ranks.
type walk struct {
	byRank     *uint32
	rank, end  int // the next rank, and the one after the last
	rowAt      *uint32
	room       *uint32
	skip       int // entries of the next row that are done
	columnMask uint64
	rowShift   uint64
	up         uint64 // by how much the row within its bucket is shifted
	at         *uint16
	words      *uint32
	most, n    int // when to stop, and the number of words
}

// walkRound fills the buckets of a round.
func (t *tiling) walkRound(round int) {
	t.pool.used.Store(0)
	for i := range t.tools {
		t.tools[i].free = chunks{}
	}
	t.team.For(int64(len(t.ranks)-1), 1, func(worker int, p, _ int64) {
		if t.ctx.Err() == nil {
			t.walkPiece(&t.tools[worker], round, int(p))
		}
	})
}

// walkPiece walks over one piece of the ranks.
func (t *tiling) walkPiece(w *tool, round, piece int) {
	w.past = false
	for b := range t.buckets() {
		*t.chainOf(piece, b) = noChain
		w.begin(b, 0)
	}
	k := walk{
		byRank: &t.byRank[0], rank: t.ranks[piece], end: t.ranks[piece+1], rowAt: &t.rowAt[round][0], room: &t.room[0],
		columnMask: 1<<t.division.columnBits - 1, rowShift: uint64(t.rowShift), up: uint64(32 - t.rowShift),
		at: &w.at[0], words: &w.words[0], most: 2 * blockEdges,
	}
	for k.rank < k.end {
		if haveVectors {
			walkAVX512(&k)
		} else {
			t.walkEach(&k, w, round)
		}
		for b := w.spread(k.n, t.pool.entries); b >= 0; b = w.spread(k.n, t.pool.entries) {
			if w.lines[b].to == noLine {
				w.lines[b].to = 0
				continue
			}
			t.append(w, t.chainOf(piece, b), b, w.full(b))
		}
	}
	t.endWalk(w, piece)
}

// endWalk writes what is left in the buffers.
func (t *tiling) endWalk(w *tool, piece int) {
	var rest [ringEntries]uint32
	for b := range t.buckets() {
		c, n := t.chainOf(piece, b), w.rest(b, &rest)
		if w.lines[b].to != noLine {
			t.append(w, c, b, rest[:lineEntries])
		}
		if n > lineEntries {
			t.append(w, c, b, rest[lineEntries:n])
		}
		if l := w.lines[b]; c.first != noChunk {
			c.entries += l.to - (l.end - t.chunk)
		}
	}
}

// walkEach is the kernel in Go.
func (t *tiling) walkEach(k *walk, w *tool, round int) {
	at := t.rowAt[round]
	k.n = 0
	for ; k.rank < k.end; k.rank++ {
		v := t.byRank[k.rank]
		row := t.room[at[v]:at[v+1]][k.skip:]
		some := row[:min(len(row), k.most-k.n)]
		for _, word := range some {
			w.at[k.n] = uint16(word & uint32(k.columnMask) >> k.rowShift)
			w.words[k.n] = word<<k.up | v
			k.n++
		}
		if len(some) < len(row) {
			k.skip += len(some)
			return
		}
		k.skip = 0
	}
}
