package launch

import (
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Reductions within a host bypass MPI. The ranks of a group that are all on one host share
// a board. In each reduction every rank writes its vector into a note of its own on the
// board, and when all notes are there every rank combines them for itself. A level of a
// search has two or three reductions, of a few words each. Sixteen ranks on sixteen cores
// take 16 µs for a level without any work by MPI, whose ranks pass on what others have
// combined, and 3.5 µs by a board; a barrier takes them 7 and 1 µs.
//
// The notes of a reduction have a place in the order of reductions, and places are used
// again after 2 × underWay reductions. By then all ranks have read what was there: a rank
// has at most underWay reductions under way, so one that starts reduction n has read
// reduction n - underWay. All ranks had started that, and so had read n - 2 × underWay.

const (
	// underWay is the number of reductions that a rank may have under way.
	underWay = 4
	// noteWords is the length of a note: its number and the vector. It is an odd number of
	// cache lines, so that the first lines of the notes of all ranks fall into different
	// sets of a cache.
	noteWords = 65 * 8
	// pollsPerProgress is the number of looks at the board in vain between two calls of
	// MPI. Other ranks may wait for a message that only makes progress in such a call.
	pollsPerProgress = 256
)

// A board is one rank's view of the notes of its group.
type board struct {
	comm     *comm
	progress func() error // of MPI
	notes    []uint64     // of all places and ranks: see note
	under    [underWay]*posting
	// posted and read count the reductions that this rank has started, and has the results
	// of. Of the next one to read, the notes of the ranks before seen are there.
	posted, read uint64
	seen         int
	vain         int // looks at the board without success
}

// newBoard gives the group a board if all of its ranks are on this host. All ranks call it.
func (c *comm) newBoard() error {
	for _, host := range c.hosts {
		if host != c.hosts[0] {
			return nil
		}
	}
	memory, err := c.share(int64(boardWords(c.Size()))*int64(unsafe.Sizeof(uint64(0))), false)
	if err != nil {
		return err
	}
	c.board = &board{comm: c, progress: c.Progress, notes: arena.View[uint64](memory)}
	return nil
}

func boardWords(ranks int) int { return 2 * underWay * ranks * noteWords }

// note is the note of a rank in a reduction. The word at its beginning is the number of
// the last reduction, counted from 1, whose vector is there.
func (b *board) note(reduction uint64, rank int) []uint64 {
	place := int(reduction % (2 * underWay))
	return b.notes[(place*b.comm.Size()+rank)*noteWords:][:noteWords]
}

// fits tells whether there is room for a vector in a note.
func (b *board) fits(v []uint64) bool { return len(v) < noteWords }

// A posting is the Pending of a reduction.
type posting struct {
	board  *board
	number uint64
	op     rank.Op
	vector []uint64
}

// reduce starts a reduction. If too many are under way, it waits for the first of them.
func (b *board) reduce(op rank.Op, v []uint64) (rank.Pending, error) {
	if b.posted-b.read == underWay {
		if err := b.under[b.read%underWay].Wait(); err != nil {
			return nil, err
		}
	}
	p := &posting{board: b, number: b.posted, op: op, vector: v}
	b.under[p.number%underWay] = p
	b.posted++
	note := b.note(p.number, b.comm.Rank())
	copy(note[1:], v)
	atomic.StoreUint64(&note[0], b.posted)
	return p, nil
}

// Done implements rank.Pending. A rank may fail after all notes are there, which still
// count, so the failure is read before the notes.
func (p *posting) Done() (bool, error) {
	b := p.board
	err := b.comm.state.err()
	for b.read <= p.number {
		if !b.readNext() {
			if err == nil {
				err = b.lookedInVain()
			}
			return false, err
		}
	}
	return true, nil
}

func (p *posting) Wait() error { return p.board.comm.state.backoff().Await(p.Done) }

// readNext completes the first reduction under way if all notes are there.
func (b *board) readNext() bool {
	for ; b.seen < b.comm.Size(); b.seen++ {
		if atomic.LoadUint64(&b.note(b.read, b.seen)[0]) != b.read+1 {
			return false
		}
	}
	p := b.under[b.read%underWay]
	copy(p.vector, b.note(b.read, 0)[1:])
	for r := 1; r < b.comm.Size(); r++ {
		p.op.Combine(p.vector, b.note(b.read, r)[1:][:len(p.vector)])
	}
	b.read++
	b.seen = 0
	return true
}

// lookedInVain counts a look at the board, and has MPI make progress from time to time.
func (b *board) lookedInVain() error {
	if b.vain++; b.vain%pollsPerProgress != 0 {
		return nil
	}
	return b.comm.failure(b.progress())
}
