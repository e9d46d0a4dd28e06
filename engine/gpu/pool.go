package gpu

import (
	"errors"
	"sync"

	"github.com/gohops/hops"
)

// A pool is the edges of a graph that several devices build together: each loads a share of
// them, and reads the others in the memory of the other devices. Where a device has no room
// for its share, every device loads all edges.
type pool struct {
	loaders []*edgeLoader // by device; nil: its share does not fit

	mu   sync.Mutex
	here int           // devices that have come to the barrier
	gate chan struct{} // closed when all are there, or one has failed
	err  error
}

// errOther is what a device says whose work ends because another one has failed.
var errOther = errors.New("gpu: another device has failed")

func newPool(devices int) *pool {
	return &pool{loaders: make([]*edgeLoader, devices), gate: make(chan struct{})}
}

// meet waits for all devices, or for one to fail.
func (p *pool) meet() error {
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return p.err
	}
	gate := p.gate
	if p.here++; p.here == len(p.loaders) {
		p.here, p.gate = 0, make(chan struct{})
		close(gate)
	}
	p.mu.Unlock()
	<-gate
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// fail ends all barriers.
func (p *pool) fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = errOther
		close(p.gate)
	}
}

// A member is a device of a pool. Without a pool a device works alone.
type member struct {
	*pool
	number int
}

// share is which edges the device loads.
func (s member) share(src hops.Source) (first, count int64) {
	m, all := src.NumEdges(), int64(len(s.loaders))
	first = m * int64(s.number) / all
	return first, m*int64(s.number+1)/all - first
}

// join decides whether the devices load shares. It returns nil where they do not.
func (s member) join(l *edgeLoader, fits bool) (*pool, error) {
	if fits {
		s.loaders[s.number] = l
	}
	if err := s.meet(); err != nil {
		return nil, err
	}
	for _, other := range s.loaders {
		if other == nil {
			return nil, nil
		}
	}
	return s.pool, nil
}

// leave waits until no other device reads the edges of this one.
func (s member) leave(d device, err error) error {
	if s.pool == nil {
		return err
	}
	if err == nil {
		err = d.Sync()
	}
	if err != nil {
		s.fail()
		return err
	}
	return s.meet()
}
