package cluster

import (
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/gather"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// A frontier is the vertices of the level that comes next. Between two levels it is
// in the queues of the workers, in the workers' own words of a bitmap, or in both, as
// the flags say. Heavy vertices are in neither, but in heavy.front.
//
// The bitmaps of the frontier and of the next one have the same form, so that they are
// exchanged without being copied.
type frontier struct {
	gatherer  gather.Gatherer // nil where no step gathers
	base      uint64          // vertex of the first bit of the bitmaps
	in, out   bitset.Set      // frontier of the whole graph, or of this rank, and the next one
	inWords   []bitset.Set    // words of in that belong to each worker
	outWords  []bitset.Set    // words of out that belong to each worker
	hasQueue  bool
	hasBitmap bool // in has the own words
	gathered  bool // in has all words, heavy vertices included
}

// affordable returns the steps, without those that gather the frontier if its bitmaps
// would take more than half as much memory as the rows of some host: the policy then
// has no such step to take. With an exchange of the user's choice it has all of them.
func (m *machine[L]) affordable(o Options) ([]level.Step, error) {
	bytes := []uint64{0}
	for t := range m.workers {
		bytes[0] += uint64(len(arena.Bytes(m.workers[t].out.neighbors)))
	}
	if err := rank.Reduced(m.Hosts.Mine, rank.Sum, bytes); err != nil {
		return nil, err
	}
	bitmaps := 2 * uint64(m.N) / 8
	if o.Gather == "per-rank" || o.Gather == "leader" {
		bitmaps *= uint64(m.Hosts.Mine.Size())
	}
	if bytes[0] = min(1, bitmaps/max(1, bytes[0]/2)); o.Exchange != "" || m.N < fewVertices {
		bytes[0] = 0
	}
	if err := rank.Reduced(m.Comm, rank.Max, bytes); err != nil || bytes[0] == 0 {
		return o.steps(), err
	}
	return []level.Step{byMessages, byProbe}, nil
}

// fewVertices: the bitmaps of a smaller graph take less than a packet.
const fewVertices = 1 << 12

// newFrontier makes the bitmaps: of the whole graph where a step gathers it, and of the
// vertices of this rank elsewhere.
func (m *machine[L]) newFrontier(o Options) (err error) {
	f := &m.frontier
	lo, hi := m.Parts.Words(m.Comm.Rank())
	words := int(hi - lo)
	f.base = 64 * uint64(lo)
	bitmap := func(words int) (bitset.Set, error) { return arena.Make[uint64](&m.Memory, words) }
	if slices.Contains(m.steps, byAllgather) {
		if f.gatherer, err = gather.New(o.Gather, m.Member, o.Bitmaps == "dense"); err != nil {
			return err
		}
		bitmap, words, f.base = f.gatherer.Bitmap, bitset.Words(int64(m.N)), 0
	}
	for _, set := range []*bitset.Set{&f.in, &f.out} {
		if *set, err = bitmap(words); err != nil {
			return err
		}
	}
	for t := range m.workers {
		w := &m.workers[t]
		lo := bitset.Words(int64(w.first - f.base))
		f.inWords = append(f.inWords, f.in[lo:][:w.words()])
		f.outWords = append(f.outWords, f.out[lo:][:w.words()])
	}
	return nil
}

// listed notes that the frontier is in the queues alone.
func (f *frontier) listed() { f.hasQueue, f.hasBitmap, f.gathered = true, false, false }

// advance makes the next frontier, of which every worker has written its own words,
// the frontier. It is in the bitmap alone.
func (f *frontier) advance() {
	f.in, f.out = f.out, f.in
	f.inWords, f.outWords = f.outWords, f.inWords
	f.hasQueue, f.hasBitmap, f.gathered = false, true, false
}

// nextQueue makes the vertices that the workers have listed the frontier.
func (m *machine[L]) nextQueue() {
	for t := range m.workers {
		w := &m.workers[t]
		w.queue, w.found = w.found, w.queue[:0]
	}
	m.frontier.listed()
}

// gather makes the frontier of the whole graph available, with what the lookup keeps of it.
func (m *machine[L]) gather() error {
	f := &m.frontier
	if f.gathered {
		return nil
	}
	written := !f.hasBitmap
	m.wantBitmap()
	start := m.Now()
	defer func() { m.clock.gathering += m.Since(start) }()
	if m.heavy.front.Count() > 0 {
		written = true
		m.markHeavy()
	}
	f.gathered, m.clock.sent = true, f.gatherer.Sends()
	if err := f.gatherer.Gather(f.in, m.state.Vertices, written); err != nil {
		return err
	}
	return m.lookup.prepare()
}

// queueWorker lists the frontier that is in a worker's words.
func (m *machine[L]) queueWorker(t int) {
	w := &m.workers[t]
	w.queue = w.queue[:0]
	w.swept()
	for i, word := range m.frontier.inWords[t] {
		for word &^= w.closed[i]; word != 0; word &= word - 1 {
			w.queue = append(w.queue, uint32(i)<<6+uint32(bits.TrailingZeros64(word)))
		}
	}
}

func (m *machine[L]) wantQueue() { m.want(&m.frontier.hasQueue, m.phases.queue) }

func (m *machine[L]) wantBitmap() { m.want(&m.frontier.hasBitmap, m.phases.front) }

// want makes a form of the frontier, by a phase, unless there is one.
func (m *machine[L]) want(has *bool, phase func(int)) {
	if !*has {
		start := m.Now()
		m.Team.Run(phase)
		*has = true
		m.clock.switching += m.Since(start)
	}
}

// frontWorker marks the frontier that is in a worker's queue.
func (m *machine[L]) frontWorker(t int) {
	front := m.frontier.inWords[t]
	front.Clear()
	m.workers[t].swept()
	for _, v := range m.workers[t].queue {
		front.Add(uint64(v))
	}
}
