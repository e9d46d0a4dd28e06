package csr

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
)

// Construction by transposing twice, of undirected graphs without weights whose labels have
// at most maxTilingBits.
//
// To transpose rows is to go through them in some order and to append every vertex to the
// rows of its neighbours, which then are in that order. So rows whose neighbours come in any
// order, gone through by falling degree, give rows whose neighbours are ordered by degree,
// and nothing is sorted.
//
//  1. count   a pass over the edges: entries of every tile
//  2. divide  another one: every entry goes to its tile, in 4 bytes
//  3. group   tile by tile, entries are put together by row; their number is the degree
//  4. rank    as in the other construction
//  5. rounds  each makes the rows of a share of the vertices:
//     walk    vertices in order of rank: each is put into the bucket of every neighbour
//     deal    bucket by bucket, entries are dealt out to their rows, without duplicates
//
// A tile has the entries of a stripe of rows whose neighbours have their own rows made in one
// round, so that what is left of both labels takes 32 bits. Tiles are where the finished rows
// will be: those of a round hold the same entries transposed, and are read for the last time
// before these are dealt out.
//
// The other construction looks up the rank of each entry and its vertex again, which are cache misses, sorts, and
// reads the edges five times. It took 1.55 to 1.7 s for a Kronecker graph of scale 22 on two
// cores, this one 0.9 s.

const (
	// stripeBits bounds the vertices of a stripe, and those of a bucket: their counters,
	// 16 KiB, stay in the first-level cache.
	stripeBits = 12
	// leastBits is the least of both.
	leastBits = 4
	// columnBlocks is how many ranges of neighbours there are at most, of which rounds are
	// made: as many as a vector has words.
	columnBlocks = 16
)

// Variables, so that tests can lower them.
var (
	// maxTilingBits bounds the labels: there are 4,096 tiles at 22 bits, and four times as
	// many with every further one.
	maxTilingBits = 22
	// tileEntries is how many entries a tile and a bucket should have.
	tileEntries int64 = bucketEntries
)

// A tiling is the plan of a construction and what it holds.
type tiling struct {
	*builder
	stripeShift int // log₂ of the vertices in a stripe
	rowShift    int // … in a bucket of finished rows
	stripes     int // their number
	rounds      []tiledRound
	division    division

	pieces int        // of the list
	starts [][]uint32 // of each piece: where its entries of each tile start; nil if it is empty
	tile   []uint32   // where each tile starts, and the last one ends; round by round
	room   []uint32   // the tiles; later the finished rows
	rowAt  [][]uint32 // of each round: where the entries of each vertex start
	tools  []tool     // of each worker

	ranks    []int // where each piece of the ranks starts, and the last one ends
	hubPiece int   // the first piece without hubs
	pool     pool
	chunk    uint32 // entries of a chunk of the pool
}

// A tiledRound is a range of vertices whose rows are made together.
type tiledRound struct{ first, end int }

// A tool is one worker's memory.
type tool struct {
	spreader
	free  chunks                  // of the pool
	next  [1 << stripeBits]uint32 // where the next entry of each row of a stripe goes
	rows  []uint32                // of a bucket; or a copy of a tile
	state []uint64                // of each row of a bucket: what it got last in the high half, its end in the low
}

// planTiling returns nil if the graph is not for this construction.
func (b *builder) planTiling() *tiling {
	width := bits.Len(uint(max(b.n-1, 1)))
	if b.Directed || b.weighted != nil || width > maxTilingBits || b.Tuples == 0 || b.Tuples >= 1<<30 {
		return nil
	}
	t := &tiling{builder: b}
	t.rowShift = t.shiftFor(2*b.Tuples, 32-width)
	t.stripeShift = t.shiftFor(2*b.Tuples/rounds, 32-(width-2))
	t.stripes = (b.n-1)>>t.stripeShift + 1
	t.planColumns(max(width-4, t.rowShift))
	t.chunk = chunkFor(b.team.Size())
	if entries := int(2 * b.Tuples); !t.affords(entries, entries/rounds) {
		return nil
	}
	return t
}

// affords tells whether so many entries, and a round of so many, take no more memory than Need
// says.
func (t *tiling) affords(entries, round int) bool {
	perVertex := int64(8 + 1 + 2*4 + 4*len(t.rounds)) // Offsets, HubPrefix, counts, vertices by rank, rowAt
	need := 4*int64(entries+vectorSlack+t.poolEntries(round)) + perVertex*int64(t.n+1) + 3*8*int64(bitset.Words(int64(t.n)))
	return need <= Need(hops.Vertex(t.n), t.Tuples)
}

// shiftFor returns log₂ of the number of vertices whose rows have about tileEntries of
// so many, and at most a given one.
func (t *tiling) shiftFor(entries int64, most int) int {
	shift := min(most, stripeBits)
	for shift > leastBits && entries/(int64(t.n>>shift)+1) > tileEntries {
		shift--
	}
	return shift
}

// planColumns makes rounds of blocks of 1<<shift neighbours.
func (t *tiling) planColumns(shift int) {
	t.division = division{
		columnBits:  uint64(32 - t.stripeShift),
		columnShift: uint64(shift), stripeShift: uint64(t.stripeShift),
	}
	blocks := (t.n-1)>>shift + 1
	each := (blocks + rounds - 1) / rounds
	for at := 0; at < blocks; at += each {
		end := min(at+each, blocks)
		for k := at; k < end; k++ {
			t.division.first[k] = uint32(at << shift)
			t.division.tile[k] = uint32(len(t.rounds) * t.stripes)
		}
		t.rounds = append(t.rounds, tiledRound{at << shift, min(end<<shift, t.n)})
	}
}

// transposeTwice makes the rows if this graph is for it, and tells whether it did.
func (b *builder) transposeTwice(order func(*builder)) (done bool, err error) {
	t := b.planTiling()
	if t == nil {
		return false, nil
	}
	if err := t.countTiles(); err != nil || !t.fits() {
		return false, err
	}
	defer t.free()
	for _, step := range []func() error{
		t.makeRoom, t.divide, t.group, func() error { order(b); return nil }, t.transpose,
	} {
		if err := step(); err != nil {
			return false, err
		}
		if err := b.ended(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// fits tells whether all tiles and buckets are small enough to be put in order in a cache, and
// all takes no more memory than Need says. Both may fail where few vertices have many of
// the entries.
func (t *tiling) fits() bool {
	for s := range t.stripes {
		entries := 0
		for r := range t.rounds {
			k := r*t.stripes + s
			entries += int(t.tile[k+1] - t.tile[k])
		}
		if entries > sortedUpTo {
			return false
		}
	}
	return t.affords(t.entries(), t.largestRound())
}

// entries is the number of all entries, duplicates included.
func (t *tiling) entries() int { return int(t.tile[len(t.tile)-1]) }

func (t *tiling) makeRoom() (err error) {
	if t.room, err = arena.Make[uint32](t.mem, t.entries()+vectorSlack); err != nil {
		return err
	}
	t.rowAt = make([][]uint32, len(t.rounds))
	for r := range t.rowAt {
		if t.rowAt[r], err = arena.Make[uint32](t.mem, t.n+1); err != nil {
			return err
		}
	}
	return nil
}

// free releases what is not a part of the graph.
func (t *tiling) free() {
	for _, a := range t.rowAt {
		arena.Free(t.mem, a)
	}
	arena.Free(t.mem, t.pool.entries)
}

// onHugePages returns room for n words, on huge pages unless they are so few that the pages
// do not matter.
func onHugePages(n int) []uint32 {
	if n < leastRoom/8 {
		return make([]uint32, n)
	}
	return arena.OnHeap[uint32](max(n, 2*leastRoom))
}

// rowRoom returns room for the rows of a bucket.
func (w *tool) rowRoom(n int) []uint32 {
	if len(w.rows) < n {
		w.rows = onHugePages(n)
	}
	return w.rows[:n]
}
