package cpu

import (
	"cmp"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/level"
)

// The names of the steps.
const (
	stepTopDown     = "top-down" // directly, or alone
	stepTopDownBins = "top-down-bins"
	stepBottomUp    = "bottom-up"
	stepSplit       = "split"
)

// steps are what a policy chooses from. How a top-down level is run, the prices say.
var steps = []level.Step{
	{Name: stepTopDown, Direction: level.TopDown},
	{Name: stepBottomUp, Direction: level.BottomUp},
	{Name: stepSplit, Direction: level.Split},
}

const (
	// blockWords is the unit in which vertices belong to a worker and in which
	// bottom-up levels are divided: 64 words of the bitmaps, 4,096 vertices, 16 KiB of
	// heads.
	blockWords = bottomup.BlockWords
	blockShift = bottomup.BlockShift

	sampleEvery = bottomup.SampleEvery
)

// A machine is the state of one search. Between two levels the frontier is in
// queue, in front, or in both, as hasQueue and hasFront say, or in parts, as
// direct.open says.
//
// Every worker owns a range of blocks. It clears, fills and counts its own words of
// the bitmaps, so that their cache lines stay with its core.
type machine struct {
	graph   *graph.Graph
	rows    bottomup.Rows
	look    bottomup.Level // of the running bottom-up phase
	team    *par.Team
	kernels kernel.Kernels
	domain  domain   // what the search looks at
	parents []uint32 // the tree that the search fills

	visited   bitset.Set  // starts with the vertices in it that are not in the domain
	front     bitset.Set  // frontier as a bitmap, if hasFront
	next      bitset.Set  // next frontier as a bitmap
	queue     []uint32    // frontier as a list, if hasQueue
	spare     []uint32    // memory of the next queue
	unvisited []uint32    // memory of the workers' lists of unvisited vertices
	owner     []uint16    // worker that owns each block
	ends      []uint64    // of the vertices of each worker
	long      longRows    // of the frontier, in top-down levels
	divided   dividedRows // rows that are divided among the workers, see divided.go
	direct    direct      // see direct.go
	prices    *prices     // of the forms of top-down levels

	samples      bottomup.Samples // of the rows, to estimate the entries of what is found
	lightSamples bottomup.Samples // the same, in which hubs have rows without entries

	hasQueue, hasFront bool
	saved              bool // next is the visited set of before the last level, see saveVisited
	hasUnvisited       bool // the workers have listed their unvisited vertices
	splitting          bool // this level looks for hubs bottom-up, see split
	unasked            bool // the policy does not look at the work of a level: see estimate
	state              level.Front
	counting           bool // this search keeps the counts of its levels, see traffic.go
	counts             counts
	counted            []counts // of the levels that are done

	cursor   atomic.Int64 // units of work that are claimed in the running phase
	queueEnd atomic.Int64 // end of the list that the workers are writing
	workers  []worker
	mem      arena.Arena

	// phases and hubs are method values, which are made once, because making a method
	// value allocates. hubs keeps a level to the hubs: see split.
	phases struct {
		seed, fillQueue, fillFront, begin, pickOwn, expand, pieces, apply, finish, bottomUp, listUnvisited, probeListed,
		bid, bidPieces, settle, save, difference func(int)
	}
	hubs struct {
		wants func(v uint32, k int) bool
		rest  func(v uint32) []uint32
	}
}

// A domain is the part of the graph that a search looks at.
type domain struct {
	outside  bitset.Set // vertices that count as visited from the start
	vertices int64
	entries  int64 // of the rows of these
}

// withoutIsolated is the graph without its isolated vertices.
func withoutIsolated(g *graph.Graph) domain {
	return domain{outside: g.Isolated, vertices: g.NumConnected(), entries: g.NumEntries()}
}

// everyVertex is the whole graph with its isolated vertices. Each has itself as the head of
// its row, which it never finds in a frontier.
func everyVertex(g *graph.Graph) domain {
	n := int64(g.NumVertices())
	outside := bitset.New(n)
	if beyond := n % 64; beyond > 0 {
		outside[n/64] = ^uint64(0) << beyond
	}
	return domain{outside: outside, vertices: n, entries: g.NumEntries()}
}

// A worker is the state of one thread.
type worker struct {
	lo, hi     int64 // its words of the bitmaps
	stealOrder []int // workers whose blocks it takes, itself first

	found     int64    // vertices
	edges     int64    // row entries of the vertices found, or an estimate
	nonHub    int64    // row entries of those that are no hubs, or an estimate
	long      int64    // row entries in long rows, or an estimate; 0 if the level leaves a bitmap
	examined  int64    // row entries
	counts    counts   // what it did beyond that
	unvisited []uint32 // its unvisited vertices, if hasUnvisited

	claimed span            // range of the queue that it has claimed and not yet read
	bins    bins            // pairs for the other workers
	misses  bottomup.Misses // vertices of a bottom-up block
	kept    []uint32        // output of expand
	bidder  bidder          // in a direct level
	part    span            // its part of the frontier that a direct level leaves
	divided ownEntries      // what it owns of the divided rows
	_       [64]byte
	taken   atomic.Int64 // words of its own that it or others have claimed
	_       [64]byte
}

func newMachine(g *graph.Graph, team *placement.Team, kernels kernel.Kernels, o Options) (m *machine, err error) {
	m = &machine{graph: g, team: team.Team, kernels: kernels}
	m.domain = withoutIsolated(g)
	if o.Layout == Plain {
		m.domain = everyVertex(g)
	}
	defer func() {
		if err != nil {
			_ = m.mem.Close()
		}
	}()
	n := int(g.NumVertices())
	words := bitset.Words(int64(n))
	err = cmp.Or(
		arena.MakeAll(&m.mem, words, &m.visited, &m.front, &m.next),
		arena.MakeAll(&m.mem, int(bottomup.SamplesLength(int64(words))), &m.samples, &m.lightSamples),
		arena.MakeAll(&m.mem, int(queueRoom(int64(n), int64(m.team.Size()))), &m.queue, &m.spare),
		arena.MakeAll(&m.mem, n/unvisitedShare, &m.unvisited),
	)
	if err != nil {
		return nil, err
	}
	m.fillSamples()
	m.rows = bottomup.Rows{Head: g.Parents.Head, More: g.Parents.More, Row: g.In.Row}
	m.long.init(g, m.team)
	if !o.Lean {
		if m.rows.Tails, err = bottomup.NewTails(int64(n), int64(n), g.In.Row, m.team, &m.mem); err != nil {
			return nil, err
		}
	}
	p := &m.phases
	p.seed, p.fillQueue, p.fillFront = m.seedWorker, m.fillQueueWorker, m.fillFrontWorker
	p.begin, p.pickOwn, p.expand, p.pieces = m.beginWorker, m.pickOwnWorker, m.expandWorker, m.pieceWorker
	p.apply, p.finish, p.bottomUp = m.applyWorker, m.finishWorker, m.bottomUpWorker
	p.listUnvisited, p.probeListed = m.listUnvisitedWorker, m.probeListedWorker
	p.save, p.difference = m.saveWorker, m.differenceWorker
	p.bid, p.bidPieces, p.settle = m.bidWorker, m.bidPieceWorker, m.settleWorker
	m.hubs.wants, m.hubs.rest = m.isHubEntry, m.hubRest
	if err := m.newWorkers(team.Places); err != nil {
		return nil, err
	}
	if err := m.makeDirect(o.Lean); err != nil {
		return nil, err
	}
	m.prices = newPrices(m.team, words, g.NumEntries())
	if !o.Lean {
		if err := m.divideRows(); err != nil {
			return nil, err
		}
	}
	if team.Places.SeveralParts() {
		m.placeParts(team.Places)
	}
	return m, nil
}

// newWorkers makes the workers and divides the blocks among them.
func (m *machine) newWorkers(places placement.Placement) (err error) {
	words := int64(len(m.visited))
	m.owner = make([]uint16, (words+blockWords-1)/blockWords)
	m.workers, m.ends = make([]worker, m.team.Size()), make([]uint64, m.team.Size())
	for w := range m.workers {
		me := &m.workers[w]
		me.lo, me.hi = par.Split(words, blockWords, w, len(m.workers))
		for b := me.lo / blockWords; b < (me.hi+blockWords-1)/blockWords; b++ {
			m.owner[b] = uint16(w)
		}
		m.ends[w] = uint64(me.hi) * 64
		me.stealOrder = places.StealOrder(w)
		me.misses, me.kept = bottomup.NewMisses(), make([]uint32, pieceSize+kernel.Slack)
		if me.bins, err = newBins(&m.mem, len(m.workers)); err != nil {
			return err
		}
	}
	return nil
}

// Steps implements level.Machine.
func (m *machine) Steps() []level.Step { return steps }

// Seed implements level.Machine. It clears the state of the last search, which is part
// of the time of a search.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	v := uint32(root)
	m.team.Run(m.phases.seed)
	m.visited.Add(uint64(v))
	m.parents[v] = v
	m.queue = append(m.queue[:0], v)
	m.hasQueue, m.hasFront, m.hasUnvisited, m.saved, m.direct.open = true, false, false, false, false
	m.prices.begin()
	m.state = m.seedFront(v)
	m.estimate(&m.state, m.state.Edges)
	return m.state, nil
}

// seedFront is the front of a search that begins at v. Its Work is an upper bound: no row
// has been read yet.
func (m *machine) seedFront(v uint32) level.Front {
	edges, entries := m.graph.Out.Degree(v), m.domain.entries
	f := level.Front{
		Size:      int64(len(m.parents)),
		Vertices:  1,
		Edges:     edges,
		Unvisited: m.domain.vertices,
		Remaining: entries - edges,
	}
	if !m.domain.outside.Has(uint64(v)) {
		f.Unvisited--
	}
	f.Work = [level.Directions]int64{edges, f.Remaining, f.Remaining}
	return f
}

func (m *machine) seedWorker(id int) {
	me := &m.workers[id]
	copy(m.visited[me.lo:me.hi], m.domain.outside[me.lo:me.hi])
}

// Run implements level.Machine. Edges and Remaining are estimates after large levels.
func (m *machine) Run(s level.Step) (f level.Front, done level.Outcome, err error) {
	m.resetCounts()
	switch s.Name {
	case stepTopDown, stepTopDownBins:
		m.topDown(s)
	case stepBottomUp:
		m.bottomUp()
	case stepSplit:
		m.split()
	default:
		return level.Front{}, level.Outcome{}, fmt.Errorf("cpu: no step is called %q", s.Name)
	}
	f, done = m.countLevel()
	return f, done, nil
}

// resetCounts prepares the workers for a level.
func (m *machine) resetCounts() {
	if m.counting {
		m.beginCounts()
	}
	for w := range m.workers {
		me := &m.workers[w]
		me.found, me.edges, me.nonHub, me.long, me.examined = 0, 0, 0, 0, 0
		me.taken.Store(0)
	}
}

// countLevel adds up what the workers did, which makes the front of the next level.
func (m *machine) countLevel() (f level.Front, done level.Outcome) {
	f.Size = int64(len(m.parents))
	nonHub := int64(0)
	m.prices.long = 0
	for w := range m.workers {
		f.Vertices += m.workers[w].found
		f.Edges += m.workers[w].edges
		nonHub += m.workers[w].nonHub
		m.prices.long += float64(m.workers[w].long)
		done.Examined += m.workers[w].examined
	}
	entries := m.domain.entries
	f.Edges = min(f.Edges, entries) // a sample may count more than there are
	f.Unvisited = m.state.Unvisited - f.Vertices
	f.Remaining = min(max(m.state.Remaining-f.Edges, f.Unvisited), entries)
	if f.Vertices > 0 {
		m.estimate(&f, nonHub)
	}
	m.state = f
	if m.counting {
		m.keepCounts()
	}
	return f, done
}

// run runs a phase whose work is claimed by claim.
func (m *machine) run(phase func(worker int)) {
	m.cursor.Store(0)
	m.team.Run(phase)
}

// claim returns the next range of at most grain units of work. ok is false when all
// size units are claimed.
func (m *machine) claim(size, grain int64) (lo, hi int64, ok bool) {
	lo = m.cursor.Add(grain) - grain
	return lo, min(lo+grain, size), lo < size
}

// claimBlock returns the next block of the words that worker owner owns. ok is false
// when all of them are claimed.
func (m *machine) claimBlock(owner int) (lo, hi int64, ok bool) {
	from := &m.workers[owner]
	lo = from.lo + from.taken.Add(blockWords) - blockWords
	return lo, min(lo+blockWords, from.hi), lo < from.hi
}

// fillSamples looks up the rows that stand for all.
func (m *machine) fillSamples() {
	n, hubs := int64(m.graph.NumVertices()), bitset.Set(m.graph.Parents.Hub)
	m.samples.Fill(n, m.graph.Out.Degree)
	m.lightSamples.Fill(n, func(v uint32) int64 {
		if hubs.Has(uint64(v)) {
			return 0
		}
		return m.graph.Out.Degree(v)
	})
}

// countWord counts the vertices of word w that were found in this level, and estimates
// their row entries.
func (m *machine) countWord(w int64, found uint64, me *worker) {
	me.found += int64(bits.OnesCount64(found))
	if w%sampleEvery != 0 {
		return
	}
	me.edges += m.samples.Entries(w, found)
	if !m.unasked { // nobody else wants to know
		me.nonHub += m.lightSamples.Entries(w, found)
	}
}

// addEntries adds the row of a found vertex to the edges of the next frontier.
func (m *machine) addEntries(v uint32, me *worker) {
	entries := m.graph.Out.Degree(v)
	me.edges += entries
	if !bitset.Set(m.graph.Parents.Hub).Has(uint64(v)) {
		me.nonHub += entries
	}
}
