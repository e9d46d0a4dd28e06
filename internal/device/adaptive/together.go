package adaptive

import (
	"errors"
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/level"
)

// together is a bottom-up level that host and device divide by ranges of vertices and run
// at the same time. The device gets the bitmap of the visited vertices before the level, and
// returns its part of it after. The search is then on the host.
var together = level.Step{Name: "bottom-up-together", Direction: level.BottomUp}

// paperTogether is its name in the manner of Zhang et al.
const paperTogether = "BT"

// percent is a share of something.
type percent int64

// of is that share of n vertices, rounded down to whole words of the host's bitmaps.
func (p percent) of(n int64) hops.Vertex { return hops.Vertex(n * int64(p) / 100 / 64 * 64) }

// defaultShare is the host's percentage where none is given. It is a guess: lab experiment
// zhang/together measures others.
const defaultShare = 25

// divide adds the step together to the machine, with the host's percentage of the vertices.
func (m *machine) divide(hostShare int) error {
	if hostShare == 0 {
		hostShare = defaultShare
	}
	_, host := m.host.(Sharer)
	_, device := m.device.(Partner)
	switch {
	case hostShare < 0 || hostShare > 100:
		return fmt.Errorf("adaptive: the host's share is %d %%: want 1 to 100", hostShare)
	case !host || !device:
		return errors.New("adaptive: host and device cannot divide a level")
	case m.shares:
		return spec.Refuse(errors.New("adaptive: a level cannot be divided in memory that host and device share: apart=on gives each its own"))
	}
	m.below = percent(100 - hostShare)
	m.steps = append(m.steps, together)
	return nil
}

// runTogether runs a divided level.
func (m *machine) runTogether(s level.Step) (level.Front, level.Outcome, error) {
	bytes, moved, err := m.synchronise(s)
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	cut := m.below.of(m.size)
	f, done, err := m.host.(Sharer).RunFrom(cut, func() ([]uint64, level.Outcome, error) {
		return m.device.(Partner).RunBelow(cut)
	})
	done.Bytes, done.Handover = done.Bytes+bytes, moved
	m.ran = nil
	return f, done, err
}

// synchronise lets both sides know the search: a search on the host is given to the device,
// and one on the device to the host, which goes on with it.
func (m *machine) synchronise(s level.Step) (bytes int64, took time.Duration, err error) {
	if m.here != Portable(m.host) {
		return m.move(s)
	}
	start := time.Now()
	h, err := m.host.Give(s)
	if err == nil {
		err = m.device.Take(h, m.device.Steps()[1])
	}
	if err != nil {
		return 0, 0, err
	}
	m.used = true
	return h.Bytes, time.Since(start), nil
}
