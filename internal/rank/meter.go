package rank

import "sync/atomic"

// Traffic counts what a rank has sent to others. Bytes and messages between
// hosts are counted among all.
//
// For collectives it counts what any implementation must move: a gathered part
// once for every other rank, a reduced vector up and down a tree.
type Traffic struct {
	Messages, Bytes         int64
	HostMessages, HostBytes int64 // of these, to other hosts
}

// Minus is what was sent since before.
func (t Traffic) Minus(before Traffic) Traffic {
	return Traffic{
		t.Messages - before.Messages, t.Bytes - before.Bytes,
		t.HostMessages - before.HostMessages, t.HostBytes - before.HostBytes,
	}
}

// A Meter counts traffic for an implementation of Comm. One meter serves a rank
// in all of its groups.
type Meter struct{ messages, bytes, hostMessages, hostBytes atomic.Int64 }

// Add counts bytes sent to a rank of another or of the same host.
func (m *Meter) Add(bytes int64, sameHost bool) {
	m.messages.Add(1)
	m.bytes.Add(bytes)
	if !sameHost {
		m.hostMessages.Add(1)
		m.hostBytes.Add(bytes)
	}
}

// Gather counts the sender's side of a gathering: its part goes to every other
// rank.
func (m *Meter) Gather(c Comm, parts []Span) {
	size := parts[c.Rank()].Size()
	m.spread(c, func(int) int64 { return size })
}

// Exchange counts the sender's side of an exchange.
func (m *Meter) Exchange(c Comm, outCuts []int64) {
	m.spread(c, func(to int) int64 { return outCuts[to+1] - outCuts[to] })
}

// Reduce counts a rank's edge of the tree: its vector goes up and the result
// comes down.
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

// Traffic is what was counted.
func (m *Meter) Traffic() Traffic {
	return Traffic{m.messages.Load(), m.bytes.Load(), m.hostMessages.Load(), m.hostBytes.Load()}
}
