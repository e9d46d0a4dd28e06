package launch

import (
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops/internal/mpi"
	"github.com/gohops/hops/internal/rank"
)

// A comm is a rank.Comm over MPI. Every operation is started without waiting and
// then polled, so that a failure elsewhere is noticed within a poll.
type comm struct {
	*mpi.Comm
	lib   *mpi.Library
	hosts []int // of each rank
	fate  *fate
	meter *rank.Meter
	boxes *boxes

	split    bool // made by Split, and freed by Close
	channels [rank.MaxChannel]atomic.Pointer[channel]
	shared   [][]byte
	mail     *mailroom // nil: there is no memory for packets
}

func (c *comm) Rank() int             { return c.Comm.Rank }
func (c *comm) Size() int             { return c.Comm.Size }
func (c *comm) Host(r int) int        { return c.hosts[r] }
func (c *comm) Traffic() rank.Traffic { return c.meter.Traffic() }

// A pending is an MPI request and the memory that it uses.
type pending struct {
	comm    *comm
	request mpi.Request
	uses    any
	done    bool
}

// Done implements rank.Pending.
func (p *pending) Done() (bool, error) {
	if p.done {
		return true, nil
	}
	if err := p.comm.fate.err(); err != nil {
		abandon(p.uses)
		return false, err
	}
	done, err := p.comm.lib.Done(p.request)
	p.done = done
	return done, p.comm.known(err)
}

// Wait implements rank.Pending. A look is a call of MPI, which drives what is under
// way. Ranks that share processors give them to each other now and then; others
// had better not, or whatever else runs on the machine takes them.
func (p *pending) Wait() error {
	const yieldEvery, patience = 32, 20_000
	for looks := 1; ; looks++ {
		if done, err := p.Done(); done || err != nil {
			return err
		}
		if looks > patience {
			rank.Nap()
		} else if looks%yieldEvery == 0 {
			runtime.Gosched()
			if p.comm.fate.crowded {
				yieldProcessor()
			}
		}
	}
}

// abandoned holds memory that MPI may still write to after a failure.
var abandoned struct {
	sync.Mutex
	list []any
}

func abandon(memory any) {
	abandoned.Lock()
	abandoned.list = append(abandoned.list, memory)
	abandoned.Unlock()
}

// begin makes a pending of a call that was started.
func (c *comm) begin(r mpi.Request, err error, uses any) (rank.Pending, error) {
	if err != nil {
		return nil, c.known(err)
	}
	p := &pending{comm: c, request: r, uses: uses}
	// Short messages are on their way when the call returns.
	if done, err := p.Done(); done || err != nil {
		return rank.Ready{}, err
	}
	return p, nil
}

// complete waits for a call that was started.
func (c *comm) complete(r mpi.Request, err error, uses any) error {
	p, err := c.begin(r, err, uses)
	if err != nil {
		return err
	}
	return p.Wait()
}

func (c *comm) Barrier() error {
	if err := c.fate.err(); err != nil {
		return err
	}
	r, err := c.Comm.Barrier()
	return c.complete(r, err, nil)
}

var ops = [...]mpi.Op{rank.Sum: mpi.Sum, rank.Max: mpi.Max, rank.Or: mpi.Or}

func (c *comm) Reduce(op rank.Op, v []uint64) (rank.Pending, error) {
	if err := c.fate.err(); err != nil {
		return nil, err
	}
	c.meter.Reduce(c, len(v))
	r, err := c.AllReduce(v, ops[op])
	return c.begin(r, err, v)
}

func (c *comm) Split(color, key int) (rank.Comm, error) {
	group, err := c.Comm.Split(color, key)
	if err != nil {
		return nil, c.known(err)
	}
	s := &comm{Comm: group, lib: c.lib, fate: c.fate, meter: c.meter, boxes: c.boxes, split: true}
	s.hosts, err = s.gatherHosts(uint64(c.hosts[c.Comm.Rank]))
	return s, err
}

// gatherHosts learns where the ranks of a group are and numbers the hosts by
// their first ranks. A host may be given by any number of its own.
func (c *comm) gatherHosts(mine uint64) ([]int, error) {
	size, me := c.Comm.Size, c.Comm.Rank
	c.hosts = make([]int, size) // for the meter
	all := make([]byte, 8*size)
	binary.LittleEndian.PutUint64(all[8*me:], mine)
	if err := c.gather(all, even(size, 8)); err != nil {
		return nil, err
	}
	var seen []uint64
	hosts := make([]int, size)
	for r := range size {
		host := binary.LittleEndian.Uint64(all[8*r:])
		if hosts[r] = slices.Index(seen, host); hosts[r] < 0 {
			hosts[r] = len(seen)
			seen = append(seen, host)
		}
	}
	return hosts, nil
}

// Close gives up a group that Split made.
func (c *comm) Close() error {
	for _, memory := range c.shared {
		unmap(memory)
	}
	c.shared, c.mail = nil, nil
	if !c.split || c.fate.err() != nil {
		return nil
	}
	return c.Comm.Free()
}
