package lab

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/papers/twin"
)

// The three allgather algorithms of the cui paper, step by step. Every rank
// contributes its part of a bitmap and needs the whole.
//
//	plain   one allgather over all ranks
//	leader  the ranks of a host send their parts to its leader, the leaders do an
//	        allgather, and each distributes the whole on its host
//	shared  the ranks of a host share one bitmap; all of them take part in the
//	        exchange between hosts, each for its own part

// An allgather holds the time of each step of one allgather, and what was sent.
type allgather struct {
	collect, exchange, distribute time.Duration
	traffic                       rank.Traffic
}

func (g allgather) total() time.Duration { return g.collect + g.exchange + g.distribute }

// gatherAll runs one algorithm on ranks of simulated hosts, with a bitmap of size
// bytes, and returns the times of the slowest rank for each step.
func gatherAll(ctx context.Context, p place, way string, ranks, hosts, size int) (allgather, error) {
	if p.over > 0 {
		t := task{Do: "gather", Ranks: ranks, Hosts: hosts, Way: way, Size: size}
		if err := p.Processes.assign(ctx, t); err != nil {
			return allgather{}, err
		}
		return p.Processes.gather(t)
	}
	each := make([]allgather, ranks)
	err := p.onRanks(ranks, hosts, func(c rank.Comm) (err error) {
		each[c.Rank()], err = gatherRank(c, way, size)
		return err
	})
	var all allgather
	for _, g := range each {
		all.collect, all.exchange, all.distribute = max(all.collect, g.collect), max(all.exchange, g.exchange), max(all.distribute, g.distribute)
		all.traffic.Bytes += g.traffic.Bytes
		all.traffic.HostBytes += g.traffic.HostBytes
	}
	return all, err
}

// spansOf divides size bytes evenly.
func spansOf(size, n int) []rank.Span {
	spans := make([]rank.Span, n)
	for i := range spans {
		spans[i] = rank.Span{Lo: int64(size * i / n), Hi: int64(size * (i + 1) / n)}
	}
	return spans
}

func gatherRank(c rank.Comm, way string, size int) (g allgather, err error) {
	me := c.Rank()
	host, err := c.Split(c.Host(me), me)
	if err != nil {
		return g, err
	}
	peers, err := c.Split(host.Rank(), me) // ranks with the same number within their hosts
	if err != nil {
		return g, err
	}
	spans := spansOf(size, c.Size())
	perHost := host.Size() // on every host, and ranks of one host are contiguous
	var all []byte
	if way == "shared" {
		if all, err = c.Share(int64(size)); err != nil {
			return g, err
		}
	} else {
		all = make([]byte, size)
	}
	for i := spans[me].Lo; i < spans[me].Hi; i++ {
		all[i] = byte(i*7 + 1)
	}
	if err := c.Barrier(); err != nil {
		return g, err
	}
	before := c.Traffic()
	switch way {
	case "per-rank":
		err = g.step(c, &g.exchange, func() error { return c.Gather(all, spans) })
	case "leader":
		err = g.byLeader(c, host, peers, all, spans)
	case "shared":
		err = g.step(c, &g.exchange, func() error {
			var some []rank.Span
			for r := host.Rank(); r < len(spans); r += perHost {
				some = append(some, spans[r])
			}
			return peers.Gather(all, some)
		})
	}
	g.traffic = c.Traffic().Minus(before)
	for i := range all {
		if err == nil && all[i] != byte(i*7+1) {
			err = fmt.Errorf("rank %d lacks byte %d of the bitmap", me, i)
		}
	}
	return g, err
}

// step times a step that all ranks do, including the barrier after it.
func (g *allgather) step(c rank.Comm, took *time.Duration, do func() error) error {
	clock, _ := rank.ClockOf(c)
	start := clock.Now()
	if err := do(); err != nil {
		return err
	}
	err := c.Barrier()
	*took = clock.Now().Sub(start)
	return err
}

func (g *allgather) byLeader(c, host, peers rank.Comm, all []byte, spans []rank.Span) error {
	first := c.Rank() - host.Rank()
	mine := spans[first : first+host.Size()]
	if err := g.step(c, &g.collect, func() error { return host.Gather(all, mine) }); err != nil {
		return err
	}
	if err := g.step(c, &g.exchange, func() error {
		if host.Rank() != 0 {
			return nil
		}
		return peers.Gather(all, spansOf(len(all), peers.Size()))
	}); err != nil {
		return err
	}
	whole := make([]rank.Span, host.Size())
	whole[0].Hi = int64(len(all))
	return g.step(c, &g.distribute, func() error { return host.Gather(all, whole) })
}

// window is how many packets a sender has under way.
const window = 16

// bandwidth measures how many bytes a second pairs of ranks transfer in packets of size
// bytes, all pairs at once. Receivers copy every packet, which reads all of it, as
// decoding does.
func bandwidth(ctx context.Context, p place, pairs, size int, atLeast time.Duration) (float64, error) {
	switch {
	case p.twin != "":
		return p.modelBandwidth(pairs, size)
	case p.over > 0:
		t := task{Do: "transfer", Ranks: 2 * pairs, Hosts: 2, Size: size, Time: atLeast}
		if err := p.Processes.assign(ctx, t); err != nil {
			return 0, err
		}
		return p.Processes.transfer(ctx, t)
	}
	totals := make([]int64, 2*pairs)
	start := time.Now()
	err := p.onRanks(2*pairs, 2, func(c rank.Comm) (err error) {
		if me := c.Rank(); me < pairs {
			return sendUntil(ctx, c, me+pairs, size, start.Add(atLeast))
		}
		totals[c.Rank()], err = receiveAll(c, size)
		return err
	})
	if err != nil {
		return 0, err
	}
	elapsed := time.Since(start)
	var sum int64
	for _, n := range totals {
		sum += n
	}
	return float64(sum) / elapsed.Seconds(), ctx.Err()
}

// modelBandwidth is the bandwidth on a twin: model time does not vary, so that a few
// packets are enough.
func (p place) modelBandwidth(pairs, size int) (float64, error) {
	const packets = 64
	ends := make([]time.Duration, 2*pairs)
	err := p.onRanks(2*pairs, 2, func(c rank.Comm) error {
		clock, _ := rank.ClockOf(c)
		start := clock.Now()
		defer func() { ends[c.Rank()] = clock.Now().Sub(start) }()
		for range packets {
			if me := c.Rank(); me < pairs {
				if _, err := c.Send(me+pairs, 0, make([]byte, size)); err != nil {
					return err
				}
			} else if err := rank.Await(func() (ok bool, err error) { _, ok, err = c.Receive(0); return ok, err }); err != nil {
				return err
			}
		}
		return nil
	})
	return float64(packets*pairs*size) / slices.Max(ends).Seconds(), err
}

// onRanks calls do for every rank on hosts of a place, all at once.
func (p place) onRanks(ranks, hosts int, do func(c rank.Comm) error) error {
	comms, err := rank.Local(ranks, hosts)
	if p.twin != "" {
		comms, err = twin.Setup{Machine: p.twin, Nodes: hosts, PerNode: ranks / hosts}.Comms()
	}
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, ranks)
	for _, c := range comms {
		clock, _ := rank.ClockOf(c)
		clock.Enter()
	}
	for r, c := range comms {
		wg.Go(func() {
			if errs[r] = do(c); errs[r] != nil {
				c.Abort(errs[r])
			}
			clock, _ := rank.ClockOf(c)
			clock.Leave()
		})
	}
	wg.Wait()
	for _, c := range comms {
		_ = c.Close()
	}
	return cmp.Or(errs...)
}

// sendUntil sends packets until a time, at least a window of them, and an empty one at the end.
func sendUntil(ctx context.Context, c rank.Comm, to, size int, until time.Time) (err error) {
	var (
		buffers [window][]byte
		pending [window]rank.Pending
	)
	for i := range buffers {
		buffers[i] = make([]byte, size)
	}
	for n := 0; n < window || n%window != 0 || time.Now().Before(until) && ctx.Err() == nil; n++ {
		slot := n % window
		if pending[slot] != nil {
			if err := pending[slot].Wait(); err != nil {
				return err
			}
		}
		buffers[slot][0]++
		if pending[slot], err = c.Send(to, 0, buffers[slot]); err != nil {
			return err
		}
	}
	last, err := c.Send(to, 0, nil)
	if err != nil {
		return err
	}
	return last.Wait()
}

// receiveAll copies packets until an empty one arrives, and returns how many bytes.
func receiveAll(c rank.Comm, size int) (received int64, err error) {
	out := make([]byte, size)
	for {
		var packet rank.Packet
		err := rank.Await(func() (ok bool, err error) {
			packet, ok, err = c.Receive(0)
			return ok, err
		})
		if err != nil {
			return received, err
		}
		n := copy(out, packet.Data)
		packet.Free()
		if n == 0 {
			return received, nil
		}
		received += int64(n)
	}
}
