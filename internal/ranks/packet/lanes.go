package packet

import "github.com/gohops/hops/internal/ranks/partition"

// Lanes number the destinations of the packets of one rank: every other rank, and the
// threads of the own one. So a thread has as many open packets as there are ranks and
// threads of a rank, and not as there are threads in all.
//
// Lane r leads to rank r. The lane of the own rank leads to its thread 0, and lanes from the
// number of ranks on lead to its other threads.
type Lanes struct {
	of             []uint32 // by granule
	shift          uint
	ranks, threads int
	me             int
}

// NewLanes numbers the destinations of a rank.
func NewLanes(p *partition.Partition, me int) Lanes {
	l := Lanes{of: p.Owners, shift: p.Shift, ranks: p.Workers() / p.Threads, threads: p.Threads, me: me}
	if p.Threads == 1 {
		return l
	}
	l.of = make([]uint32, len(p.Owners))
	for i, w := range p.Owners {
		if l.of[i] = w / uint32(p.Threads); l.of[i] == uint32(me) {
			l.of[i] = uint32(l.To(int(w) % p.Threads))
		}
	}
	return l
}

// Count is the number of lanes.
func (l *Lanes) Count() int { return l.ranks + l.threads - 1 }

// Of is the lane that leads to a vertex.
func (l *Lanes) Of(v uint64) int { return int(l.of[v>>l.shift]) }

// To is the lane that leads to a thread of the own rank.
func (l *Lanes) To(thread int) int {
	if thread == 0 {
		return l.me
	}
	return l.ranks + thread - 1
}

// Thread is the thread of the own rank that a lane leads to, if it does.
func (l *Lanes) Thread(lane int) (thread int, own bool) {
	if lane == l.me {
		return 0, true
	}
	return lane - l.ranks + 1, lane >= l.ranks
}

// rank is the one that a lane leads to.
func (l *Lanes) rank(lane int) int {
	if lane >= l.ranks {
		return l.me
	}
	return lane
}
