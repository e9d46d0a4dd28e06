// Package grid searches on ranks that form a grid over the adjacency matrix: the
// layout of the BlueGene and ROMEO supercomputers, with two dimensions.
//
// The ranks form R rows and C columns, and rank (i, j) has the block of the matrix
// that leads from the vertices of column j to the vertices of row i. The vertices are
// divided into R·C pieces in order of their labels. Row i has the C pieces of its
// ranks, which are contiguous; column j has the R pieces of its ranks, one from each
// row. So rank (i, j) has for its own piece the vertices that row i has found, and the frontier
// that column j needs next is with its own ranks: the transposition is a gathering along the
// column, whatever the shape of the grid. A level:
//
//  1. transpose     the pieces of the frontier are gathered along the column
//  2. search        each block is searched by itself, top-down or bottom-up, and
//     marks the parents that it found for vertices of its row
//     (band.go, or device.go on a device)
//  3. prefix, or    the bitmaps of what was found are gathered along the row. Every
//     rank computes from them what ranks before it have found, and
//     what all have: a vertex belongs to the first rank that found it
//     (row.go)
//  4. predecessors  the owner of each piece is told the parents of its vertices, in
//     every level or, by default, once at the end (predecessors.go)
//
// Bottom-up, the ranks of a row look for the same vertices, and most of them find
// a parent for a vertex that needs one. Where most vertices will find one, a level
// therefore has two passes: first a vertex is looked for by one rank, the one that
// has its neighbour of the highest degree, and after the row has heard of the result,
// by the others.
//
// Ranks of a row or a column that are all on one host have these bitmaps in common
// and write where the others read: then 1 and 3 are barriers, and nothing is sent.
// Otherwise bitmaps go as lists where these are shorter.
package grid

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/level"
)

// Options of the engine. The zero value is good.
type Options struct {
	// Ranks is the number of ranks inside this process, on Hosts pretended hosts; 0
	// is two, on one. Both are for Build alone.
	Ranks, Hosts int
	// Twin, unless it is nil, has the ranks of Build on a modelled machine: they run here,
	// in the machine's time. It excludes Ranks, Hosts and Threads.
	Twin Twin
	// Threads of each rank, up to MaxThreads; 0 divides the CPUs of this process among its ranks.
	Threads int
	// Place says where the ranks of a host and their memory are: "bind" has each on a
	// NUMA node of its own, or as many nodes as there are for it, "interleave" runs them
	// anywhere with memory on all nodes in turn, and "none" leaves both to the system.
	// By default they are bound where every thread has a CPU. Ranks that their launcher
	// has bound stay where they are.
	Place string
	// Labels is "wide" for labels of 64 bits and parents of 48 in a graph that 32 would do for, as
	// graphs of 2³² vertices have them.
	Labels string
	// Shape is the number of rows and columns, "RxC". By default there is a single
	// column on one host, and the grid is as square as can be on several.
	Shape string
	// Direction is "top-down" if no level is bottom-up.
	Direction string
	// Predecessors is "level" if they are sent in every level, and not all of
	// them at the end.
	Predecessors string
	// Row is "prefix" if the ranks of a row are told what they have found by a scan and a
	// broadcast, as in the ROMEO paper, and not by gathering.
	Row string
	// Bitmaps is "dense" if bitmaps never go over the wire as lists, and "packed" if they do
	// wherever a list is shorter. By default ranks without devices send lists where few vertices
	// can be found, and devices pack bitmaps where there is a link to go over and they are large.
	Bitmaps string
	// Device, if not nil, has the blocks on devices: see gpu.NewBlocks. Threads make a block unless
	// its device can.
	Device Device
	// TreesOnDevice lets searches leave trees on the devices, which validate them there: the
	// Searcher is then a graph500.OnDevice too. It takes room for a whole tree on every device.
	TreesOnDevice bool
	// Exchange is how devices exchange what they find, one of Exchanges. By default it is
	// the first of these that there is, in each row and each column of ranks.
	Exchange string

	reference   bool        // use the kernels in plain Go, which the race detector sees
	narrowLimit hops.Vertex // trees have 48 bits a parent from one vertex more on; 0 is the limit of hops
}

// Bitmaps are the values of Options.Bitmaps.
var Bitmaps = []string{"", "dense", "packed"}

func (o Options) check() error {
	if o.Exchange != "" && (o.Device == nil || !slices.Contains(Exchanges, o.Exchange)) {
		return fmt.Errorf("grid: exchange %q: want one of %s, of ranks with devices", o.Exchange, strings.Join(Exchanges, ", "))
	}
	if _, ok := o.Device.(block.Devices); o.Device != nil && !ok {
		return fmt.Errorf("grid: a %T has no blocks: see gpu.NewBlocks", o.Device)
	}
	if o.Row != "" && o.Device != nil {
		return fmt.Errorf("grid: row=%s excludes a device: devices gather", o.Row)
	}
	if !slices.Contains(placement.Known, o.Place) {
		return fmt.Errorf("grid: unknown place %q", o.Place)
	}
	if !slices.Contains(Bitmaps, o.Bitmaps) {
		return fmt.Errorf("grid: unknown bitmaps %q", o.Bitmaps)
	}
	for _, c := range []struct{ name, value, known string }{
		{"direction", o.Direction, topDown.Name},
		{"predecessors", o.Predecessors, "level"},
		{"row", o.Row, "prefix"},
		{"labels", o.Labels, "wide"},
	} {
		if c.value != "" && c.value != c.known {
			return fmt.Errorf("grid: unknown %s %q", c.name, c.value)
		}
	}
	if o.Shape != "" {
		return CheckShape(o.Shape)
	}
	return nil
}

// devices are those of the options, whose functions are nil where there are none.
func (o Options) devices() block.Devices {
	d, _ := o.Device.(block.Devices)
	return d
}

// MaxThreads of a rank is more than hosts have CPUs.
const MaxThreads = 1 << 12

func (o Options) engine() distributed.Engine {
	limit := o.narrowLimit
	if o.Labels == "wide" {
		limit = 1
	}
	return distributed.Engine{
		NarrowLimit: limit, Place: o.Place,
		Name: "grid", Invalid: o.check(), Threads: o.Threads, MaxThreads: MaxThreads,
		Build: func(ctx context.Context, m *distributed.Member, src hops.Source) (distributed.Machine, level.Policy, error) {
			g, err := build(ctx, m, src, o)
			return g, level.RuleOfThumb, err
		},
	}
}

// A Searcher is a graph that is divided among ranks, ready to be searched. What Build returns
// searches on all of them; what Join returns is one rank's side, which all ranks use alike, with a
// tree for the vertices of this rank.
type Searcher interface {
	// NewTree returns an empty tree, and Clear empties one as its Reset does, with the threads that
	// will fill it.
	NewTree() (*hops.Tree, error)
	Clear(t *hops.Tree)
	// LimitDepth ends the searches that follow after so many hops from the root; 0 means no limit.
	LimitDepth(hops int)
	// Search is kernel 2.
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
	// Memory returns the bytes of the graph, with those that searches need beside it, and the most
	// that were in use while it was built.
	Memory() (finished, peak int64)
	// DeviceName describes the device of the first rank, if the ranks do not search on the host.
	DeviceName() string
	// Close waits for a search that is going on and releases the memory.
	Close() error
}

// A Comm connects this process to the other ranks of its group. The program hops makes it, of MPI.
type Comm interface {
	Rank() int // of this process
	Size() int // ranks of the group
}

// A Device has the blocks of the ranks of this process on devices: what gpu.NewBlocks returns.
type Device interface{ HaveBlocks() }

// A Twin is a machine that is modelled, at some size. The program hops has those of the papers.
type Twin interface {
	Size() (nodes, perNode int, err error)
}

// Join is kernel 1 of one rank. All ranks of comm call it, with the same source
// and options; it returns when the graph is built, or with the reason why some
// rank failed. The comm remains the caller's.
func Join(ctx context.Context, comm Comm, src hops.Source, o Options) (Searcher, error) {
	r, err := distributed.Join(ctx, comm, src, o.engine())
	if err != nil || !o.TreesOnDevice {
		return r, err
	}
	return onDevices(r, r.OnDevice)
}

// Build is kernel 1 with ranks inside this process.
func Build(ctx context.Context, src hops.Source, o Options) (Searcher, error) {
	s, err := distributed.Build(ctx, src, o.layout(), o.engine())
	if err != nil || !o.TreesOnDevice {
		return s, err
	}
	return onDevices(s, s.OnDevice)
}

// onDevices returns a searcher as one that leaves its trees on devices.
func onDevices[S Searcher](s Searcher, on func() (S, error)) (Searcher, error) {
	keeper, err := on()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return keeper, nil
}

func (o Options) layout() distributed.Layout {
	return distributed.Layout{Ranks: o.Ranks, Hosts: o.Hosts, Twin: o.Twin}
}

// Passes is the number of times that the edges are read.
const Passes = 3

// Need is an upper bound of the bytes that Build and Search use for n vertices
// and m edges.
func (o Options) Need(n hops.Vertex, m int64) int64 {
	const (
		perVertex = 3*4 + 2 + 2 // heads and marks, homes, bitmaps
		perEntry  = 4           // a block has its rows, and its columns too
		perWord   = 8 + 2 + 4   // bits and two sums, for 64 vertices in each row and in each column of blocks
		perLine   = 4           // end of a row or a column that is not empty
		perCount  = 4           // a counter of a column while it is built for a device, for each thread, and one for all
	)
	ranks, workers := o.layout().Workers(o.Threads)
	hosts := max(o.Hosts, 1)
	if o.Twin != nil {
		if nodes, _, err := o.Twin.Size(); err == nil {
			hosts = nodes
		}
	}
	rows, columns, err := o.shape(int(ranks), hosts, n)
	if err != nil {
		rows, columns = int(ranks), 1 // Build says what is wrong
	}
	lines := int64(rows+columns) * int64(n)
	need := csr.Need(n, m) + int64(n)*perVertex + 2*m*perEntry + lines/64*perWord + min(lines, 2*2*m)*perLine + bottomup.Need(int64(n), 2*m) + o.layout().Need(o.Threads)
	if o.Device != nil {
		need += int64(rows) * int64(n) * (workers/ranks + 1) * perCount
	}
	return need
}
