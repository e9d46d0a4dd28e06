package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops/internal/nccl"
)

// An exchange unites the bitmaps of all parts: afterwards each has the bits of all.
//
// Every part owns the words of its labels. The other parts send the owner what they
// have marked there, and the owner adds it to its own words. Then the owner sends its
// words to all. No part collects everything, and each sends and receives two bitmaps
// at most.
type exchange struct {
	parts []*part
	mover mover
	inbox []inbox
	moves []move // of the exchange at hand
}

// An inbox is where a part receives the words that it owns, from every other part.
type inbox struct {
	mem   *memory
	words buffer
}

// A mover carries out a set of moves between parts. The moves follow everything that
// the parts were told before and precede everything that they are told afterwards.
type mover interface {
	start(moves []move) error
	close() error
}

// A move copies bytes from a buffer of one part to a buffer of another.
type move struct {
	from, to     int
	src, dst     buffer
	srcAt, dstAt int64
	bytes        int64
}

func newExchange(all []*part, how string) (*exchange, error) {
	e := &exchange{parts: all}
	var err error
	if e.mover, err = newMover(all, how); err != nil {
		return nil, err
	}
	for _, one := range all {
		m := newMemory(one.dev)
		_, words := one.span()
		e.inbox = append(e.inbox, inbox{m, m.make("words of other parts", words*int64(len(all)-1), 4)})
		if m.err != nil {
			return nil, errors.Join(m.err, e.close())
		}
	}
	return e, nil
}

// span is where the part's words begin, and how many there are.
func (p *part) span() (first, words int64) {
	first = int64(p.first) / 32
	return first, (int64(p.end)+31)/32 - first
}

// uniteAll unites the parts' visited[side], where any part may have marked any vertex.
func (e *exchange) uniteAll(side uint32) error {
	if err := e.collect(side); err != nil {
		return err
	}
	return e.shareOwn(side)
}

// shareOwn unites the parts' visited[side], where every part has marked nothing but
// vertices of its own.
func (e *exchange) shareOwn(side uint32) error {
	e.moves = e.moves[:0]
	e.pairs(func(from, to, _ int) {
		first, words := e.parts[from].span()
		e.add(move{from, to, e.parts[from].visited[side], e.parts[to].visited[side], 4 * first, 4 * first, 4 * words})
	})
	return e.mover.start(e.moves)
}

// add leaves out moves of parts that have no labels.
func (e *exchange) add(m move) {
	if m.bytes > 0 {
		e.moves = append(e.moves, m)
	}
}

// collect adds to every part's own words what the others have marked in them.
func (e *exchange) collect(side uint32) error {
	e.moves = e.moves[:0]
	e.pairs(func(from, to, place int) {
		first, words := e.parts[to].span()
		e.add(move{from, to, e.parts[from].visited[side], e.inbox[to].words, 4 * first, 4 * int64(place) * words, 4 * words})
	})
	if err := e.mover.start(e.moves); err != nil {
		return err
	}
	for i, one := range e.parts {
		first, words := one.span()
		for place := range int64(len(e.parts) - 1) {
			if err := one.stepUnite(bitmapWords{one.visited[side], first}, bitmapWords{e.inbox[i].words, place * words}, words); err != nil {
				return err
			}
		}
	}
	return nil
}

// pairs calls do for any two parts. place numbers the senders of each receiver.
func (e *exchange) pairs(do func(from, to, place int)) {
	for to := range e.parts {
		place := 0
		for from := range e.parts {
			if from != to {
				do(from, to, place)
				place++
			}
		}
	}
}

func (e *exchange) close() error {
	errs := []error{e.mover.close()}
	for _, in := range e.inbox {
		errs = append(errs, in.mem.close())
	}
	return errors.Join(errs...)
}

// newMover chooses how to move. By default it is NCCL where every part has a device of
// its own and the library can be opened, and copies otherwise.
func newMover(all []*part, how string) (mover, error) {
	devices := make([]device, len(all))
	for i, one := range all {
		devices[i] = one.dev
	}
	switch how {
	case "copies":
		return newCopies(devices)
	case "nccl", "":
	default:
		return nil, fmt.Errorf("gpu: exchange %q: want nccl or copies", how)
	}
	m, err := newNCCL(devices)
	if err == nil {
		return m, nil
	}
	if how == "nccl" {
		return nil, fmt.Errorf("gpu: exchange by NCCL: %w", err)
	}
	return newCopies(devices)
}

// copies are made within a device, or between devices that are peers.
type copies struct{ devices []device }

// A peer is a device that can copy from others of its kind.
type peer interface {
	device
	// allow prepares for copies from the other device.
	allow(from device) error
	copyFrom(dst buffer, dstAt int64, from device, src buffer, srcAt, bytes int64) error
}

func newCopies(devices []device) (*copies, error) {
	for _, to := range devices {
		for _, from := range devices {
			if to == from {
				continue
			}
			p, ok := to.(peer)
			if !ok {
				return nil, fmt.Errorf("gpu: %s cannot copy from %s", to.Name(), from.Name())
			}
			if err := p.allow(from); err != nil {
				return nil, err
			}
		}
	}
	return &copies{devices}, nil
}

func (c *copies) start(moves []move) error {
	if err := c.sync(); err != nil { // the senders have finished what they send
		return err
	}
	for _, m := range moves {
		to, from := c.devices[m.to], c.devices[m.from]
		var err error
		if to == from {
			err = to.copy(m.dst, m.dstAt, m.src, m.srcAt, m.bytes)
		} else {
			err = to.(peer).copyFrom(m.dst, m.dstAt, from, m.src, m.srcAt, m.bytes)
		}
		if err != nil {
			return err
		}
	}
	return c.sync() // and do not change it before it has arrived
}

// sync waits for all devices. A single device runs its copies in order, and nobody
// needs to wait.
func (c *copies) sync() error {
	for i, d := range c.devices {
		if slices.Contains(c.devices[:i], d) || !slices.ContainsFunc(c.devices, func(other device) bool { return other != d }) {
			continue
		}
		if err := d.Sync(); err != nil {
			return err
		}
	}
	return nil
}

func (c *copies) close() error { return nil }

// byNCCL moves through NCCL, in the order of each device's stream.
type byNCCL struct {
	group   *nccl.Group
	streams []uintptr
	moves   []nccl.Move
}

func newNCCL(devices []device) (*byNCCL, error) {
	m := &byNCCL{}
	var numbers []int
	for i, d := range devices {
		c, ok := d.(*cudaDevice)
		if !ok || slices.Contains(devices[:i], d) {
			return nil, fmt.Errorf("%w for parts that share a device, or without CUDA", nccl.ErrUnavailable)
		}
		numbers, m.streams = append(numbers, c.Number()), append(m.streams, c.Stream())
	}
	var err error
	m.group, err = nccl.Open(numbers)
	return m, err
}

func (m *byNCCL) start(moves []move) error {
	m.moves = m.moves[:0]
	for _, one := range moves {
		m.moves = append(m.moves, nccl.Move{
			From: one.from, To: one.to, Bytes: one.bytes,
			Src: uintptr(int64(one.src) + one.srcAt), Dst: uintptr(int64(one.dst) + one.dstAt),
		})
	}
	return m.group.Start(m.moves, m.streams)
}

func (m *byNCCL) close() error { return m.group.Close() }
