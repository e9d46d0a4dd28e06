package grid

import (
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/gather"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

var (
	topDown  = level.Step{Name: "top-down", Direction: level.TopDown}
	bottomUp = level.Step{Name: "bottom-up", Direction: level.BottomUp}
)

// A machine is the state of a search on one rank.
type machine struct {
	gridRank
	block rowsOfBlock
	out   []uint32 // of a directed graph, the edges out of each vertex of this rank's piece
	bands []band
	side  side // that searches the block
	steps []level.Step

	maker             block.Maker // of the block, until the device has it; nil: threads make it
	source            hops.Source // by which devices validate trees; nil: they do not
	bitmaps           string      // as in Options
	tellsInEveryLevel bool        // the owners of vertices hear of parents in every level, and not once at the end

	frontier     frontier
	found        found
	prefix       *prefix // nil where the row gathers
	predecessors *predecessors
	kernels      kernel.Kernels

	ctx     context.Context
	tree    *hops.Tree
	state   level.Front
	total   struct{ reachable, entries int64 } // vertices with an edge into them, and row entries
	sums    []uint64
	traffic rank.Traffic
	waiting time.Duration   // for the others, in this level
	told    time.Time       // when the owners knew all parents of the last search
	before  rank.Work       // of the levels before
	last    level.Direction // of the level under way

	// The phases as values, made once: a method value allocates.
	phases struct{ topDown, bottomUp, admit, unite func(int) }
}

// A side searches the block of this rank: its threads, or a device.
type side interface {
	// seed clears the state of the last search and visits the root.
	seed(root uint64) error
	// gather makes the frontier of the column whole where the side reads it.
	gather() error
	// search runs a pass of a level.
	search(d level.Direction) error
	// gatherRow lets the ranks of the row know what each has found in this pass, which
	// together is at most so many vertices of the graph.
	gatherRow(most int64) error
	// admit marks what the row has found in the first pass as visited.
	admit() error
	// unite finds what falls to this rank, and the next frontier, and counts it.
	unite() error
	// tell tells the owners of the row the parents that were found for their vertices.
	tell() error
	// complete brings all parents that this rank was told to the tree.
	complete() error
	// moved is what devices moved since the last time: through the bus, and directly.
	moved() (bus, direct int64)
	close()
}

// A frontier is the frontier of the column, by the numbers of its vertices.
type frontier struct {
	in, next bitset.Set
	whole    bool // in has the pieces of all ranks of the column
	wire     gather.Wire
}

// found is what the ranks of the row have found.
type found struct {
	out     [2]bitset.Set // by each rank of the row, in each pass of this level
	two     bool          // this level has two passes
	pass    int           // the one under way
	visited bitset.Set    // of the row
	shares  []share       // of the ranks of the row, as far as they can be seen from here
	ownsAll bool          // this rank owns all vertices that it finds, and writes their parents into the tree
	wire    gather.Wire
}

// A share is what one rank of the row has found so far.
type share struct {
	assigned bitset.Set // vertices that fell to it
	marks    []uint32   // their parents
}

func newMachine(o Options) *machine {
	m := &machine{kernels: kernel.Best(), steps: []level.Step{topDown, bottomUp}}
	if o.Direction == topDown.Name {
		m.steps = m.steps[:1]
	}
	if o.reference {
		m.kernels = kernel.Kernels{}
	}
	return m
}

// Steps implements level.Machine.
func (m *machine) Steps() []level.Step { return m.steps }

// Start implements distributed.Machine.
func (m *machine) Start(ctx context.Context, t *hops.Tree) {
	m.ctx, m.tree = ctx, t
	if m.found.ownsAll {
		m.found.shares[0].marks = t.Narrow[hops.Vertex(m.first)-t.First:][:m.count]
	}
}

// Finish implements distributed.Machine.
func (m *machine) Finish() error {
	if !m.tellsInEveryLevel {
		if err := m.side.tell(); err != nil {
			return err
		}
	}
	m.told = m.Now()
	if m.tree == nil {
		return nil // it stays on the device
	}
	return m.side.complete()
}

// DeviceName implements distributed.OnDevice.
func (m *machine) DeviceName() string {
	if d, ok := m.side.(*onDevice); ok {
		return d.describeWays()
	}
	return ""
}

// TreeMemory implements distributed.OnDevice.
func (m *machine) TreeMemory(count hops.Vertex) []uint32 {
	d, ok := m.side.(*onDevice)
	if !ok {
		return nil
	}
	p, ok := d.accelerator.(block.Pinner)
	if !ok {
		return nil
	}
	room, err := p.Pinned(4 * int64(count))
	if err != nil { // other memory is slower, and does as well
		return nil
	}
	return arena.View[uint32](room)
}

// Complete implements distributed.OnDevice.
func (m *machine) Complete() (at time.Time, bus, direct int64, err error) {
	sums := m.sums[:2]
	bus, direct = m.side.moved()
	sums[0], sums[1] = uint64(bus), uint64(direct)
	err = rank.Reduced(m.Comm, rank.Sum, sums)
	return m.told, int64(sums[0]), int64(sums[1]), err
}

// Close implements distributed.Machine.
func (m *machine) Close() {
	if m.side != nil {
		m.side.close()
	}
	m.closeMaker()
	if m.predecessors != nil {
		m.predecessors.exchange.Free()
	}
	m.gridRank.close()
}

func (m *machine) closeMaker() {
	if m.maker != nil {
		_ = m.maker.Close()
		m.maker = nil
	}
}

// prepare makes room for searches.
func (m *machine) prepare(o Options) error {
	m.found.ownsAll = m.columns == 1 && o.Device == nil && !m.Wide
	if o.Row == "prefix" && m.columns > 1 {
		m.prefix, m.oneHost.row = &prefix{machine: m, union: make(bitset.Set, len(m.block.rows.full))}, false
	}
	m.bitmaps, m.tellsInEveryLevel = o.Bitmaps, o.Predecessors == "level"
	var err error
	if m.sums, err = arena.Make[uint64](&m.Memory, sumCount); err != nil {
		return err
	}
	m.Clock.Watch(m.done)
	if o.Device != nil {
		d, err := attach(m, o.devices(), o.Exchange)
		if err != nil {
			return fmt.Errorf("grid: rank %d: %w", m.Comm.Rank(), err)
		}
		m.side = d
	} else if err := m.prepareThreads(); err != nil {
		return err
	}
	sums := m.sums[:2]
	sums[0], sums[1] = uint64(m.total.reachable), uint64(m.total.entries)
	if err := rank.Reduced(m.Comm, rank.Sum, sums); err != nil {
		return err
	}
	m.total.reachable, m.total.entries = int64(sums[0]), int64(sums[1])
	return nil
}

// prepareThreads makes room for searches by the threads of the rank.
func (m *machine) prepareThreads() error {
	if m.Modelled { // what vector kernels examine depends on the processor
		m.kernels = kernel.Kernels{}
	}
	m.phases.topDown, m.phases.bottomUp = m.topDownBand, m.bottomUpBand
	m.phases.admit, m.phases.unite = m.admitBand, m.uniteBand
	m.predecessors = newPredecessors(m)
	m.side = onThreads{m}
	return m.makeRoom()
}

func (m *machine) makeRoom() (err error) {
	words := len(m.block.rows.full)
	for _, set := range []*bitset.Set{&m.frontier.in, &m.frontier.next} {
		if *set, err = m.common(m.column, m.oneHost.column, bitset.Words(m.numbered())); err != nil {
			return err
		}
	}
	for pass := range m.found.out {
		if m.found.out[pass], err = m.common(m.row, m.oneHost.row, words*m.columns); err != nil {
			return err
		}
	}
	if err := m.makeShares(words); err != nil {
		return err
	}
	if m.found.visited, err = arena.Make[uint64](&m.Memory, words); err != nil {
		return err
	}
	limit := gather.WireLimit(int64(m.N), m.bitmaps == "dense")
	if m.bitmaps == "packed" {
		limit = int64(m.N)
	}
	if !m.oneHost.row {
		if m.found.wire, err = gather.NewWire(&m.Memory, words*m.columns, m.columns, limit); err != nil {
			return err
		}
	}
	if !m.oneHost.column {
		if m.frontier.wire, err = gather.NewWire(&m.Memory, len(m.frontier.in), m.rows, limit); err != nil {
			return err
		}
	}
	return nil
}

// common is memory that the ranks of a group have in common if they are on one host.
func (m *machine) common(of rank.Comm, oneHost bool, words int) ([]uint64, error) {
	if !oneHost {
		return arena.Make[uint64](&m.Memory, words)
	}
	mem, err := m.ShareIn(of.Rank() == 0, of, 8*int64(words))
	if err != nil {
		return nil, err
	}
	return arena.View[uint64](mem), nil
}

// makeShares makes room for what each rank of the row finds, as far as it can be
// seen from here.
func (m *machine) makeShares(words int) error {
	m.found.shares = make([]share, m.columns)
	first, end := m.j, m.j+1
	if m.oneHost.row {
		first, end = 0, m.columns
	}
	each := words
	if !m.found.ownsAll {
		each += 32 * words // a parent for each vertex
	}
	all, err := m.common(m.row, m.oneHost.row, each*(end-first))
	if err != nil {
		return err
	}
	for j := first; j < end; j++ {
		mine := all[(j-first)*each:][:each]
		m.found.shares[j] = share{assigned: mine[:words], marks: arena.View[uint32](arena.Bytes(mine[words:]))}
	}
	return nil
}

func (m *machine) marks() []uint32 { return m.found.shares[m.j].marks }

// mine is this rank's part of what the row has found in a pass.
func (m *machine) mine(pass int) bitset.Set { return m.part(pass, m.j) }

func (m *machine) part(pass, j int) bitset.Set {
	words := len(m.found.visited)
	return m.found.out[pass][j*words:][:words]
}
