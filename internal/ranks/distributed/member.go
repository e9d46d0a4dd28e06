package distributed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/ranks/partition"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A Member is what any rank has while its graph is built and searched.
type Member struct {
	Engine    string // its name, for errors
	Comm      rank.Comm
	Hosts     Hosts
	InProcess bool // all ranks are goroutines of this process, on hosts that are pretended
	N         hops.Vertex
	Wide      bool // labels take 64 bits, in trees too
	Team      *par.Team
	Parts     *partition.Partition // as the engine's construction has divided the vertices
	Memory    arena.Arena
	Clock     rank.Clock
	Modelled  bool // the clock runs in the time of a modelled machine
	OwnCores  bool // there is a CPU for every thread of every rank on this host

	release     func()        // gives the process the CPUs back that it had; nil: it has them
	stays       bool          // Go has a processor for every goroutine of this process
	caller      *topo.Visitor // binds the caller of a search; nil where threads are not bound
	interleaved []int         // NUMA nodes of shared memory; nil: where it is touched first

	balance balance

	shared     int64 // bytes of shared memory that this rank counts
	sharedPeak int64
	buildPeak  int64
}

// maxVertices: beside a label of 48 bits, the construction keeps a byte in the same word.
const maxVertices = 1 << 48

// maxEdges leaves room to count past the last edge.
const maxEdges = 1 << 62

// newMember checks the engine's options and the source, and that the threads of all ranks are not too many.
func newMember(comm rank.Comm, src hops.Source, e Engine) (*Member, error) {
	if e.Invalid != nil {
		return nil, spec.Refuse(e.Invalid)
	}
	if n := src.NumVertices(); n > maxVertices {
		return nil, fmt.Errorf("%s: %d vertices: there can be at most %d", e.Name, n, uint64(maxVertices))
	}
	if m := src.NumEdges(); m < 0 || m > maxEdges {
		return nil, fmt.Errorf("%s: the source claims %d edges: there can be from 0 to %d", e.Name, m, int64(maxEdges))
	}
	if e.Threads == 0 {
		e.Threads = max(1, runtime.GOMAXPROCS(0)/comm.Size())
	}
	threads, err := agreeOnThreads(comm, e.Threads)
	if err != nil {
		return nil, err
	}
	if threads > e.MaxThreads {
		return nil, spec.Refuse(fmt.Errorf("%s: %d threads in a rank: there can be at most %d", e.Name, threads, e.MaxThreads))
	}
	hosts, err := findHosts(comm)
	if err != nil {
		return nil, err
	}
	clock, modelled := rank.ClockOf(comm)
	m := &Member{
		Clock: clock, Modelled: modelled,
		Engine: e.Name, Comm: comm, Hosts: hosts, InProcess: e.inProcess,
		N: src.NumVertices(), Wide: src.NumVertices() > cmp.Or(e.NarrowLimit, hops.NarrowLimit),
	}
	return m, m.place(e, threads)
}

// newTree returns the empty part of a tree for count vertices from first on.
func (m *Member) newTree(first, count hops.Vertex) *hops.Tree {
	n := m.N
	if m.Wide {
		n = max(n, hops.NarrowLimit+1)
	}
	return hops.NewTreePart(n, first, count)
}

// agreeOnThreads returns the least number of threads that any rank has: the
// vertices are divided among the threads of all ranks as equals.
func agreeOnThreads(comm rank.Comm, mine int) (int, error) {
	missing := []uint64{math.MaxUint32 - uint64(mine)}
	err := rank.Reduced(comm, rank.Max, missing)
	return int(math.MaxUint32 - missing[0]), err
}

// Share returns memory that the ranks of this host share. The first of them counts it.
func (m *Member) Share(of rank.Comm, size int64) ([]byte, error) {
	return m.ShareIn(m.Hosts.Leader, of, size)
}

// ShareIn is Share in a group of which one rank counts the memory.
func (m *Member) ShareIn(counts bool, of rank.Comm, size int64) ([]byte, error) {
	if counts {
		m.Count(size)
	}
	mem, err := of.Share(size)
	if err == nil && m.interleaved != nil {
		_ = arena.Place(mem, m.interleaved...)
	}
	return mem, err
}

// Count adds bytes to the shared memory that this rank counts.
func (m *Member) Count(size int64) {
	m.shared += size
	m.sharedPeak = max(m.sharedPeak, m.shared)
}

// Built notes the peak of the construction, the shared memory of which is gone.
func (m *Member) Built() {
	m.buildPeak = m.Memory.Peak() + m.sharedPeak
	m.shared = 0
}

// Bytes returns the bytes in use now, and the most that were ever in use.
func (m *Member) Bytes() (live, peak int64) {
	live = m.Memory.Live() + m.shared
	return live, max(m.buildPeak, live)
}

// Backoff is how a thread of this rank waits for other ranks.
func (m *Member) Backoff() rank.Backoff {
	return rank.Backoff{OwnCore: m.OwnCores, Processes: !m.InProcess, Stays: m.stays, Threads: m.Team.Size()}
}

// Now returns the time of this rank.
func (m *Member) Now() time.Time { return m.Clock.Now() }

// Since returns the time since an earlier one.
func (m *Member) Since(t time.Time) time.Duration { return m.Now().Sub(t) }

// Stopped is the error of a cancellation, nil if by is 0. by is the rank that
// was cancelled, counted from 1.
func (m *Member) Stopped(ctx context.Context, by uint64) error {
	if by == 0 {
		return nil
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("%s: %w", m.Engine, err)
	}
	return fmt.Errorf("%s: rank %d: %w", m.Engine, by-1, context.Canceled)
}

func (m *Member) close() error {
	m.Team.Close()
	m.Hosts.close()
	if m.release != nil {
		m.release()
	}
	return m.Memory.Close()
}

// errAgreed marks errors that all ranks know of: no rank waits for this one.
var errAgreed = errors.New("known to all ranks")

type agreement struct{ error }

func (a agreement) Unwrap() error        { return a.error }
func (a agreement) Is(target error) bool { return target == errAgreed }

// Agreed marks an error that all ranks return.
func Agreed(err error) error {
	if err == nil {
		return nil
	}
	return agreement{err}
}
