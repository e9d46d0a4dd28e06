package rank

import "sync/atomic"

// Traffic counts the messages and bytes that a rank has sent to other ranks.
//
// For collectives it counts what any implementation must move: a gathered part
// once for every other rank, a reduced vector up and down a tree.
type Traffic struct {
	Messages, Bytes         int64
	HostMessages, HostBytes int64 // the part of Messages and Bytes that went to other hosts
}

// Minus returns the traffic since an earlier count.
func (t Traffic) Minus(before Traffic) Traffic {
	return Traffic{
		t.Messages - before.Messages, t.Bytes - before.Bytes,
		t.HostMessages - before.HostMessages, t.HostBytes - before.HostBytes,
	}
}

// A Meter counts traffic for an implementation of Comm. One meter serves a rank
// in all of its groups.
type Meter struct{ messages, bytes, hostMessages, hostBytes atomic.Int64 }

// Add counts one message of so many bytes to a rank of the same or another host.
func (m *Meter) Add(bytes int64, sameHost bool) {
	m.messages.Add(1)
	m.bytes.Add(bytes)
	if !sameHost {
		m.hostMessages.Add(1)
		m.hostBytes.Add(bytes)
	}
}

// Gather counts a rank's share of a gather: its part goes to every other rank.
func (m *Meter) Gather(c Comm, parts []Span) {
	size := parts[c.Rank()].Size()
	m.spread(c, func(int) int64 { return size })
}

// Exchange counts what a rank sends in an exchange.
func (m *Meter) Exchange(c Comm, outCuts []int64) {
	m.spread(c, func(to int) int64 { return outCuts[to+1] - outCuts[to] })
}

// Reduce counts a rank's share of a reduction over a binary tree of ranks: its vector
// goes to its parent, and the result comes back.
func (m *Meter) Reduce(c Comm, words int) {
	if me := c.Rank(); me > 0 && words > 0 {
		same := c.Host(me) == c.Host((me-1)/2)
		m.Add(8*int64(words), same)
		m.Add(8*int64(words), same)
	}
}

func (m *Meter) spread(c Comm, size func(to int) int64) {
	me := c.Rank()
	for to := range c.Size() {
		if n := size(to); to != me && n > 0 {
			m.Add(n, c.Host(to) == c.Host(me))
		}
	}
}

// Traffic returns the counts so far.
func (m *Meter) Traffic() Traffic {
	return Traffic{m.messages.Load(), m.bytes.Load(), m.hostMessages.Load(), m.hostBytes.Load()}
}
