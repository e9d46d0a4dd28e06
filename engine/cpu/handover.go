package cpu

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/level"
)

// portableSteps are those of the engine, and one that runs several levels.
var portableSteps = append(slices.Clone(steps), level.Step{Name: stepLevels, Direction: level.TopDown})

// Portable runs the levels of a search that moves between devices: the search is
// started, given away and taken back level by level.
//
// It keeps a log of what was found since another device last had the search, as
// long as that is little and each level leaves a queue behind, as small levels
// do. The log, not the bitmap, is then what moves.
type Portable struct {
	own    *Searcher
	m      *machine
	policy level.Policy // of the step that runs several levels
	root   hops.Vertex

	fresh    bool     // seeded in name only: nothing was cleared yet
	log      []uint32 // vertices found, level by level
	from     []uint32 // and their parents
	noted    bool     // the frontier is in the log, or known to the others
	overflow bool     // the log is not complete
	shared   bool     // the visited set is memory that a device shares
	state    level.State

	ask    func(level.Front) bool // ends a step of several levels; nil: the search stays here
	enough func(level.Front) bool
	ran    []hops.Level // by a step of several levels
	spent  int64        // of its work
}

// Portable returns the search as single levels. It uses the same memory as
// Search, so that only one of the two may be under way.
func (s *Searcher) Portable() *Portable {
	p := &Portable{own: s, m: s.m, policy: s.policy}
	p.enough = p.isEnough
	return p
}

// logLimit is how many vertices the log takes: one in 32, which with their parents
// are a sixteenth of the tree that crosses the bus anyway, and take no time to note
// that would show.
func (p *Portable) logLimit() int { return len(p.m.visited)*2 + 1024 }

// PortableSteps are the steps of a Portable machine.
func PortableSteps() []level.Step { return slices.Clone(portableSteps) }

// Steps implements level.Machine.
func (p *Portable) Steps() []level.Step { return portableSteps }

// Solo implements adaptive.Host: it is the engine's own search.
func (p *Portable) Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	return p.own.Search(ctx, root, t)
}

// Isolated implements adaptive.Host.
func (p *Portable) Isolated(v hops.Vertex) bool {
	return v < p.m.graph.NumVertices() && bitset.Set(p.m.graph.Isolated).Has(uint64(v))
}

// Bind implements adaptive.Portable.
func (p *Portable) Bind(t *hops.Tree) error {
	if err := t.Fits(p.m.graph.NumVertices(), false); err != nil {
		return fmt.Errorf("cpu: %w", err)
	}
	p.m.parents = t.Narrow
	return nil
}

// Share implements adaptive.Host.
func (p *Portable) Share(s level.SharedMemory) {
	if s.Visited != nil {
		p.m.visited, p.shared = s.Visited, true
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
	return p.m.seedFront(uint32(root)), nil
}

// restartLog begins a new log, or none where nobody will ask for the search.
func (p *Portable) restartLog() {
	p.log, p.from = p.log[:0], p.from[:0]
	p.noted, p.overflow = true, p.ask == nil
}

// Run implements level.Machine.
func (p *Portable) Run(s level.Step) (f level.Front, done level.Outcome, err error) {
	err = p.m.graph.Read(func() error {
		f, done, err = p.run(s)
		return err
	})
	return f, done, err
}

func (p *Portable) run(s level.Step) (level.Front, level.Outcome, error) {
	if p.own.team.Enter() {
		defer p.own.team.Leave()
	}
	if p.fresh {
		p.fresh = false
		if _, err := p.m.Seed(p.root); err != nil {
			return level.Front{}, level.Outcome{}, err
		}
	}
	if s.Name == stepLevels {
		return p.runLevels()
	}
	p.note()
	f, done, err := p.m.Run(s)
	p.m.state.Last, p.noted = s.Direction, false
	return f, done, err
}

// note puts the frontier into the log, unless a bottom-up level has found it.
func (p *Portable) note() {
	m := p.m
	if p.noted || p.overflow {
		return
	}
	if m.state.Last == level.TopDown {
		m.needQueue()
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

// Moves implements adaptive.Portable. Give can list one level that left no queue.
func (p *Portable) Moves() int64 {
	if p.fresh {
		return 0
	}
	front := p.m.state.Vertices
	if listed := int64(len(p.log)) + front; !p.overflow && listed <= int64(p.logLimit()) {
		return 8 * listed
	}
	if p.shared {
		return 4 * front
	}
	return 8*int64(len(p.m.visited)) + 4*front
}

// Give implements adaptive.Portable.
func (p *Portable) Give(next level.Step) (*level.State, error) {
	m, h := p.m, &p.state
	*h = level.State{Root: p.root, Fresh: p.fresh, Front: m.state}
	if p.fresh {
		h.Front = m.seedFront(uint32(p.root))
		return h, nil
	}
	if p.noted = p.noted || m.state.Vertices == 0; !p.noted && len(p.log)+int(m.state.Vertices) <= p.logLimit() {
		m.needQueue()
	}
	p.note()
	m.joinParts()
	if p.overflow || p.shared {
		h.Visited = m.visited
	}
	if !p.overflow {
		h.Found, h.Parents = p.log, p.from
		return h, nil
	}
	if next.Direction == level.TopDown {
		m.needQueue()
		h.Queue = m.queue
	}
	return h, nil
}

// Take implements adaptive.Portable.
func (p *Portable) Take(h *level.State, _ level.Step) error {
	m := p.m
	if len(h.Visited) != len(m.visited) || (h.Queue == nil) == (h.Before == nil) {
		return fmt.Errorf("cpu: a search cannot be taken over from %d of %d words and a frontier of %d", len(h.Visited), len(m.visited), h.Front.Vertices)
	}
	p.root, p.fresh = h.Root, false
	p.restartLog()
	if p.shared {
		m.visited = h.Visited
	} else {
		m.team.Run(func(id int) {
			me := &m.workers[id]
			copy(m.visited[me.lo:me.hi], h.Visited[me.lo:me.hi])
		})
	}
	m.hasQueue, m.hasFront, m.hasUnvisited, m.saved, m.direct.open = h.Queue != nil, h.Queue == nil, false, false, false
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
