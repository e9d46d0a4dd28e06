package cluster

import (
	"math/bits"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/gather"
)

// A frontier is the vertices of the level that comes next. Between two levels it is
// in the queues of the workers, in the workers' own words of a bitmap, or in both, as
// the flags say. Heavy vertices are in neither, but in heavy.front.
//
// The bitmap of the next frontier is kept like that of the frontier, so that the two
// change places without being copied.
type frontier struct {
	gatherer  gather.Gatherer
	in, out   bitset.Set   // frontier of the whole graph, and the next one
	inWords   []bitset.Set // words of in that belong to each worker
	outWords  []bitset.Set // words of out that belong to each worker
	hasQueue  bool
	hasBitmap bool // in has the own words
	gathered  bool // in has all words, heavy vertices included
}

func (m *machine) newFrontier(kind string, dense bool) (err error) {
	f := &m.frontier
	if f.gatherer, err = gather.New(kind, m.Member, dense); err != nil {
		return err
	}
	words := bitset.Words(int64(m.N))
	for _, set := range []*bitset.Set{&f.in, &f.out} {
		if *set, err = f.gatherer.Bitmap(words); err != nil {
			return err
		}
	}
	for t := range m.workers {
		w := &m.workers[t]
		lo := bitset.Words(int64(w.first))
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
func (m *machine) nextQueue() {
	for t := range m.workers {
		w := &m.workers[t]
		w.queue, w.found = w.found, w.queue[:0]
	}
	m.frontier.listed()
}

// gather makes the frontier of the whole graph available.
func (m *machine) gather() error {
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
	return f.gatherer.Gather(f.in, m.state.Vertices, written)
}

// queueWorker lists the frontier that is in a worker's words.
func (m *machine) queueWorker(t int) {
	w := &m.workers[t]
	w.queue = w.queue[:0]
	w.swept()
	for i, word := range m.frontier.inWords[t] {
		for word &^= w.closed[i]; word != 0; word &= word - 1 {
			w.queue = append(w.queue, uint32(i)<<6+uint32(bits.TrailingZeros64(word)))
		}
	}
}

func (m *machine) wantQueue() { m.want(&m.frontier.hasQueue, m.phases.queue) }

func (m *machine) wantBitmap() { m.want(&m.frontier.hasBitmap, m.phases.front) }

// want makes a form of the frontier, by a phase, unless there is one.
func (m *machine) want(has *bool, phase func(int)) {
	if !*has {
		start := m.Now()
		m.Team.Run(phase)
		*has = true
		m.clock.switching += m.Since(start)
	}
}

// frontWorker marks the frontier that is in a worker's queue.
func (m *machine) frontWorker(t int) {
	front := m.frontier.inWords[t]
	front.Clear()
	m.workers[t].swept()
	for _, v := range m.workers[t].queue {
		front.Add(uint64(v))
	}
}
