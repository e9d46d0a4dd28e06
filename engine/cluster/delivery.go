package cluster

import "github.com/gohops/hops/internal/packet"

// The kinds of edges that workers post.
const (
	forward  = packet.Forward
	backward = packet.Backward
)

// A delivery brings edges from the workers that post them to the owners of their
// other ends, which may be any workers. Vertices at both ends are numbered from the
// first of their ranks.
type delivery[L label] interface {
	// deliver runs a phase in which every worker posts forward edges, and brings them
	// to their owners. On each worker that has all of its edges it runs then.
	deliver(phase, then func(thread int))
	// postRow posts the forward edges from vertex v of worker w to the vertices in a
	// row, within a phase.
	postRow(w *worker[L], v uint32, row []L)
	// probe runs a level by probes.
	probe()
	// postProbe posts the question of vertex v of worker w whether u, a vertex of
	// another rank, is in the frontier, within probe.
	postProbe(w *worker[L], u L, v uint32)
	close()
}

func newDelivery[L label](m *machine[L], o Options) (delivery[L], error) {
	if o.Sync == "bulk" {
		return newBulk(m), nil
	}
	return newAsynchronous(m, o.Encoding)
}

// take visits the receiver's ends of forward edges from a rank. It reports false where
// an end is not a vertex.
func (m *machine[L]) take(w *worker[L], edges []uint64, from int) bool {
	first, end := m.Parts.Rank(from)
	return w.take(edges, first, uint32(end-first))
}

// ends are the numbers of vertices at the ends of edges that this rank gets from
// another.
func (m *machine[L]) ends(from int) packet.Limits {
	count := func(r int) uint32 {
		first, end := m.Parts.Rank(r)
		return uint32(end - first)
	}
	return packet.Limits{Receiver: count(m.Comm.Rank()), Sender: count(from)}
}
