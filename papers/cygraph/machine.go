package cygraph

import (
	"context"
	"errors"
)

// A machine is the kernels, the ring that joins them, and the memory.
type machine struct {
	Options
	image
	kernels []kernel
	banks   banks
	filters []filter // one for each FPGA; nil without filters
	station []int    // the kernel at each place of the ring, or hop
	passed  []int    // kernels before each place of the ring
	stop    uint64   // cycles from the end of the last level until all masters rest
	beats   int      // words of a burst

	crossing int // cycles that a token occupies the link between two FPGAs

	now   uint64
	tally Level
	log   []Level
}

// hop is a place of the ring that only passes the token on.
const hop = -1

// A token circulates on the ring, one place a cycle. The places are the stations of
// the kernels in order, Hop registers where the ring leaves an FPGA, and the masters of
// all FPGAs but the first before their kernels. After the last place comes the master of
// the first FPGA, which leads the others.
type token struct {
	place int
	count uint32 // slots reserved in the next queue
	idle  bool   // all kernels that it has passed since the master were idle
}

// errOverflow means that the next queue was too short.
var errOverflow = errors.New("queue overflow")

func newMachine(o Options, im image) *machine {
	crossing := o.crossing()
	o.Hop += crossing - 1
	m := &machine{Options: o, crossing: crossing, image: im, banks: newBanks(o.Memory), beats: beats(o.Burst)}
	m.kernels = make([]kernel, o.Kernels)
	for i := range m.kernels {
		m.kernels[i] = newKernel(m, i)
	}
	m.placeStations()
	m.filters = newFilters(o)
	return m
}

// placeStations makes the ring. When the last level has ended, the leading master sends a
// stop round it; the search is over when the last of the other masters has it.
func (m *machine) placeStations() {
	place := func(kernel int) {
		m.passed = append(m.passed, m.passedTo(len(m.station)))
		m.station = append(m.station, kernel)
	}
	perFPGA := m.Kernels / m.FPGAs
	m.stop = 1
	for i := range m.kernels {
		if i > 0 && i%perFPGA == 0 {
			m.stop = uint64(len(m.station) + 2)
			place(hop)
		}
		place(i)
		if m.FPGAs > 1 && i%perFPGA == perFPGA-1 {
			for range m.Hop {
				place(hop)
			}
		}
	}
}

// passedTo returns how many kernels the token has passed when it is at a place.
func (m *machine) passedTo(place int) int {
	switch {
	case place <= 0:
		return 0
	case m.station[place-1] == hop:
		return m.passed[place-1]
	}
	return m.passed[place-1] + 1
}

// reset is what the hardware's reset line does.
func (m *machine) reset() {
	for i := range m.kernels {
		m.kernels[i].reset()
	}
	for i := range m.filters {
		m.filters[i].reset()
	}
	m.banks.reset()
	m.now, m.log = 0, m.log[:0]
}

// run is the leading master: it runs levels, starting with a queue of the given length, until
// the queue is empty.
func (m *machine) run(ctx context.Context, length uint64) error {
	p := newPolicy(m, length)
	for first := true; first || length > 0; first = false {
		next, err := m.level(ctx, first, length, p.up)
		if err != nil {
			return err
		}
		if m.Design != Betkaoui && next > m.capacity {
			m.rest()
			return errOverflow
		}
		p.choose(m, next)
		length = next
	}
	m.rest()
	return nil
}

// rest lets all masters know that the search is over. It is part of the last level.
func (m *machine) rest() {
	m.now += m.stop
	m.log[len(m.log)-1].Cycles += m.stop
}

// level sends the start of a level and then the token round the ring, and forwards the
// token until it returns with all kernels idle.
func (m *machine) level(ctx context.Context, first bool, length uint64, up bool) (next uint64, err error) {
	begin := m.now
	m.tally = Level{Length: length, BottomUp: up}
	start, t := -1, token{place: -1 - m.crossing, idle: true} // the token leaves the master when the start has passed the link
	for cycles := 0; ; cycles++ {
		if cycles&0xfff == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		earliest := m.cycle(start, &t, first, length, up)
		m.now++
		if t.place == len(m.station) {
			if t.idle {
				break
			}
			t.place, t.idle = -1, true
		}
		t.place++
		start++
		if start > len(m.station) {
			m.skip(earliest, &t)
		}
	}
	m.tally.Cycles = m.now - begin
	m.log = append(m.log, m.tally)
	return uint64(t.count), nil
}

// cycle simulates one clock cycle of all kernels. It returns the first cycle in which a
// kernel will have something to do.
func (m *machine) cycle(start int, t *token, first bool, length uint64, up bool) uint64 {
	starting, passing := m.kernelAt(start), m.kernelAt(t.place)
	if passing != hop {
		m.kernels[passing].passToken(t)
	}
	earliest := uint64(never)
	for i := range m.kernels {
		k := &m.kernels[i]
		if k.wake <= m.now {
			k.step()
		}
		earliest = min(earliest, k.wake)
	}
	if passing != hop {
		m.kernels[passing].applyReservation()
		earliest = min(earliest, m.kernels[passing].wake)
	}
	if starting != hop {
		m.kernels[starting].begin(first, length, up)
	}
	return earliest
}

// skip advances the clock over whole rounds of the token in which all kernels wait for
// memory. A waiting kernel is not idle, so the level does not end in these rounds, and
// they change nothing unless a kernel wants a reservation.
func (m *machine) skip(earliest uint64, t *token) {
	lap := uint64(len(m.station) + 1)
	if earliest == never || earliest < m.now+lap {
		return
	}
	idle := true
	for i := range m.kernels {
		k := &m.kernels[i]
		if k.wantsSlots() {
			return
		}
		idle = idle && (i >= m.passedTo(t.place) || k.flushed)
	}
	m.now += (earliest - m.now) / lap * lap
	t.idle = idle
}

func (m *machine) kernelAt(place int) int {
	if place < 0 || place >= len(m.station) {
		return hop
	}
	return m.station[place]
}
