package distributed

import (
	"github.com/gohops/hops/internal/ranks/rank"
)

// Hosts says which ranks are on which hosts, and has groups of them.
type Hosts struct {
	Count  int
	Local  int  // number of this rank on its host
	Least  int  // ranks on the host with the fewest
	Most   int  // ranks on the host with the most
	Leader bool // this is the first rank of its host

	Leaders rank.Comm // the leaders; what the other ranks have here is a group of those
	Mine    rank.Comm // the ranks of this host
	// Peers has the rank of the same number on every host, for the numbers that
	// all hosts have; a rank with another number is alone in it.
	Peers rank.Comm
}

func findHosts(c rank.Comm) (h Hosts, err error) {
	ranks := map[int]int{}
	for r := range c.Size() {
		if c.Host(r) == c.Host(c.Rank()) && r < c.Rank() {
			h.Local++
		}
		ranks[c.Host(r)]++
	}
	h.Count, h.Least, h.Leader = len(ranks), c.Size(), h.Local == 0
	for _, n := range ranks {
		h.Least, h.Most = min(h.Least, n), max(h.Most, n)
	}
	if h.Mine, err = c.Split(c.Host(c.Rank()), c.Rank()); err != nil {
		return h, err
	}
	if h.Leaders, err = c.Split(min(h.Local, 1), c.Host(c.Rank())); err != nil {
		return h, err
	}
	color := h.Local
	if color >= h.Least {
		color = c.Size() + c.Rank()
	}
	h.Peers, err = c.Split(color, c.Host(c.Rank()))
	return h, err
}

func (h *Hosts) close() {
	for _, c := range []rank.Comm{h.Mine, h.Leaders, h.Peers} {
		if c != nil {
			_ = c.Close()
		}
	}
}
