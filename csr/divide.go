package csr

import "github.com/gohops/hops/internal/base/par"

const (
	// vectorSlack is how many entries a kernel reads or writes beyond the last one.
	vectorSlack = 16
	// piecesPerWorker is how many pieces of the list, and of the ranks, there are for each
	// worker: a worker that is late leaves some to the others.
	piecesPerWorker = 4
)

// A division says how edges are divided into tiles. The kernel knows its fields.
type division struct {
	columnBits  uint64 // how much of a word the neighbour takes; the row has the bits above
	columnShift uint64 // log₂ of the vertices in a block of neighbours
	stripeShift uint64
	first       [columnBlocks]uint32 // of each block: the first vertex of its round
	tile        [columnBlocks]uint32 // … and the first tile of its round
}

// words writes the entries of edges, and the tile of each, and returns their number.
func (d *division) words(pairs []uint64, tiles []uint16, words []uint32) (n int) {
	if haveVectors && len(pairs) >= lanes {
		whole := len(pairs) / lanes * lanes
		n = divideAVX512(&pairs[0], whole, d, &tiles[0], &words[0])
		pairs = pairs[whole:]
	}
	for _, p := range pairs {
		u, v := uint32(p), uint32(p>>32)
		tiles[n], words[n] = d.word(u, v)
		n += differ(u, v)
		tiles[n], words[n] = d.word(v, u)
		n += differ(u, v)
	}
	return n
}

// word returns the tile of an entry, and what is left of its row and of the neighbour.
func (d *division) word(row, neighbor uint32) (tile uint16, word uint32) {
	block := neighbor >> d.columnShift
	return uint16(d.tile[block] + row>>d.stripeShift), row<<d.columnBits | (neighbor - d.first[block])
}

// A pieceReader takes pieces of the list, which are each read by one worker.
type pieceReader struct {
	begin func(w *tool, piece int)
	add   func(w *tool, piece, n int) error // the first n words of the tool
	end   func(w *tool, piece int) error
}

// eachPiece reads all edges, piece by piece.
func (t *tiling) eachPiece(r pieceReader) error {
	return t.readAll(func(one reading) error {
		return t.team.Try(int64(t.pieces), 1, func(worker int, p, _ int64) error {
			piece, w := int(p), &t.tools[worker]
			lo, hi := par.Split(t.Tuples, blockEdges, piece, t.pieces)
			if lo == hi {
				return nil
			}
			r.begin(w, piece)
			for ; lo < hi; lo += blockEdges {
				err := one(worker, lo, min(lo+blockEdges, hi), func(some block) error {
					return r.add(w, piece, t.division.words(some.pairs, w.at, w.words))
				})
				if err != nil {
					return err
				}
			}
			return r.end(w, piece)
		})
	})
}

// countTiles counts the entries of every tile, piece by piece of the list, and sets where
// they start.
func (t *tiling) countTiles() error {
	tiles := len(t.rounds) * t.stripes
	t.pieces = t.team.Size() * piecesPerWorker
	t.starts = make([][]uint32, t.pieces)
	t.tools = make([]tool, t.team.Size())
	t.team.Run(func(worker int) { t.tools[worker].open(2*blockEdges, max(tiles, t.buckets())) })
	err := t.eachPiece(pieceReader{
		begin: func(_ *tool, piece int) { t.starts[piece] = make([]uint32, tiles) },
		add:   func(w *tool, piece, n int) error { countEach(w.at[:n], t.starts[piece]); return nil },
		end:   func(*tool, int) error { return nil },
	})
	if err != nil {
		return err
	}
	t.tile = make([]uint32, tiles+1)
	sum := uint32(0)
	for k := range tiles {
		t.tile[k] = sum
		for _, starts := range t.starts {
			if starts != nil {
				starts[k], sum = sum, sum+starts[k]
			}
		}
	}
	t.tile[tiles] = sum
	t.Loops = t.Tuples - int64(sum)/2
	return nil
}

// countEach counts how often each number comes.
func countEach(numbers []uint16, counts []uint32) {
	if haveShifts && len(numbers) > 0 {
		countEachAMD64(&numbers[0], len(numbers), &counts[0])
		return
	}
	for _, k := range numbers {
		counts[k]++
	}
}

// endOf returns where the entries of a piece of the list in a tile end.
func (t *tiling) endOf(piece, tile int) uint32 {
	for _, starts := range t.starts[piece+1:] {
		if starts != nil {
			return starts[tile]
		}
	}
	return t.tile[tile+1]
}

// divide puts every entry into its tile.
func (t *tiling) divide() error {
	return t.eachPiece(pieceReader{t.beginPiece, t.spreadPiece, t.endPiece})
}

// beginPiece has the lines of all tiles begin where the entries of the piece do.
func (t *tiling) beginPiece(w *tool, piece int) {
	w.past = true // nobody reads them soon
	for k, start := range t.starts[piece] {
		w.begin(k, start)
	}
}

// spreadPiece puts n entries of a piece into their tiles. The first line of a tile may have
// entries of another piece in front.
func (t *tiling) spreadPiece(w *tool, piece, n int) error {
	for k := w.spread(n, t.room); k >= 0; k = w.spread(n, t.room) {
		l, start, end := &w.lines[k], t.starts[piece][k], t.endOf(piece, k)
		first := start &^ (lineEntries - 1)
		switch {
		case l.to+lineEntries == first: // there is no line before it
		case l.to == first && first+lineEntries <= end:
			copy(t.room[start:], w.full(k)[start-first:])
			l.end = end &^ (lineEntries - 1)
		default:
			return t.changed()
		}
		l.to += lineEntries
	}
	return nil
}

// endPiece writes what is left in the buffers.
func (t *tiling) endPiece(w *tool, piece int) error {
	var rest [ringEntries]uint32
	for k, start := range t.starts[piece] {
		to, n := int(int32(w.lines[k].to)), w.rest(k, &rest)
		if to+n != int(t.endOf(piece, k)) {
			return t.changed()
		}
		skip := max(int(start)-to, 0)
		copy(t.room[to+skip:], rest[skip:n])
	}
	return nil
}
