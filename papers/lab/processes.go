package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Experiments on processes that a launcher started.
//
// The first process leads: it runs the experiments, and assigns tasks to all. A task is
// done by all processes together: build a graph on some of them, search it, measure a
// transfer. The others follow: they wait for the next task, mostly asleep, so that what
// the first process runs by itself in between has the cores. A process that fails ends
// all.

// A Comm connects the processes of a launcher, or a group of them.
type Comm = rank.Comm

// Processes are those that a launcher started, as one of them sees them.
type Processes struct {
	// World has all of them.
	World Comm
	// Group returns a group of the first processes, which pretend to be on hosts, in
	// contiguous groups of about equal size. All processes call it; the others get nil.
	Group func(ranks, hosts int) (Comm, error)
	// Open returns the engine of a string such as "cluster:exchange=probe" on a group, or in
	// this process if it is nil.
	Open func(engine string, on Comm) (graph500.Engine, error)

	graphs map[int]*shared // that are built, by number
	next   int             // number of the next graph
}

// A task is what all processes do together.
type task struct {
	Do           string // build, search, close, gather, transfer or end
	Graph        int    `json:",omitempty"` // number of the graph
	Engine       string `json:",omitempty"`
	Scale        int    `json:",omitempty"`
	Ranks, Hosts int    `json:",omitempty"`
	Root         uint64 `json:",omitempty"`
	Way          string `json:",omitempty"` // to gather
	Size         int    `json:",omitempty"` // bytes of a bitmap or a packet
	Time         time.Duration
}

// taskWords is the size of a task that is sent, in words: one message of MPI without a
// rendezvous. The engines of experiments leave half of it free.
const taskWords = 64

// assign tells all processes a task. Only the first one calls it.
func (p *Processes) assign(ctx context.Context, t task) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	words := make([]uint64, taskWords)
	if copy(arena.Bytes(words), text) < len(text) {
		return fmt.Errorf("lab: a task of %d bytes: %s", len(text), text)
	}
	return p.exchangeTask(ctx, words)
}

// await returns the next task.
func (p *Processes) await(ctx context.Context) (t task, err error) {
	words := make([]uint64, taskWords)
	if err := p.exchangeTask(ctx, words); err != nil {
		return t, err
	}
	text := arena.Bytes(words)
	for len(text) > 0 && text[len(text)-1] == 0 {
		text = text[:len(text)-1]
	}
	return t, json.Unmarshal(text, &t)
}

// The time between two looks for a task grows with the wait, by an eighth of it: searches
// follow each other without a pause, and a process that has waited long leaves its core to
// others. At 2 ms it takes less than a hundredth of a core.
const (
	shortestSleep = 50 * time.Microsecond
	longestSleep  = 2 * time.Millisecond
)

func (p *Processes) exchangeTask(ctx context.Context, words []uint64) error {
	pending, err := p.World.Reduce(rank.Or, words)
	if err != nil {
		return err
	}
	for start := time.Now(); ; {
		done, err := pending.Done()
		if done || err != nil {
			return err
		}
		if ctx.Err() != nil {
			p.World.Abort(context.Cause(ctx))
			return context.Cause(ctx)
		}
		time.Sleep(min(max(time.Since(start)/8, shortestSleep), longestSleep))
	}
}

// Follow does the tasks that the first process assigns, until it ends.
func (p *Processes) Follow(ctx context.Context) error {
	for {
		t, err := p.await(ctx)
		if err == nil && t.Do == "end" {
			return nil
		}
		if err == nil {
			err = p.follow(ctx, t)
		}
		if err != nil {
			p.World.Abort(err)
			return err
		}
	}
}

func (p *Processes) follow(ctx context.Context, t task) (err error) {
	switch t.Do {
	case "build":
		_, err = p.build(ctx, t)
	case "search":
		err = p.graphs[t.Graph].follow(ctx, t)
	case "close":
		err = p.graphs[t.Graph].leave()
		delete(p.graphs, t.Graph)
	case "gather":
		_, err = p.gather(t)
	case "transfer":
		_, err = p.transfer(ctx, t)
	default:
		err = fmt.Errorf("lab: unknown task %q", t.Do)
	}
	return err
}

// End ends the other processes. Those of a run that was interrupted fail.
func (p *Processes) End(ctx context.Context) error {
	if ctx.Err() != nil {
		p.World.Abort(context.Cause(ctx))
		return nil
	}
	return p.assign(ctx, task{Do: "end"})
}

// onGroup calls do on the first processes, and nothing on the others.
func (p *Processes) onGroup(t task, do func(c Comm) error) error {
	c, err := p.Group(t.Ranks, t.Hosts)
	if err != nil || c == nil {
		return err
	}
	return errors.Join(do(c), c.Close())
}

// gather is one allgather on processes: see gatherRank. Every process returns the times of
// the slowest, and the traffic of all.
func (p *Processes) gather(t task) (g allgather, err error) {
	return g, p.onGroup(t, func(c Comm) (err error) {
		if g, err = gatherRank(c, t.Way, t.Size); err != nil {
			return err
		}
		times := []uint64{uint64(g.collect), uint64(g.exchange), uint64(g.distribute)}
		bytes := []uint64{uint64(g.traffic.Bytes), uint64(g.traffic.HostBytes)}
		if err := errors.Join(rank.Reduced(c, rank.Max, times), rank.Reduced(c, rank.Sum, bytes)); err != nil {
			return err
		}
		g.collect, g.exchange, g.distribute = time.Duration(times[0]), time.Duration(times[1]), time.Duration(times[2])
		g.traffic.Bytes, g.traffic.HostBytes = int64(bytes[0]), int64(bytes[1])
		return nil
	})
}

// transfer is the bandwidth of pairs of processes, in bytes a second: see bandwidth.
func (p *Processes) transfer(ctx context.Context, t task) (rate float64, err error) {
	return rate, p.onGroup(t, func(c Comm) error {
		if err := c.Barrier(); err != nil {
			return err
		}
		start, sum := time.Now(), []uint64{0}
		if me, pairs := c.Rank(), c.Size()/2; me < pairs {
			if err := sendUntil(ctx, c, me+pairs, t.Size, start.Add(t.Time)); err != nil {
				return err
			}
		} else {
			received, err := receiveAll(c, t.Size)
			if err != nil {
				return err
			}
			sum[0] = uint64(received)
		}
		err := rank.Reduced(c, rank.Sum, sum)
		rate = float64(sum[0]) / time.Since(start).Seconds()
		return err
	})
}
