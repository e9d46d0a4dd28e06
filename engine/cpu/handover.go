package cpu

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/level"
)

// The steps in the names that Zhang et al. give them, for searches that use other
// devices too, in the order of the engine's own. Split is ours, as are bursts.
var portableSteps = []level.Step{
	{Name: "TC", Direction: level.TopDown},
	{Name: "BC", Direction: level.BottomUp},
	{Name: "SC", Direction: level.Split},
	{Name: nameC, Direction: level.TopDown},
}

// Portable runs the levels of a search that moves between devices: the search is
// started, given away and taken back level by level.
//
// It keeps a log of what was found since another device last had the search, as
// long as that is little and each level leaves a queue behind, as small levels
// do. The log, not the bitmap, is then what moves.
type Portable struct {
	own    *Searcher
	m      *machine
	policy level.Policy // of bursts
	root   hops.Vertex

	fresh    bool     // seeded in name only: nothing was cleared yet
	log      []uint32 // vertices found, level by level
	from     []uint32 // and their parents
	noted    bool     // the frontier is in the log, or known to the others
	overflow bool     // the log is not complete
	borrowed bool     // the visited set is memory that a device shares
	handover level.Handover

	ask    func(level.Front) bool // ends bursts; nil: the search stays here
	enough func(level.Front) bool
	ran    []hops.Level // in a burst
	spent  int64        // of its work
}

var _ level.Host = (*Portable)(nil)

// Portable returns the search as single levels. It uses the same memory as
// Search, so that only one of the two may be under way.
func (s *Searcher) Portable() *Portable {
	p := &Portable{own: s, m: s.m, policy: s.policy}
	if known, ok := s.policy.(level.Model); ok {
		p.policy = PortableModel(known)
	}
	p.enough = p.isEnough
	return p
}

// PortableModel is a model of the engine's steps by the names they have here.
func PortableModel(m level.Model) level.Model {
	renamed := level.Model{}
	for i, s := range steps {
		if cost, ok := m[s.Name]; ok {
			renamed[portableSteps[i].Name] = cost
		}
	}
	return renamed
}

// logLimit is how many vertices the log takes: one in 32, which with their parents
// are a sixteenth of the tree that crosses the bus anyway, and take no time to note
// that would show.
func (p *Portable) logLimit() int { return len(p.m.visited)*2 + 1024 }

// PortableSteps are the steps of a Portable machine.
func PortableSteps() []level.Step { return slices.Clone(portableSteps) }

// Steps implements level.Machine.
func (p *Portable) Steps() []level.Step { return portableSteps }

// Solo implements level.Host: it is the engine's own search.
func (p *Portable) Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	return p.own.search(ctx, portableSteps[:len(steps)], p.policy, root, t)
}

// Isolated implements level.Host.
func (p *Portable) Isolated(v hops.Vertex) bool {
	return v < p.m.graph.NumVertices() && bitset.Set(p.m.graph.Isolated).Has(uint64(v))
}

// Bind implements level.Portable.
func (p *Portable) Bind(t *hops.Tree) error {
	if n := p.m.graph.NumVertices(); hops.Vertex(len(t.Narrow)) != n || t.First != 0 {
		return fmt.Errorf("cpu: the tree has room for %d of %d vertices", len(t.Narrow), n)
	}
	p.m.parents = t.Narrow
	return nil
}

// Borrow makes the machine search on a visited set that a device shares.
func (p *Portable) Borrow(l level.Lent) {
	if l.Visited != nil {
		p.m.visited, p.borrowed = l.Visited, true
	}
}

// Seed implements level.Machine. It clears nothing: the first level may run
// elsewhere.
func (p *Portable) Seed(root hops.Vertex) (level.Front, error) {
	if root >= p.m.graph.NumVertices() {
		return level.Front{}, fmt.Errorf("cpu: root %d: the graph has %d vertices", root, p.m.graph.NumVertices())
	}
	p.root, p.fresh = root, true
	p.restartLog()
	return p.m.seeded(uint32(root)), nil
}

// seeded is the front of a search that begins at v.
func (m *machine) seeded(v uint32) level.Front {
	edges, entries := m.graph.Out.Degree(v), m.graph.NumEntries()
	f := level.Front{
		Size:      int64(len(m.parents)),
		Vertices:  1,
		Edges:     edges,
		Unvisited: m.connected,
		Remaining: entries - edges,
	}
	if !bitset.Set(m.graph.Isolated).Has(uint64(v)) {
		f.Unvisited--
	}
	f.Work = [level.Directions]int64{edges, f.Remaining, f.Remaining}
	return f
}

// restartLog begins a new log, or none where nobody will ask for the search.
func (p *Portable) restartLog() {
	p.log, p.from = p.log[:0], p.from[:0]
	p.noted, p.overflow = true, p.ask == nil
}

// Run implements level.Machine.
func (p *Portable) Run(s level.Step) (level.Front, error) {
	if p.own.team.Enter() {
		defer p.own.team.Leave()
	}
	if p.fresh {
		p.fresh = false
		if _, err := p.m.Seed(p.root); err != nil {
			return level.Front{}, err
		}
	}
	var f level.Front
	var err error
	if s.Name == nameC {
		f, err = p.runBurst()
	} else {
		f, err = p.runLevel(s)
	}
	f.Moves = p.weight(&f)
	return f, err
}

func (p *Portable) runLevel(s level.Step) (level.Front, error) {
	p.note()
	f, err := p.m.Run(s)
	p.m.state.Last, p.noted = s.Direction, false
	return f, err
}

// note puts the frontier into the log, if it is there as a queue.
func (p *Portable) note() {
	m := p.m
	if p.noted || p.overflow {
		return
	}
	if !m.hasQueue || len(p.log)+len(m.queue) > p.logLimit() {
		p.overflow = true
		return
	}
	p.log = append(p.log, m.queue...)
	for _, v := range m.queue {
		p.from = append(p.from, m.parents[v])
	}
	p.noted = true
}

// weight is how many bytes Give would have to move. Give can list one level that
// left no queue.
func (p *Portable) weight(f *level.Front) int64 {
	if listed := int64(len(p.log)) + f.Vertices; !p.overflow && listed <= int64(p.logLimit()) {
		return 8 * listed
	}
	if p.borrowed {
		return 4 * f.Vertices
	}
	return 8*int64(len(p.m.visited)) + 4*f.Vertices
}

// Give implements level.Portable.
func (p *Portable) Give(next level.Step) (*level.Handover, error) {
	m, h := p.m, &p.handover
	*h = level.Handover{Root: p.root, Fresh: p.fresh, Front: m.state}
	if p.fresh {
		h.Front = m.seeded(uint32(p.root))
		return h, nil
	}
	if p.noted = p.noted || m.state.Vertices == 0; !p.noted && len(p.log)+int(m.state.Vertices) <= p.logLimit() {
		m.wantQueue()
	}
	p.note()
	if p.overflow || p.borrowed {
		h.Visited = m.visited
	}
	if !p.overflow {
		h.Found, h.Parents = p.log, p.from
		return h, nil
	}
	if next.Direction == level.TopDown {
		m.wantQueue()
		h.Queue = m.queue
	}
	return h, nil
}

// Take implements level.Portable.
func (p *Portable) Take(h *level.Handover, _ level.Step) error {
	m := p.m
	if len(h.Visited) != len(m.visited) || (h.Queue == nil) == (h.Before == nil) {
		return fmt.Errorf("cpu: a search cannot be taken over from %d of %d words and a frontier of %d", len(h.Visited), len(m.visited), h.Front.Vertices)
	}
	p.root, p.fresh = h.Root, false
	p.restartLog()
	if p.borrowed {
		m.visited = h.Visited
	} else {
		m.team.Run(func(id int) {
			me := &m.workers[id]
			copy(m.visited[me.lo:me.hi], h.Visited[me.lo:me.hi])
		})
	}
	m.hasQueue, m.hasFront, m.hasLeft = h.Queue != nil, h.Queue == nil, false
	if m.hasQueue {
		m.queue = append(m.queue[:0], h.Queue...)
	} else {
		m.team.Run(func(id int) {
			me := &m.workers[id]
			for w := me.lo; w < me.hi; w++ {
				m.front[w] = h.Visited[w] &^ h.Before[w]
			}
		})
	}
	m.state = h.Front
	m.state.Size, m.state.Last = int64(len(m.parents)), level.TopDown
	if m.hasFront {
		m.state.Last = level.BottomUp
	}
	return nil
}
