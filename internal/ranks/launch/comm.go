package launch

import (
	"encoding/binary"
	"hash/fnv"
	"os"
	"sync/atomic"

	"github.com/gohops/hops/internal/device/mpi"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A comm is a rank.Comm over MPI. Every operation is started without waiting and
// then polled, so that a failure of another rank is noticed at the next poll.
type comm struct {
	*mpi.Comm
	lib     *mpi.Library
	hosts   []int // host of each rank
	state   *processState
	meter   *rank.Meter
	buffers *bufferPool

	split    bool // made by Split, and freed by Close
	channels [rank.MaxChannel]atomic.Pointer[channel]
	shared   [][]byte
	shm      *shmTransport // packets within the host; nil before Packets is called
	reducer  *reducer      // reductions within the host; nil if some ranks are on others
}

func (c *comm) Rank() int             { return c.Comm.Rank }
func (c *comm) Size() int             { return c.Comm.Size }
func (c *comm) Host(r int) int        { return c.hosts[r] }
func (c *comm) Traffic() rank.Traffic { return c.meter.Traffic() }
func (c *comm) Err() error            { return c.state.err() }

// A pending is an MPI request and the memory that MPI reads or writes for it.
type pending struct {
	comm    *comm
	request mpi.Request
	memory  any
	done    bool
}

func (p *pending) Done() (bool, error) {
	if p.done {
		return true, nil
	}
	if err := p.comm.state.err(); err != nil {
		p.comm.state.abandon(p.memory)
		return false, err
	}
	done, err := p.comm.lib.Done(p.request)
	p.done = done
	return done, p.comm.failure(err)
}

// Wait implements rank.Pending. Every poll calls MPI, which makes progress on all
// operations under way.
func (p *pending) Wait() error { return p.comm.state.backoff().Await(p.Done) }

// begin returns the Pending of an operation that was started with memory.
func (c *comm) begin(r mpi.Request, err error, memory any) (rank.Pending, error) {
	if err != nil {
		return nil, c.failure(err)
	}
	p := &pending{comm: c, request: r, memory: memory}
	// Short messages are complete when the call that starts them returns.
	if done, err := p.Done(); done || err != nil {
		return rank.Ready{}, err
	}
	return p, nil
}

// complete waits for an operation that was started with memory.
func (c *comm) complete(r mpi.Request, err error, memory any) error {
	p, err := c.begin(r, err, memory)
	if err != nil {
		return err
	}
	return p.Wait()
}

func (c *comm) Barrier() error {
	if err := c.state.err(); err != nil {
		return err
	}
	if c.reducer != nil {
		return rank.Reduced(c, rank.Sum, nil)
	}
	r, err := c.Comm.Barrier()
	return c.complete(r, err, nil)
}

var ops = [...]mpi.Op{rank.Sum: mpi.Sum, rank.Max: mpi.Max, rank.Or: mpi.Or}

func (c *comm) Reduce(op rank.Op, v []uint64) (rank.Pending, error) {
	if err := c.state.err(); err != nil {
		return nil, err
	}
	c.meter.Reduce(c, len(v))
	if c.reducer != nil && c.reducer.fits(v) {
		return c.reducer.reduce(op, v)
	}
	r, err := c.AllReduce(v, ops[op])
	return c.begin(r, err, v)
}

func (c *comm) Split(color, key int) (rank.Comm, error) {
	return c.splitOn(color, key, uint64(c.hosts[c.Comm.Rank]))
}

// splitOn is Split of ranks that are told which host they are on: see gatherHosts.
func (c *comm) splitOn(color, key int, host uint64) (*comm, error) {
	group, err := c.Comm.Split(color, key)
	if err != nil {
		return nil, c.failure(err)
	}
	s := &comm{Comm: group, lib: c.lib, state: c.state, meter: c.meter, buffers: c.buffers, split: true}
	if s.hosts, err = s.gatherHosts(host); err != nil {
		return nil, err
	}
	return s, s.newReducer()
}

// gatherHosts gathers the hosts of all ranks and numbers them by their first ranks.
// mine identifies this rank's host: any number that no other host has.
func (c *comm) gatherHosts(mine uint64) ([]int, error) {
	size, me := c.Comm.Size, c.Comm.Rank
	c.hosts = make([]int, size) // read by the meter during the gather
	all := make([]byte, 8*size)
	binary.LittleEndian.PutUint64(all[8*me:], mine)
	if err := c.gather(all, even(size, 8)); err != nil {
		return nil, err
	}
	hosts := make([]uint64, size)
	for r := range hosts {
		hosts[r] = binary.LittleEndian.Uint64(all[8*r:])
	}
	return rank.NumberHosts(hosts), nil
}

// thisHost returns a number that is equal for ranks that can share memory: ranks under
// one kernel, in one process namespace and with one host name.
// MPI_Comm_split_type answers the same question, but some builds of MPICH put every
// rank on a host of its own.
func thisHost() uint64 {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	processes, _ := os.Readlink("/proc/self/ns/pid")
	name, _ := os.Hostname()
	h := fnv.New64a()
	for _, s := range []string{string(boot), processes, name} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// Close frees the shared memory, and the group if Split made it.
func (c *comm) Close() error {
	for _, memory := range c.shared {
		unmap(memory)
	}
	c.shared, c.shm, c.reducer = nil, nil, nil
	if !c.split || c.state.err() != nil {
		return nil
	}
	return c.Comm.Free()
}
