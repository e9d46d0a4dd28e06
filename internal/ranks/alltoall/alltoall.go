// Package alltoall is an exchange of all ranks with all ranks in two phases: first
// the ranks tell each other how many words they send to whom, and then they send
// them.
package alltoall

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// An Exchange sends words between the threads of the ranks of a group. It keeps
// its memory from one call to the next.
type Exchange struct {
	// Stop tells all ranks in the calls of Send that follow that this rank has no more
	// to send and waits for nothing.
	Stop bool

	comm    rank.Comm
	threads int // of each rank
	memory  *arena.Arena
	in      []uint64
	out     []uint64
	answers []uint64
	counts  []uint64 // from each rank, for each thread of this one
	starts  []int64  // of these, in in
	words   struct{ out, in []int64 }
	stopped bool
}

// stops is the bit of a count that has Stop.
const stops = 1 << 63

// New returns an exchange of the ranks of a group, each of which has that many
// threads.
func New(comm rank.Comm, threads int, memory *arena.Arena) *Exchange {
	return &Exchange{comm: comm, threads: threads, memory: memory}
}

// Free releases the memory.
func (x *Exchange) Free() {
	arena.Free(x.memory, x.in)
	arena.Free(x.memory, x.out)
	arena.Free(x.memory, x.answers)
	x.in, x.out, x.answers = nil, nil, nil
}

// Keep returns All, which then belongs to the caller.
func (x *Exchange) Keep() []uint64 {
	all := x.All()
	x.in = nil
	return all
}

// Room returns memory for some words to be sent.
func (x *Exchange) Room(words int) ([]uint64, error) {
	err := grow(&x.out, words, x.memory)
	return x.out[:min(words, len(x.out))], err
}

// grow replaces memory that has less than the wanted number of words by more than
// that, so that the next larger wish does not replace it again.
func grow(at *[]uint64, words int, memory *arena.Arena) (err error) {
	if words > len(*at) {
		arena.Free(memory, *at)
		*at, err = arena.Make[uint64](memory, words+words/4)
	}
	return err
}

// Stopped tells whether Stop was set on any rank in the last call of Send. All ranks hear
// the same.
func (x *Exchange) Stopped() bool { return x.stopped }

// Send sends out, in which the words for worker w, the threads of all ranks in
// order, are those from cuts[w] up to cuts[w+1].
func (x *Exchange) Send(out []uint64, cuts []int64) error {
	ranks, threads := x.comm.Size(), x.threads
	sizes, evenly := make([]uint64, ranks*threads), make([]int64, ranks+1)
	x.counts = make([]uint64, ranks*threads)
	outCuts, inCuts := make([]int64, ranks+1), make([]int64, ranks+1)
	for w := range sizes {
		sizes[w] = uint64(cuts[w+1] - cuts[w])
		if x.Stop {
			sizes[w] |= stops
		}
	}
	for r := range ranks {
		evenly[r+1] = evenly[r] + int64(8*threads)
		outCuts[r+1] = 8 * cuts[(r+1)*threads]
	}
	if err := x.comm.Exchange(arena.Bytes(sizes), evenly, arena.Bytes(x.counts), evenly); err != nil {
		return err
	}
	x.starts = make([]int64, 0, ranks*threads)
	at := int64(0)
	x.stopped = false
	for i, n := range x.counts {
		x.stopped = x.stopped || n&stops != 0
		n &^= stops
		x.counts[i] = n
		x.starts = append(x.starts, at)
		at += int64(n)
		inCuts[i/threads+1] = 8 * at
	}
	if err := grow(&x.in, int(at), x.memory); err != nil {
		return err
	}
	x.words.out, x.words.in = cutsOf(outCuts), cutsOf(inCuts)
	return x.comm.Exchange(arena.Bytes(out), outCuts, arena.Bytes(x.in), inCuts)
}

// cutsOf are cuts of words by cuts of their bytes.
func cutsOf(bytes []int64) []int64 {
	words := make([]int64, len(bytes))
	for r, at := range bytes {
		words[r] = at / 8
	}
	return words
}

// All returns all words that have come, in the order of the ranks they come from.
func (x *Exchange) All() []uint64 { return x.in[:x.words.in[x.comm.Size()]] }

// Answer sends a byte back for each word that has come, in the order of All, and
// returns those for the words that were sent, in their order.
func (x *Exchange) Answer(replies []byte) (answers []byte, err error) {
	answers, err = arena.Make[byte](x.memory, int(x.words.out[x.comm.Size()])+1)
	if err != nil {
		return nil, err
	}
	return answers, x.comm.Exchange(replies, x.words.in, answers, x.words.out)
}

// AnswerWords sends a word back for each word that has come, in the order of All, and
// returns those for the words that were sent, in their order.
func (x *Exchange) AnswerWords(replies []uint64) ([]uint64, error) {
	err := grow(&x.answers, int(x.words.out[x.comm.Size()]), x.memory)
	if err != nil {
		return nil, err
	}
	return x.answers, x.comm.Exchange(arena.Bytes(replies), scaled(x.words.in), arena.Bytes(x.answers), scaled(x.words.out))
}

// scaled are cuts of bytes by cuts of words.
func scaled(words []int64) []int64 {
	bytes := make([]int64, len(words))
	for r, at := range words {
		bytes[r] = 8 * at
	}
	return bytes
}

// From returns the words that have come from a rank for one of our threads. They
// are there until the next call of Send.
func (x *Exchange) From(rank, thread int) []uint64 {
	i := rank*x.threads + thread
	return x.in[x.starts[i]:][:x.counts[i]]
}
