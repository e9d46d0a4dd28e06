package check

// Answers about the vertices of ranks on the same host.
//
// Ranks of one host share memory, with a word for every vertex. In a poll each rank publishes
// its answers for its own vertices there, and reads the answers of the other ranks of its host
// without a message. On one host no message is sent.

import (
	"slices"
	"unsafe"

	"github.com/gohops/hops"
)

// near is the vertices of a host, which follow each other, and the memory that its ranks share.
type near struct {
	owners []owner // for whom it was made
	first  hops.Vertex
	words  []uint64
	free   func() error
}

// knowNear makes the ranks of each host share memory, unless they do so for the same parts.
func (p *partTrial) knowNear() (err error) {
	if p.near.free != nil && slices.Equal(p.near.owners, p.owners) {
		return nil
	}
	if err := p.near.close(); err != nil {
		return err
	}
	first, end := p.rangeOfHost()
	mem, free, err := p.ranks.Shared(8 * int64(end-first))
	if err != nil {
		return err
	}
	p.near = near{p.owners, first, unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(mem))), end-first), free}
	return nil
}

func (n *near) close() error {
	if n.free == nil {
		return nil
	}
	free := n.free
	*n = near{}
	return free()
}

// rangeOfHost returns the vertices of this rank's host. It is empty if others lie between them.
func (p *partTrial) rangeOfHost() (first, end hops.Vertex) {
	for _, o := range p.owners {
		switch {
		case p.ranks.Host(o.rank) != p.ranks.Host(p.ranks.Rank()):
		case first == end:
			first, end = o.first, o.end
		case o.first != end:
			return 0, 0
		default:
			end = o.end
		}
	}
	return first, end
}

// onOneHost tells whether all ranks are on one host.
func (c *PartChecker) onOneHost() bool {
	for r := range c.ranks.Size() {
		if c.ranks.Host(r) != c.ranks.Host(0) {
			return false
		}
	}
	return true
}

// A poll asks one thing about many vertices.
type poll[T answer] struct {
	*asker
	first hops.Vertex
	near  []T  // replies for the vertices of this host, from first on
	alone bool // there is no other host
	reply func(i uint32) T

	answers []uint64
	open    []uint32 // which labels owners are asked about
	asked   []hops.Vertex
}

// newPoll begins a poll, in which this rank replies for its own vertices. All ranks begin it
// together, when the one before is over.
func newPoll[T answer](p *partTrial, reply func(i uint32) T) (*poll[T], error) {
	words := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(p.near.words))), len(p.near.words))
	q := &poll[T]{asker: p.asker, first: p.near.first, near: words, alone: p.onOneHost(), reply: reply}
	if err := p.meet(); err != nil { // nobody reads the replies of the last poll any more
		return nil, err
	}
	if len(words) > 0 && p.tree.Len() > 0 {
		own := words[p.tree.First-q.first:][:p.tree.Len()]
		q.each(len(own), func(lo, hi int64) {
			for i := lo; i < hi; i++ {
				own[i] = reply(uint32(i))
			}
		})
	}
	return q, p.meet()
}

// meet waits for all ranks.
func (p *partTrial) meet() error { return p.ranks.Max([]uint64{0}) }

// ask returns the answers for some labels, which are valid until the next call.
func (q *poll[T]) ask(labels []hops.Vertex) ([]T, error) {
	answers := room[T](&q.answers, len(labels))
	if q.alone {
		q.each(len(labels), func(lo, hi int64) { lookUp(answers[lo:hi], q.near, labels[lo:hi]) })
		return answers, nil
	}
	asked := q.sift(labels, answers)
	heard, err := ask(q.asker, asked, q.reply)
	if err != nil {
		return nil, err
	}
	q.each(len(asked), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			answers[q.open[i]] = heard[i]
		}
	})
	return answers, nil
}

// lookUp is what a poll is where all vertices are near: independent loads and nothing else.
func lookUp[T answer](answers, near []T, labels []hops.Vertex) {
	answers = answers[:len(labels)]
	for i, v := range labels {
		answers[i] = near[v]
	}
}

// sift answers what is near, and returns the labels that owners are asked about.
func (q *poll[T]) sift(labels []hops.Vertex, answers []T) (asked []hops.Vertex) {
	q.open = listed(q.team, grow(q.open, len(labels)), func(list []uint32, lo, hi int64) []uint32 {
		for i := lo; i < hi; i++ {
			if at := labels[i] - q.first; at < hops.Vertex(len(q.near)) {
				answers[i] = q.near[at]
			} else {
				list = append(list, uint32(i))
			}
		}
		return list
	})
	q.asked = grow(q.asked, len(q.open))
	q.each(len(q.open), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			q.asked[i] = labels[q.open[i]]
		}
	})
	return q.asked
}
