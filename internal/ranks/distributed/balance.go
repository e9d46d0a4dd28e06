package distributed

import (
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A balance is what this rank did in each level of a search, and then the least and the
// most that any rank did. They are found by one reduction after the last level: one in
// every level would take longer than many a level does.
type balance struct {
	extremes []uint64 // of each level and number, the most, and the complement of the least
}

// The numbers of a level whose extremes are found.
const (
	ofWork = iota
	ofBytes
	ofWaiting
	ofGathering
	numbers
)

// Note notes the row entries that this rank examined in a level, the bytes that it sent,
// and how long one of its threads waited for others. Where ranks gathered by messages, it
// also notes how long that took, as part of the waiting.
func (m *Member) Note(examined, bytes int64, waiting, gathering time.Duration) {
	for _, n := range [numbers]int64{ofWork: examined, ofBytes: bytes, ofWaiting: int64(waiting), ofGathering: int64(gathering)} {
		m.balance.extremes = append(m.balance.extremes, uint64(n), ^uint64(n))
	}
}

// Forget forgets what was noted of the search before.
func (m *Member) Forget() { m.balance.extremes = m.balance.extremes[:0] }

// CompleteLevels adds the least and the most of all ranks to the levels of a search, which
// have the means. A machine notes all of its levels or none.
func (m *Member) CompleteLevels(levels []hops.Level) error {
	b := &m.balance
	if len(b.extremes) == 0 {
		return nil
	}
	if err := rank.Reduced(m.Comm, rank.Max, b.extremes); err != nil {
		return err
	}
	for i := range levels {
		x, of := levels[i].Exchange, b.extremes[2*numbers*i:]
		for n, s := range [...]*hops.Spread{ofWork: &x.Work, ofBytes: &x.Sent, ofWaiting: &x.Waits} {
			s.Least, s.Most = int64(^of[2*n+1]), int64(of[2*n])
		}
		// The rank that took the least to gather was the last to come: its time is that
		// of the gathering, and the others have waited for it.
		if least := time.Duration(^of[2*ofGathering+1]); least > 0 {
			x.Waiting += x.Gathering - least
			x.Gathering = least
		}
	}
	return nil
}
