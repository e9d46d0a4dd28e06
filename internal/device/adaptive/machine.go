package adaptive

import (
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A machine is two machines of which one has the search.
type machine struct {
	host   Host
	device Device
	steps  []level.Step

	deviceName string // as the device's steps have it

	here Portable
	used bool  // the device has had this search
	size int64 // vertices
	tree int64 // bytes that come back from a device that was used

	shares  bool // the device has memory in which the host can search
	sharing bool // the host does so in this search, and the device must know when

	ran []hops.Level // by the last step, if that ran several levels

	below percent // of the vertices that the device looks for in a divided level
}

func newMachine(host Host, device Device) *machine {
	return &machine{
		host: host, device: device, steps: append(append([]level.Step(nil), host.Steps()...), device.Steps()...),
		deviceName: device.Steps()[0].Device, shares: device.Shared().Visited != nil,
	}
}

func (m *machine) Steps() []level.Step { return m.steps }

// bind prepares for searches that fill t.
func (m *machine) bind(t *hops.Tree) error {
	if err := m.bindHost(t); err != nil {
		return err
	}
	if err := m.device.Bind(t); err != nil {
		return err
	}
	shared := m.device.Shared()
	m.host.Share(shared)
	m.sharing = m.shares
	if shared.Parents {
		m.tree = 0
	}
	return nil
}

func (m *machine) bindHost(t *hops.Tree) error {
	if err := m.host.Bind(t); err != nil {
		return err
	}
	m.here, m.used = m.host, false
	m.size, m.tree = int64(t.Len()), 4*int64(t.Len())
	return nil
}

// resume is for a search whose first levels the device ran alone, in memory of its own.
func (m *machine) resume(t *hops.Tree, ran []hops.Level) error {
	err := m.bindHost(t)
	m.here, m.used, m.ran = m.device, true, ran
	return err
}

// Seed implements level.Machine. The search begins on the host, in name: it costs
// nothing to let the device have the first level.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	m.here, m.used, m.ran = m.host, false, nil
	return m.host.Seed(root)
}

// moves is the number of bytes that must cross the bus before the other machine could
// run the next level, and those of the tree that must come back in the end.
func (m *machine) moves() int64 {
	if m.used {
		return m.here.Moves()
	}
	return m.here.Moves() + m.tree
}

// at is the device that holds the search.
func (m *machine) at() string {
	if m.here == Portable(m.host) {
		return ""
	}
	return m.deviceName
}

// lastRan are the levels of the last step, if that ran several.
func (m *machine) lastRan() []hops.Level { return m.ran }

// Run implements level.Machine. It first moves the search to where the step is.
func (m *machine) Run(s level.Step) (level.Front, level.Outcome, error) {
	if s.Name == together.Name {
		return m.runTogether(s)
	}
	bytes, moved, err := m.move(s)
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	f, done, err := m.here.Run(s)
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	done.Bytes, done.Handover = done.Bytes+bytes, moved
	if len(done.Ran) > 0 {
		first := &done.Ran[0]
		first.Bytes, first.Handover, first.Time = first.Bytes+bytes, moved, first.Time+moved
	}
	m.ran = done.Ran
	return f, done, nil
}

func (m *machine) move(s level.Step) (bytes int64, took time.Duration, err error) {
	to := Portable(m.host)
	if s.Device != "" {
		to = m.device
	}
	if to == m.here {
		return 0, 0, nil
	}
	start := time.Now()
	h, err := m.here.Give(s)
	if err != nil {
		return 0, 0, err
	}
	if err := to.Take(h, s); err != nil {
		return 0, 0, err
	}
	m.here = to
	m.used = m.used || s.Device != ""
	return h.Bytes, time.Since(start), nil
}

// finish completes the tree. The time for that is part of the last level.
func (m *machine) finish(trace *hops.Trace) error {
	if !m.used {
		return nil
	}
	start := time.Now()
	var h *level.State
	if m.here == Portable(m.host) {
		var err error
		if h, err = m.host.Give(level.Step{Direction: level.BottomUp}); err != nil {
			return err
		}
	}
	bytes, err := m.device.Finish(h)
	if err != nil {
		return err
	}
	took := time.Since(start)
	last := &trace.Levels[len(trace.Levels)-1]
	last.Bytes, last.Handover, last.Time = last.Bytes+bytes, last.Handover+took, last.Time+took
	return nil
}
