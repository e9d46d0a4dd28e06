package lab

import (
	"fmt"
	"sync"
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
	comms, err := rank.Local(ranks, hosts)
	if err != nil {
		return allgather{}, err
	}
	var wg sync.WaitGroup
	each, errs := make([]allgather, ranks), make([]error, ranks)
	for r, c := range comms {
		wg.Go(func() {
			if each[r], errs[r] = gatherRank(c, way, size); errs[r] != nil {
				c.Abort(errs[r])
			}
		})
	}
	wg.Wait()
	var all allgather
	for r, g := range each {
		if errs[r] != nil {
			return all, errs[r]
		}
		all.collect, all.exchange, all.distribute = max(all.collect, g.collect), max(all.exchange, g.exchange), max(all.distribute, g.distribute)
		all.traffic.Bytes += g.traffic.Bytes
		all.traffic.HostBytes += g.traffic.HostBytes
	}
	for _, c := range comms {
		_ = c.Close()
	}
	return all, nil
}

// parts divides size bytes evenly.
func parts(size, n int) []rank.Span {
	spans := make([]rank.Span, n)
	for i := range spans {
		spans[i] = rank.Span{Lo: int64(size) * int64(i) / int64(n), Hi: int64(size) * int64(i+1) / int64(n)}
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
	spans := parts(size, c.Size())
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
		err = g.step(c, &g.exchange, func() error { return peers.Gather(all, ofPeers(c, spans, host.Rank())) })
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
		return peers.Gather(all, ofHosts(c, spans, peers.Size()))
	}); err != nil {
		return err
	}
	whole := make([]rank.Span, host.Size())
	whole[0].Hi = int64(len(all))
	return g.step(c, &g.distribute, func() error { return host.Gather(all, whole) })
}

// ofPeers returns the spans of the ranks that are number place within their hosts.
func ofPeers(c rank.Comm, spans []rank.Span, place int) (some []rank.Span) {
	seen := map[int]int{}
	for r := range c.Size() {
		if seen[c.Host(r)] == place {
			some = append(some, spans[r])
		}
		seen[c.Host(r)]++
	}
	return some
}

// ofHosts returns the span of each host. Ranks of one host are contiguous.
func ofHosts(c rank.Comm, spans []rank.Span, hosts int) []rank.Span {
	whole := make([]rank.Span, hosts)
	for i := range whole {
		whole[i].Lo = int64(1) << 62
	}
	for r, s := range spans {
		h := &whole[c.Host(r)]
		h.Lo, h.Hi = min(h.Lo, s.Lo), max(h.Hi, s.Hi)
	}
	return whole
}
