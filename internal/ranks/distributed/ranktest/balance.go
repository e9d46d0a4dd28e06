package ranktest

import (
	"encoding/json"
	"fmt"

	"github.com/gohops/hops"
)

// spread is a number over ranks as programs read it.
type spread struct{ Least, Mean, Most int64 }

// Balanced checks what the levels of a search by two ranks say of each of them, as
// programs read it. The least and the most are one rank's each, so they add up to
// the totals, which are found by other reductions.
func Balanced(levels []hops.Level) error {
	for i := range levels {
		text, err := json.Marshal(&levels[i])
		if err != nil {
			return err
		}
		var l struct {
			Examined, Bytes int64
			Exchange        map[string]json.RawMessage
		}
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		for key, total := range map[string]int64{"rank_examined": l.Examined, "rank_bytes": l.Bytes, "rank_waiting_ns": -1} {
			var s spread
			if err := json.Unmarshal(l.Exchange[key], &s); err != nil {
				return fmt.Errorf("level %d: %s: %w in %s", i, key, err, text)
			}
			if s.Least < 0 || s.Least > s.Mean || s.Mean > s.Most {
				return fmt.Errorf("level %d: %s: the least is %d, the mean %d and the most %d", i, key, s.Least, s.Mean, s.Most)
			}
			if total >= 0 && (s.Least+s.Most != total || s.Mean != total/2) {
				return fmt.Errorf("level %d: %s: %d and %d, with a mean of %d: all ranks had %d", i, key, s.Least, s.Most, s.Mean, total)
			}
		}
	}
	return nil
}
