package gather

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/rank"
)

type leader struct {
	own
	parts parts
	wire  Wire
}

func (l *leader) Gather(set bitset.Set, members int64, _ bool) error {
	if err := l.collect(set); err != nil {
		return err
	}
	if err := l.between(set, members); err != nil {
		return err
	}
	whole := make([]rank.Span, l.Hosts.Mine.Size())
	whole[0].Hi = 8 * int64(len(set))
	return l.Hosts.Mine.Gather(arena.Bytes(set), whole)
}

// between gathers the parts of all hosts among their leaders.
func (l *leader) between(set bitset.Set, members int64) error {
	if !l.Hosts.Leader {
		return nil
	}
	for k := range l.Hosts.Most {
		if err := l.wire.Gather(l.Hosts.Leaders, set, l.parts.numbered(k), members); err != nil {
			return err
		}
	}
	return nil
}

// collect sends the parts of a host to its first rank.
func (l *leader) collect(set bitset.Set) error {
	me := l.Comm.Rank()
	ranks, mine := l.parts.byHost[l.Comm.Host(me)], l.parts.all[me]
	outCuts, inCuts := make([]int64, len(ranks)+1), make([]int64, len(ranks)+1)
	for r, part := range ranks {
		outCuts[r+1] = mine.Size()
		if l.Hosts.Leader {
			inCuts[r+1] = inCuts[r] + part.Size()
		}
	}
	bitmap := arena.Bytes(set)
	if err := l.Hosts.Mine.Exchange(bitmap[mine.Lo:mine.Hi], outCuts, l.wire.stage, inCuts); err != nil {
		return err
	}
	if l.Hosts.Leader {
		for r, part := range ranks {
			copy(bitmap[part.Lo:part.Hi], l.wire.stage[inCuts[r]:inCuts[r+1]])
		}
	}
	return nil
}

// byLeader gathers a bitmap that the ranks of a host share by its leader.
type byLeader struct {
	shared
	collects bool // the parts of a host are sent to its leader
}

func (b *byLeader) Gather(set bitset.Set, members int64, _ bool) error {
	l, ready := leader{own{b.Member}, b.parts, b.wire}, b.Hosts.Mine.Barrier
	if b.collects {
		ready = func() error { return l.collect(set) }
	}
	if err := ready(); err != nil {
		return err
	}
	if err := l.between(set, members); err != nil {
		return err
	}
	return b.Hosts.Mine.Barrier()
}
