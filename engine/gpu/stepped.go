package gpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A Machine runs one level at a time, as its caller asks. It is the stepped form
// of the search, and what an engine that mixes devices composes.
//
// Between two steps, on the device: bitmap visited[side] holds the vertices that
// are visited, the frontier included, and those without a row. parent holds the
// parents of all of them, in the labels and the order of the source; what it holds
// of others is undefined until filled. form says where the frontier is:
//
//	formQueue   queue[queueSide], as many as the front has vertices
//	formBitmap  visited[side] less visited[1-side]
//	formList    for every block b, lengths[blocks+b] vertices that end with the
//	            last word of segment b of list[listSide]
//
// Where listed is set, every unvisited vertex is among the first lengths[b] words
// of some segment b of list[listSide]; who is found meanwhile may stay there.
type Machine struct {
	*state
	trace hops.Trace

	depth     uint32 // of the level at hand, among those that are counted
	side      uint32 // which bitmap holds the visited
	queueSide uint32
	listSide  uint32
	form      uint8
	listed    bool // the rest of a full pass is in the lists
	filled    bool // vertices outside the tree have no parent
	unvisited int64
	remaining int64
}

// The forms of a frontier, as in state.h.
const (
	formQueue = iota
	formBitmap
	formList
)

var _ level.Machine = (*Machine)(nil)

// Steps implements level.Machine. The first of each direction is the better one.
func (m *Machine) Steps() []level.Step {
	return []level.Step{
		{Name: stepNames[stepTopDown], Direction: level.TopDown, Device: "gpu"},
		{Name: stepNames[stepBottomUp], Direction: level.BottomUp, Device: "gpu"},
		{Name: stepNames[stepBottomUpHot], Direction: level.BottomUp, Device: "gpu"},
		{Name: stepNames[stepBottomUpRest], Direction: level.BottomUp, Device: "gpu"},
	}
}

// search runs all levels by the policy.
func (m *Machine) search(ctx context.Context, p level.Policy, root uint32) (hops.Trace, error) {
	m.trace = hops.Trace{Clock: hops.Wall, Levels: m.trace.Levels[:0]}
	if err := level.Search(ctx, m, p, hops.Vertex(root), &m.trace); err != nil {
		return hops.Trace{}, fmt.Errorf("gpu: %w", err)
	}
	if !m.filled {
		if err := m.launch("step_finish", u32(m.side)); err != nil {
			return hops.Trace{}, err
		}
	}
	return m.trace, nil
}

// Seed implements level.Machine.
func (m *Machine) Seed(root hops.Vertex) (level.Front, error) {
	m.root = uint32(root)
	m.depth, m.side, m.queueSide, m.listSide = 0, 0, 0, 0
	m.form, m.listed, m.filled = formQueue, false, false
	if err := m.launch("step_begin", u32(uint32(1))); err != nil {
		return level.Front{}, err
	}
	if err := m.launch("step_cut", u32(m.depth), u32(m.queueSide)); err != nil {
		return level.Front{}, err
	}
	now, _, err := m.counts()
	if err != nil {
		return level.Front{}, err
	}
	m.unvisited, m.remaining = int64(m.rows), m.entries-int64(now.Edges)
	if now.Edges > 0 {
		m.unvisited--
	}
	return m.front(now), nil
}

// Run implements level.Machine.
func (m *Machine) Run(step level.Step) (level.Front, level.Outcome, error) {
	var err error
	switch {
	case step.Name == stepNames[stepTopDown]:
		err = m.topDown()
	case step.Name == stepNames[stepBottomUpRest] && m.listed:
		err = m.rest()
	default: // a level that nobody has listed yet is looked at in full
		err = m.full(step.Name == stepNames[stepBottomUpHot])
	}
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	done, next, err := m.counts()
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	if m.form != formQueue && m.unvisited > 0 {
		// Bottom-up, the edges of what is found are not counted.
		next.Edges = uint64(float64(m.remaining) / float64(m.unvisited) * float64(next.Vertices))
	}
	m.unvisited -= int64(next.Vertices)
	m.remaining = max(0, m.remaining-int64(next.Edges))
	return m.front(next), level.Outcome{Examined: int64(done.Examined)}, m.turn(next)
}

// topDown leaves the next queue cut, so that its edges are counted.
func (m *Machine) topDown() error {
	if err := m.requeue(); err != nil {
		return err
	}
	if err := m.launch("step_expand", u32(m.depth), u32(m.side), u32(m.queueSide)); err != nil {
		return err
	}
	m.queueSide ^= 1
	return m.launch("step_cut", u32(m.depth+1), u32(m.queueSide))
}

// requeue makes a queue of a frontier that has another form.
func (m *Machine) requeue() error {
	var err error
	switch m.form {
	case formQueue:
		return nil
	case formBitmap:
		err = m.launch("step_requeue_bitmap", u32(m.depth), u32(m.side), u32(m.queueSide))
	case formList:
		err = m.launch("step_requeue_list", u32(m.depth), u32(m.listSide), u32(m.queueSide))
	}
	if err != nil {
		return err
	}
	m.form = formQueue
	return m.launch("step_cut", u32(m.depth), u32(m.queueSide))
}

func (m *Machine) full(hot bool) error {
	if hot {
		if err := m.launch("step_hot_bits", u32(m.side)); err != nil {
			return err
		}
	}
	if err := m.launch("step_full", u32(m.depth), u32(m.side), u32(m.listSide), flag(hot), flag(!m.filled),
		flag(m.form == formQueue), u32(m.queueSide)); err != nil {
		return err
	}
	from := m.side
	m.side ^= 1
	m.form, m.listed, m.filled = formBitmap, true, true
	return m.settleHeavy(from, false)
}

func (m *Machine) rest() error {
	if err := m.launch("step_remaining", u32(m.depth), u32(m.side), u32(m.listSide)); err != nil {
		return err
	}
	m.listSide ^= 1
	m.form = formList
	if err := m.settleHeavy(m.side, true); err != nil {
		return err
	}
	return m.launch("step_apply", u32(m.side), u32(m.listSide))
}

// settleHeavy lets the grid finish the rows that a pass left to it.
func (m *Machine) settleHeavy(from uint32, listing bool) error {
	done, _, err := m.counts()
	if err != nil || done.Heavy == 0 {
		return err
	}
	if err := m.launch("step_heavy_scan", u32(m.depth), u32(from)); err != nil {
		return err
	}
	return m.launch("step_heavy_apply", u32(m.depth), u32(m.side), u32(m.listSide), flag(listing))
}

// counts reads the level at hand, the first of those that are counted, and the one
// it leads to.
func (s *state) counts() (now, next counted, err error) {
	two := s.readBack[:2*levelSize]
	err = s.dev.read(two, s.control, controlSize)
	both := countedAt(two)
	return both[0], both[1], err
}

// turn makes the next level the one at hand: it moves to the first place, and the
// second is cleared.
func (s *state) turn(next counted) error {
	return s.dev.write(s.control, controlSize, bytesOf([]counted{next, {}}))
}

func (m *Machine) front(next counted) level.Front {
	f := level.Front{
		Size:      int64(m.n),
		Vertices:  int64(next.Vertices),
		Edges:     int64(next.Edges),
		Unvisited: m.unvisited,
		Remaining: m.remaining,
	}
	f.Work = level.Expect(f)
	return f
}
