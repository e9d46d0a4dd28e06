package gather

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
)

type shared struct {
	*distributed.Member
	parts parts
	wire  Wire
}

func (s *shared) Bitmap(words int) (bitset.Set, error) {
	mem, err := s.Share(s.Comm, 8*int64(words))
	if err != nil {
		return nil, err
	}
	return arena.View[uint64](mem), nil
}

func (s *shared) Sends() bool      { return s.Hosts.Count > 1 }
func (s *shared) Group() rank.Comm { return s.Hosts.Mine }

// Gather gathers between hosts. A subgroup gathers once for each number of a rank
// that it takes care of, which are several where some hosts have fewer ranks.
//
// No rank of this host still reads the words that other hosts send: the bitmap was
// the frontier of another level. So only the peers must have come, unless a rank
// also gathers the parts of one whose number some hosts do not have.
func (s *shared) Gather(set bitset.Set, members int64, written bool) error {
	h := &s.Hosts
	if h.Count == 1 {
		if written {
			return s.Comm.Barrier()
		}
		return nil
	}
	if h.Least < h.Most {
		if err := h.Mine.Barrier(); err != nil {
			return err
		}
	}
	if h.Local < h.Least {
		for k := h.Local; k < h.Most; k += h.Least {
			if err := s.wire.Gather(h.Peers, set, s.parts.numbered(k), members); err != nil {
				return err
			}
		}
	}
	return h.Mine.Barrier()
}
