package csr

import (
	"cmp"
	"slices"
)

// A claim is room in a bucket that one worker fills. To claim some for every buffer took a
// third of this step: an atomic addition waits until all that was written before has arrived.
type claim struct {
	at   int64 // where the next entry goes, within the round
	left int64
}

// claimEntries is how much room a worker claims at a time, a multiple of bufferEntries.
func (b *builder) claimEntries() int {
	each := claimShare / b.team.Size() / bufferEntries
	return max(each, 1) * bufferEntries
}

// claim returns where n entries of bucket k go.
func (w *binner) claim(k int, n int64) (at int64, ok bool) {
	c := &w.claims[k]
	if c.left < n {
		more := n // the last entries leave nothing
		if n == bufferEntries {
			more = int64(w.b.claimEntries())
		}
		bk := &w.r.buckets[k]
		c.at, c.left = bk.start+bk.claimed.Add(more)-more, more
		if c.at+more > w.r.end(k) {
			c.left = 0
			return 0, false
		}
	}
	c.at += n
	c.left -= n
	return c.at - n, true
}

// closeHoles moves the last entries of every bucket to where workers left room. It fails
// if there are not as many as were counted.
func (b *builder) closeHoles(r *round, binners []*binner) error {
	return b.team.Try(int64(len(r.buckets)), 1, func(_ int, k, _ int64) error {
		bk := &r.buckets[k]
		holes := make([]claim, 0, len(binners))
		for _, w := range binners {
			if w.claims[k].left > 0 {
				holes = append(holes, w.claims[k])
			}
		}
		slices.SortFunc(holes, func(a, b claim) int { return cmp.Compare(b.at, a.at) }) // the last one first
		end := bk.start + bk.claimed.Load()
		for _, h := range holes {
			b.moveEntries(h.at, end, min(h.left, end-h.at-h.left))
			end -= h.left
		}
		if end-bk.start != bk.entries {
			return b.changed()
		}
		return nil
	})
}

// moveEntries moves the n entries of a round that end at end to another place.
func (b *builder) moveEntries(to, end, n int64) {
	copy(b.rowOf[to:], b.rowOf[end-n:end])
	copy(b.ranks[to:], b.ranks[end-n:end])
	if b.weights != nil {
		copy(b.weights[to:], b.weights[end-n:end])
	}
}
