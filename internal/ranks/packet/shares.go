package packet

import "sync/atomic"

// A Share is the edges of a packet that are for one thread of the receiving rank. The
// senders' ends are numbered from the first vertex of rank From.
type Share struct {
	Edges  []uint64
	From   int
	unread *unread
}

// Release notes that a thread has read its share.
func (s Share) Release() { s.unread.shares.Add(-1) }

// unread counts the threads that still read a slot. It is the Pending of the thread whose
// slot it is.
type unread struct{ shares atomic.Int32 }

// Done implements rank.Pending. It cannot fail.
func (u *unread) Done() (bool, error) { return u.shares.Load() == 0, nil }

// Wait implements rank.Pending. Nobody waits for a share without reading others.
func (u *unread) Wait() error { return nil }

// Divide divides the edges of a packet from another rank among the threads of this one:
// they are sorted into an empty slot, and give gets the share of every thread but mine,
// which is returned. It reports false where an edge is for no vertex of this rank.
// first is its first vertex, and count is the number of its vertices.
func (b *Outbox) Divide(edges []uint64, from, mine int, first uint64, count uint32, give func(thread int, s Share)) ([]uint64, bool) {
	ends := b.ends[:b.lanes.threads]
	clear(ends)
	of, shift := b.lanes.of, b.lanes.shift&63
	for _, e := range edges {
		if uint32(e>>32) >= count {
			return nil, false
		}
		ends[b.thread(of[(first+e>>32)>>shift])]++
	}
	at := uint32(0)
	for t, n := range ends {
		ends[t], at = at, at+n
	}
	slot := b.takeSlot()
	sorted := b.slab[slot+headerWords:][:len(edges)]
	for _, e := range edges {
		end := &ends[b.thread(of[(first+e>>32)>>shift])]
		sorted[*end] = e
		*end++
	}
	left := &unread{}
	left.shares.Store(int32(b.lanes.threads))
	own := []uint64(nil)
	at = 0
	for t, end := range ends {
		share := Share{sorted[at:end], from, left}
		if at = end; t == mine {
			own = share.Edges
		} else if len(share.Edges) > 0 {
			give(t, share)
		} else {
			share.Release()
		}
	}
	left.shares.Add(-1) // the own share is read before the slot is looked for
	b.flying = append(b.flying, flight{slot, left})
	return own, true
}

// thread is the thread of the own rank that a lane leads to.
func (b *Outbox) thread(lane uint32) int {
	t, _ := b.lanes.Thread(int(lane))
	return t
}

// Give takes the open packet of a lane to a thread of the own rank as the share of that
// thread, and opens an empty one.
func (b *Outbox) Give(lane int) Share {
	l := &b.open[lane]
	edges, slot := b.Posted(lane), b.slot(l)
	l.next = b.takeSlot() + headerWords
	left := &unread{}
	left.shares.Store(1)
	b.flying = append(b.flying, flight{slot, left})
	return Share{edges, b.lanes.me, left}
}
