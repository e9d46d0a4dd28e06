package cluster

import "github.com/gohops/hops/internal/arena"

// An exchanger is an exchange of all ranks with all ranks in two phases: first
// how much there is for whom, then all of it.
type exchanger struct {
	*Rank
	in     []uint64
	out    []uint64 // where edges are collected, if there was a need
	counts []uint64 // from each rank, for each thread
	starts []int64  // of these, in in
}

func newExchanger(r *Rank) *exchanger { return &exchanger{Rank: r} }

func (x *exchanger) free() { arena.Free(&x.mem, x.in) }

// exchange sends out, which stands in the order of the workers it is for, as
// divided by cuts.
func (x *exchanger) exchange(out []uint64, cuts []int64) error {
	ranks, threads := x.comm.Size(), x.team.Size()
	sizes, evenly := make([]uint64, ranks*threads), make([]int64, ranks+1)
	x.counts = make([]uint64, ranks*threads)
	outCuts, inCuts := make([]int64, ranks+1), make([]int64, ranks+1)
	for w := range sizes {
		sizes[w] = uint64(cuts[w+1] - cuts[w])
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
	for i, n := range x.counts {
		x.starts = append(x.starts, at)
		at += int64(n)
		inCuts[i/threads+1] = 8 * at
	}
	if at > int64(len(x.in)) {
		x.free()
		var err error
		if x.in, err = arena.Make[uint64](&x.mem, int(at+at/4)); err != nil {
			return err
		}
	}
	return x.comm.Exchange(arena.Bytes(out), outCuts, arena.Bytes(x.in), inCuts)
}

// from returns what has come from a rank for one of our threads.
func (x *exchanger) from(rank, thread int) []uint64 {
	i := rank*x.team.Size() + thread
	return x.in[x.starts[i]:][:x.counts[i]]
}
