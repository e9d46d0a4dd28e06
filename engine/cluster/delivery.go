package cluster

import "github.com/gohops/hops/internal/packet"

// The kinds of edges that workers post.
const (
	forward  = packet.Forward
	backward = packet.Backward
)

// A delivery brings edges from the workers that post them to the owners of their
// other ends, which may be any workers.
type delivery[L label] interface {
	// begin starts a level, or a pass of one. A pass delivers edges of each kind at
	// most once.
	begin()
	// deliver runs a phase in which every worker posts edges of a kind, and brings
	// them to their owners. On each worker that has all of its edges it runs then,
	// if that is not nil.
	deliver(k packet.Kind, phase, then func(thread int))
	// postRow posts the forward edges from vertex v of worker w to the vertices in a
	// row.
	postRow(w *worker[L], v uint32, row []L)
	// post posts an edge from vertex v of worker w to vertex u of worker d. Answers
	// to probes are posted while probes are delivered.
	post(w *worker[L], k packet.Kind, d int, u, v uint32)
	// pass returns which neighbours of its row a vertex probes in a pass.
	pass(n int) (from, to int)
	// asking is the sum over all ranks of the vertices that still ask, after probes
	// were delivered.
	asking() uint64
	close()
}

func newDelivery[L label](m *machine[L], o Options) (delivery[L], error) {
	if o.Sync == "bulk" {
		return newBulk(m), nil
	}
	return newAsynchronous(m, o.Encoding)
}

// arrive takes edges of a kind that have arrived for a worker. Their senders' ends are
// count vertices, numbered from the first vertex of a worker. It reports false where
// an end is not a vertex. It keeps probes.
func (m *machine[L]) arrive(w *worker[L], k packet.Kind, edges []uint64, sender int, count uint32) bool {
	if k == forward {
		return w.take(edges, m.Parts.Cuts[sender], count)
	}
	if !packet.Exist(edges, packet.Limits{Receiver: w.count, Sender: count}) {
		return false
	}
	w.held = append(w.held, held{sender, edges})
	return true
}
