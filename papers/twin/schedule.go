package twin

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gohops/hops/internal/ranks/rank"
)

// The schedule. A rank is outside, running, or waiting for a turn at some time. When no
// rank runs, the one with the earliest turn gets it; of several, the one with the lowest
// number. It then runs alone until it waits again: nothing that another rank does later
// can concern it earlier. Ranks that waited for the same collective run at once when it
// is complete, because they only compute until they wait for their next turns.
//
// A rank that polls is not given turn after turn. When it asks for something a third
// time, it has been through its loop and looked at all that it waits for: then it waits
// until something happens for it. Should all ranks do so, each looks once more.

// A world is the ranks of one machine.
type world struct {
	network *network
	ranks   []*process
	grain   float64

	mu      sync.Mutex
	running int
	turns   queue
	looks   int // of all ranks in vain
	failure *rank.Failure
}

// A process is one rank.
type process struct {
	world  *world
	id     int
	now    int64 // picoseconds
	wake   chan struct{}
	meter  rank.Meter
	polled map[any]int // how often it has asked for what since something happened
	events []int64     // times at which something happens for it, a heap
	done   func() rank.Work
	paid   rank.Work // that the clock has advanced for
	works  bool      // it reports work, and makes and reads its packets

	inside, waiting, blocked bool
	turn                     int // number of the turn that it waits for: others in the queue are void
}

func newWorld(m Machine, nodes, perNode, grain int) *world {
	w := &world{network: newNetwork(m, nodes, perNode), grain: float64(grain)}
	for id := range nodes * perNode {
		w.ranks = append(w.ranks, &process{
			world: w, id: id, wake: make(chan struct{}, 1), polled: map[any]int{},
			done: func() rank.Work { return rank.Work{} },
		})
	}
	return w
}

// A turn is when a rank may go on.
type turn struct {
	at     int64
	rank   int
	number int
}

type queue []turn

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].at, q[j].at), cmp.Compare(q[i].rank, q[j].rank)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(turn)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// takeTurn returns when no rank can do anything earlier than this one.
func (p *process) takeTurn() error {
	p.pay()
	return p.wait(func() { p.world.queue(p, p.now) })
}

// block returns when something has happened for this rank.
func (p *process) block() error {
	defer clear(p.polled)
	return p.wait(func() {
		p.blocked = true
		for len(p.events) > 0 && p.events[0] <= p.now {
			p.events = p.events[1:]
		}
		if len(p.events) > 0 {
			p.world.queue(p, p.events[0])
		}
	})
}

// wait stops running until the rank is woken. before says when that may be.
func (p *process) wait(before func()) error {
	w := p.world
	w.mu.Lock()
	if w.failure != nil {
		defer w.mu.Unlock()
		return w.failure
	}
	p.waiting = true
	before()
	w.running--
	w.dispatch()
	w.mu.Unlock()
	<-p.wake
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failure != nil {
		return w.failure
	}
	return nil
}

func (w *world) queue(p *process, at int64) { heap.Push(&w.turns, turn{at, p.id, p.turn}) }

// dispatch gives the next turn if no rank runs.
func (w *world) dispatch() {
	if w.running > 0 {
		return
	}
	for len(w.turns) > 0 {
		next := heap.Pop(&w.turns).(turn)
		if p := w.ranks[next.rank]; p.waiting && p.turn == next.number {
			w.release(p, next.at)
			return
		}
	}
	waiting := slices.DeleteFunc(slices.Clone(w.ranks), func(p *process) bool { return !p.waiting })
	polling := slices.DeleteFunc(slices.Clone(waiting), func(p *process) bool { return !p.blocked })
	if w.looks++; len(waiting) > 0 && (len(polling) == 0 || w.looks > maxLooks) {
		w.fail(0, errors.New("twin: every rank waits for another"))
		return
	}
	for _, p := range polling {
		w.queue(p, p.now)
	}
	if len(polling) > 0 {
		w.dispatch()
	}
}

// maxLooks is how often ranks look again when all of them wait, without any packet or
// collective in between.
const maxLooks = 4

// release lets a waiting rank go on, at some time.
func (w *world) release(p *process, at int64) {
	p.now = max(p.now, at)
	p.waiting, p.blocked = false, false
	p.turn++
	w.running++
	p.wake <- struct{}{}
}

// happens notes that something happens for a rank at some time. The caller has the turn.
func (p *process) happens(at int64) {
	p.world.looks = 0
	i, _ := slices.BinarySearch(p.events, at)
	p.events = slices.Insert(p.events, i, at)
	if at <= p.now { // it may have looked already
		clear(p.polled)
	}
	if p.blocked && i == 0 {
		p.world.mu.Lock()
		p.world.queue(p, max(at, p.now))
		p.world.mu.Unlock()
	}
}

// inVain notes that the rank has asked for something that is not there. If it has done
// so twice before, it waits until something happens.
func (p *process) inVain(what any) error {
	if p.polled[what]++; p.polled[what] < 3 {
		return nil
	}
	return p.block()
}

// pay advances the clock by the work since the last time.
func (p *process) pay() {
	done := p.done()
	if cost := p.world.network.machine.Rates.cost(done.Minus(p.paid)); cost > 0 {
		p.now += cost
		clear(p.polled)
	}
	p.paid = done
}

// fail makes a rank a failed one, once, and wakes the others. The lock is held.
func (w *world) fail(id int, cause error) {
	if w.failure != nil {
		return
	}
	w.failure = &rank.Failure{Rank: id, Cause: cause}
	for _, p := range w.ranks {
		if p.waiting {
			w.release(p, p.now)
		}
	}
}

// Now implements rank.Clock.
func (p *process) Now() time.Time {
	p.pay()
	return time.Unix(0, p.now/1000)
}

// Watch implements rank.Clock.
func (p *process) Watch(done func() rank.Work) { p.done, p.paid, p.works = done, done(), true }

// Enter implements rank.Clock.
func (p *process) Enter() {
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	if !p.inside {
		p.inside = true
		p.world.running++
	}
}

// Leave implements rank.Clock.
func (p *process) Leave() {
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	if p.inside {
		p.inside = false
		p.world.running--
		p.world.dispatch()
	}
}
