package adaptive

import (
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A machine is two machines of which one has the search.
type machine struct {
	host   level.Host
	device level.Device
	steps  []level.Step

	here level.Portable
	used bool  // the device has had this search
	size int64 // vertices
	tree int64 // bytes that come back from a device that was used

	lent     bool // the device has memory for the host to work in
	borrowed bool // which does so, and the device must know when
}

func newMachine(host level.Host, device level.Device) *machine {
	return &machine{
		host: host, device: device, steps: append(append([]level.Step(nil), host.Steps()...), device.Steps()...),
		lent: device.Lent().Visited != nil,
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
	lent := m.device.Lent()
	m.host.Borrow(lent)
	m.borrowed = m.lent
	if lent.Parents {
		m.tree = 0
	}
	return nil
}

func (m *machine) bindHost(t *hops.Tree) error {
	m.here, m.used = m.host, false
	m.size, m.tree = int64(t.Len()), 4*int64(t.Len())
	return m.host.Bind(t)
}

// goOn is for a search that the device has begun alone, in memory of its own.
func (m *machine) goOn(t *hops.Tree) error {
	err := m.bindHost(t)
	m.here, m.used = m.device, true
	return err
}

// Seed implements level.Machine. The search begins on the host, in name: it costs
// nothing to let the device have the first level.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	m.here, m.used = m.host, false
	f, err := m.host.Seed(root)
	f.Moves += m.tree
	return f, err
}

// Run implements level.Machine. It first moves the search to where the step is.
func (m *machine) Run(s level.Step) (level.Front, error) {
	bytes, moved, err := m.move(s)
	if err != nil {
		return level.Front{}, err
	}
	f, err := m.here.Run(s)
	if err != nil {
		return level.Front{}, err
	}
	f.Device, f.Bytes, f.Handover = s.Device, f.Bytes+bytes, moved
	if !m.used {
		f.Moves += m.tree
	}
	if len(f.Ran) > 0 {
		first := &f.Ran[0]
		first.Bytes, first.Handover, first.Time = first.Bytes+bytes, moved, first.Time+moved
	}
	return f, nil
}

func (m *machine) move(s level.Step) (bytes int64, took time.Duration, err error) {
	to := level.Portable(m.host)
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

// settle completes the tree. What that takes is part of the last level.
func (m *machine) settle(trace *hops.Trace) error {
	if !m.used {
		return nil
	}
	start := time.Now()
	var h *level.Handover
	if m.here == level.Portable(m.host) {
		var err error
		if h, err = m.host.Give(level.Step{Direction: level.BottomUp}); err != nil {
			return err
		}
	}
	bytes, err := m.device.Settle(h)
	if err != nil {
		return err
	}
	took := time.Since(start)
	last := &trace.Levels[len(trace.Levels)-1]
	last.Bytes, last.Handover, last.Time = last.Bytes+bytes, last.Handover+took, last.Time+took
	return nil
}
