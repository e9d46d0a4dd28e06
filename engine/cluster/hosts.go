package cluster

import (
	"github.com/gohops/hops/internal/rank"
)

// hosts is where the ranks are.
type hosts struct {
	count   int
	local   int  // number of this rank on its host
	least   int  // ranks on the host with the fewest
	most    int  // and with the most
	leader  bool // this is the first rank of its host
	leaders rank.Comm
	mine    rank.Comm // the ranks of this host
	// peers has the rank of the same number on every host, for the numbers that
	// all hosts have; others have it alone.
	peers rank.Comm
}

func findHosts(c rank.Comm) (h hosts, err error) {
	ranks := map[int]int{}
	for r := range c.Size() {
		if c.Host(r) == c.Host(c.Rank()) && r < c.Rank() {
			h.local++
		}
		ranks[c.Host(r)]++
	}
	h.count, h.least, h.leader = len(ranks), c.Size(), h.local == 0
	for _, n := range ranks {
		h.least, h.most = min(h.least, n), max(h.most, n)
	}
	if h.mine, err = c.Split(c.Host(c.Rank()), c.Rank()); err != nil {
		return h, err
	}
	if h.leaders, err = c.Split(min(h.local, 1), c.Host(c.Rank())); err != nil {
		return h, err
	}
	color := h.local
	if color >= h.least {
		color = c.Size() + c.Rank()
	}
	h.peers, err = c.Split(color, c.Host(c.Rank()))
	return h, err
}

func (h *hosts) close() {
	for _, c := range []rank.Comm{h.mine, h.leaders, h.peers} {
		if c != nil {
			_ = c.Close()
		}
	}
}
