package cpu

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/placement"
	"github.com/gohops/hops/internal/tails"
	"github.com/gohops/hops/level"
)

// The names of the steps.
const (
	stepTopDown  = "top-down"
	stepBottomUp = "bottom-up"
	stepSplit    = "split"
)

var steps = []level.Step{
	{Name: stepTopDown, Direction: level.TopDown},
	{Name: stepBottomUp, Direction: level.BottomUp},
	{Name: stepSplit, Direction: level.Split},
}

const (
	// blockWords is the unit in which vertices belong to a worker and are handed
	// out: 64 words of the bitmaps, 4,096 vertices, 16 KiB of heads.
	blockWords = 1 << blockShift / 64
	blockShift = tails.BlockShift

	// sampleEvery is the distance of the words whose vertices are looked up to
	// estimate the row entries of a frontier that is too large to add up.
	sampleEvery = 32
)

// A machine is the state of one search. Between two levels the frontier is in
// queue, in front, or in both, as the two flags say.
//
// Every worker owns a range of blocks: it clears, fills and counts its own words
// of the bitmaps, whose cache lines so stay with its core.
type machine struct {
	graph     *graph.Graph
	tails     tails.Tails
	team      *par.Team
	kernels   kernel.Kernels
	connected int64 // vertices that can be found
	parents   []uint32

	visited bitset.Set // starts out with the isolated vertices
	front   bitset.Set // frontier as a bitmap, if hasFront
	next    bitset.Set
	queue   []uint32 // frontier as a list, if hasQueue
	spare   []uint32
	left    []uint32 // room for a list of the unvisited, when these are few
	owner   []uint16 // of each block
	heavy   []uint32 // frontier vertices with long rows, in top-down levels
	cuts    []int64  // number of the first piece of each of these rows, and of all pieces

	hasQueue, hasFront bool
	hasLeft            bool // the workers have listed what they have left
	splitting          bool // heavy vertices are left to bottom-up
	state              level.Front

	cursor  atomic.Int64 // work handed out in the running phase
	tail    atomic.Int64 // end of the queue being written
	heavies atomic.Int64 // end of heavy
	workers []worker
	mem     arena.Arena

	// The phases and what a split level wants as values, made once: a method value
	// allocates.
	phases     struct{ seed, list, mark, remember, expand, pieces, apply, finish, bottomUp, leave, left func(int) }
	wantsHeavy func(v uint32, k int) bool
}

// A worker is what one thread owns, counts and collects by itself.
type worker struct {
	lo, hi int64 // its words of the bitmaps
	// stealOrder is the workers whose blocks it takes, itself first.
	stealOrder []int

	found    int64 // vertices
	edges    int64 // their row entries, as far as they were added up or sampled
	light    int64 // those of light vertices
	examined int64
	left     []uint32 // of its vertices

	share work
	bins  bins
	list  tails.List // of a bottom-up block
	kept  []uint32   // of a row, by expand
	_     [64]byte
	taken atomic.Int64 // words of its own that were handed out, to it or to others
	_     [64]byte
}

func newMachine(g *graph.Graph, team *placement.Team, kernels kernel.Kernels) (m *machine, err error) {
	m = &machine{graph: g, team: team.Team, kernels: kernels, connected: g.NumConnected()}
	defer func() {
		if err != nil {
			_ = m.mem.Close()
		}
	}()
	n := int(g.NumVertices())
	for _, set := range []*bitset.Set{&m.visited, &m.front, &m.next} {
		if *set, err = arena.Make[uint64](&m.mem, bitset.Words(int64(n))); err != nil {
			return nil, err
		}
	}
	for _, q := range []*[]uint32{&m.queue, &m.spare} {
		if *q, err = arena.Make[uint32](&m.mem, n); err != nil {
			return nil, err
		}
	}
	if m.left, err = arena.Make[uint32](&m.mem, n/leftShare); err != nil {
		return nil, err
	}
	if m.tails, err = tails.New(int64(n), g.In.Row, m.team, &m.mem); err != nil {
		return nil, err
	}
	m.heavy = make([]uint32, g.NumEntries()/heavyRow+1)
	m.cuts = make([]int64, 0, len(m.heavy)+1)
	p := &m.phases
	p.seed, p.list, p.mark, p.bottomUp = m.seedWorker, m.listWorker, m.markWorker, m.bottomUpWorker
	p.remember, p.expand, p.pieces = m.rememberWorker, m.expandWorker, m.pieceWorker
	p.apply, p.finish = m.applyWorker, m.finishWorker
	p.leave, p.left = m.leaveWorker, m.leftWorker
	m.wantsHeavy = m.heavyFirst
	if err := m.newWorkers(team.Places); err != nil {
		return nil, err
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
	m.workers = make([]worker, m.team.Size())
	for w := range m.workers {
		me := &m.workers[w]
		me.lo, me.hi = par.Split(words, blockWords, w, len(m.workers))
		for b := me.lo / blockWords; b < (me.hi+blockWords-1)/blockWords; b++ {
			m.owner[b] = uint16(w)
		}
		me.stealOrder = places.StealOrder(w)
		me.list, me.kept = tails.NewList(), make([]uint32, pieceSize+kernel.Slack)
		if me.bins, err = newBins(&m.mem, len(m.workers)); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) Steps() []level.Step { return steps }

// Seed clears the state of the last search, which is part of the clock.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	v := uint32(root)
	m.team.Run(m.phases.seed)
	m.visited.Add(uint64(v))
	m.parents[v] = v
	m.queue = append(m.queue[:0], v)
	m.hasQueue, m.hasFront, m.hasLeft = true, false, false
	m.state = m.seedFront(v)
	m.estimate(&m.state, m.state.Edges)
	return m.state, nil
}

// seedFront is the front of a search that begins at v, with all that is known of its
// work before a row has been looked at.
func (m *machine) seedFront(v uint32) level.Front {
	edges, entries := m.graph.Out.Degree(v), m.graph.NumEntries()
	f := level.Front{
		Size:      int64(len(m.parents)),
		Vertices:  1,
		Edges:     edges,
		Unvisited: m.connected,
		Remaining: entries - edges,
	}
	if !bitset.Set(m.graph.Isolated).Has(uint64(v)) {
		f.Unvisited--
	}
	f.Work = [level.Directions]int64{edges, f.Remaining, f.Remaining}
	return f
}

func (m *machine) seedWorker(id int) {
	me := &m.workers[id]
	copy(m.visited[me.lo:me.hi], m.graph.Isolated[me.lo:me.hi])
}

func (m *machine) Run(s level.Step) (level.Front, level.Outcome, error) {
	for w := range m.workers {
		me := &m.workers[w]
		me.found, me.edges, me.light, me.examined = 0, 0, 0, 0
		me.taken.Store(0)
	}
	switch s.Name {
	case stepTopDown:
		m.topDown()
	case stepBottomUp:
		m.bottomUp()
	case stepSplit:
		m.split()
	default:
		return level.Front{}, level.Outcome{}, fmt.Errorf("cpu: no step is called %q", s.Name)
	}
	f, done, light := level.Front{Size: int64(len(m.parents))}, level.Outcome{}, int64(0)
	for w := range m.workers {
		f.Vertices += m.workers[w].found
		f.Edges += m.workers[w].edges
		light += m.workers[w].light
		done.Examined += m.workers[w].examined
	}
	f.Unvisited = m.state.Unvisited - f.Vertices
	f.Remaining = max(m.state.Remaining-f.Edges, f.Unvisited)
	if f.Vertices > 0 {
		m.estimate(&f, light)
	}
	m.state = f
	return f, done, nil
}

// run hands a phase to the team.
func (m *machine) run(phase func(worker int)) {
	m.cursor.Store(0)
	m.team.Run(phase)
}

// claim returns the next range of at most grain out of size units of work.
func (m *machine) claim(size, grain int64) (lo, hi int64, ok bool) {
	lo = m.cursor.Add(grain) - grain
	return lo, min(lo+grain, size), lo < size
}

// claimBlock returns the next block of words out of those that worker owner
// owns.
func (m *machine) claimBlock(owner int) (lo, hi int64, ok bool) {
	from := &m.workers[owner]
	lo = from.lo + from.taken.Add(blockWords) - blockWords
	return lo, min(lo+blockWords, from.hi), lo < from.hi
}

// book counts the vertices of word w that were found in this level, and looks up
// the rows of a sample of them.
func (m *machine) book(w int64, found uint64, me *worker) {
	me.found += int64(bits.OnesCount64(found))
	if w%sampleEvery != 0 {
		return
	}
	for ; found != 0; found &= found - 1 {
		m.addEntries(uint32(w)<<6+uint32(bits.TrailingZeros64(found)), sampleEvery, me)
	}
}

// addEntries adds the row of a found vertex, which stands for several, to the
// edges of the next frontier.
func (m *machine) addEntries(v uint32, times int64, me *worker) {
	entries := m.graph.Out.Degree(v) * times
	me.edges += entries
	if !bitset.Set(m.graph.Parents.Hub).Has(uint64(v)) {
		me.light += entries
	}
}
