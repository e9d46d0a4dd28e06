package lab

import (
	"fmt"
	"time"

	"github.com/gohops/hops/internal/rank"
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
func gatherAll(way string, ranks, hosts, size int) (allgather, error) {
	each := make([]allgather, ranks)
	err := onRanks(ranks, hosts, func(c rank.Comm) (err error) {
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
	case "plain":
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
	start := time.Now()
	if err := do(); err != nil {
		return err
	}
	err := c.Barrier()
	*took = time.Since(start)
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
