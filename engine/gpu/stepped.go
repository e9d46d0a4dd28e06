package gpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A machine runs one level at a time, as its caller asks: level.Machine. A stepped
// search runs on it, and Portable adds what a search needs that moves between
// devices.
//
// Between two steps the device holds the following. The bitmap visited[side.visited]
// has the visited vertices, the frontier included, and those without a row. parent
// has the parents of the visited vertices, in the labels and the order of the source;
// the parents of the others are undefined until filled is set. The field form says
// where the frontier is:
//
//	formQueue   queue[side.queue], as many vertices as the front has
//	formBitmap  the difference of the two bitmaps
//	formList    for every block b, lengths[blocks+b] vertices that end with the
//	            last word of segment b of list[side.list]
//
// Where listed is set, every unvisited vertex is among the first lengths[b] words of
// some segment b of list[side.list]. Vertices that are found later may stay there.
type machine struct {
	*state
	trace hops.Trace

	noted *vertexMap // of passes by vertex; nil: a warp looks for many

	side      sides
	form      uint8
	listed    bool // a full pass has listed the leftover
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

var _ level.Machine = (*machine)(nil)

// Steps implements level.Machine. The first of each direction is the better one.
func (m *machine) Steps() []level.Step {
	return []level.Step{
		{Name: stepNames[stepTopDown], Direction: level.TopDown, Device: "gpu"},
		{Name: stepNames[stepBottomUp], Direction: level.BottomUp, Device: "gpu"},
		{Name: stepNames[stepBottomUpHot], Direction: level.BottomUp, Device: "gpu"},
		{Name: stepNames[stepBottomUpLeftover], Direction: level.BottomUp, Device: "gpu"},
	}
}

// search runs all levels by the policy.
func (m *machine) search(ctx context.Context, p level.Policy, root uint32) (hops.Trace, error) {
	m.trace = hops.Trace{Clock: hops.Wall, Levels: m.trace.Levels[:0]}
	if err := level.Search(ctx, m, p, hops.Vertex(root), &m.trace); err != nil {
		return hops.Trace{}, fmt.Errorf("gpu: %w", err)
	}
	if !m.filled {
		if err := m.stepFinish(m.side); err != nil {
			return hops.Trace{}, err
		}
	}
	return m.trace, m.dev.Sync()
}

// Seed implements level.Machine.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	m.root = uint32(root)
	m.side = sides{}
	m.form, m.listed, m.filled = formQueue, false, false
	if err := m.stepBegin(); err != nil {
		return level.Front{}, err
	}
	if err := m.stepCut(thisLevel, m.side); err != nil {
		return level.Front{}, err
	}
	now, _, err := m.counts()
	if err != nil {
		return level.Front{}, err
	}
	m.unvisited, m.remaining = int64(m.rows), m.outRows().entries-int64(now.Edges)
	found, err := m.canBeFound(m.root, now)
	if found {
		m.unvisited--
	}
	return m.front(now), err
}

// canBeFound tells whether a vertex has a row that bottom-up levels read. The root of an
// undirected graph has one if it has edges.
func (m *machine) canBeFound(root uint32, first levelCount) (bool, error) {
	if m.out == nil {
		return first.Edges > 0, nil
	}
	var word [1]uint32
	err := m.dev.read(bytesOf(word[:]), m.index, 8*int64(root/32))
	return word[0]>>(root%32)&1 != 0, err
}

// Run implements level.Machine.
func (m *machine) Run(step level.Step) (level.Front, level.Outcome, error) {
	var err error
	switch step.Name {
	case stepNames[stepTopDown]:
		err = m.topDown()
	case stepNames[stepBottomUp], stepNames[stepBottomUpHot]:
		err = m.bottomUp(step.Name == stepNames[stepBottomUpHot])
	case stepNames[stepBottomUpLeftover]:
		if m.listed {
			err = m.bottomUpLeftover()
		} else { // only a pass over all unvisited vertices makes the list
			err = m.bottomUp(false)
		}
	default:
		err = fmt.Errorf("gpu: no step is called %q", step.Name)
	}
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	done, next, err := m.counts()
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	if m.form != formQueue && m.unvisited > 0 {
		// A bottom-up level does not count the edges of the vertices it finds.
		next.Edges = uint64(float64(m.remaining) / float64(m.unvisited) * float64(next.Vertices))
	}
	m.unvisited -= int64(next.Vertices)
	m.remaining = max(0, m.remaining-int64(next.Edges))
	return m.front(next), level.Outcome{Examined: int64(done.Examined)}, m.openLevel(next)
}

// topDown also cuts the next queue, which counts its edges.
func (m *machine) topDown() error {
	if err := m.requeue(); err != nil {
		return err
	}
	if err := m.stepExpand(m.side); err != nil {
		return err
	}
	m.side.queue ^= 1
	return m.stepCut(nextLevel, m.side)
}

// requeue makes a queue of a frontier that has another form, and cuts it.
func (m *machine) requeue() error {
	if m.form == formQueue {
		return nil
	}
	if err := m.queueFrontier(); err != nil {
		return err
	}
	return m.stepCut(thisLevel, m.side)
}

// queueFrontier makes a queue of a frontier that is a bitmap or a list.
func (m *machine) queueFrontier() error {
	requeue := m.stepRequeueBitmap
	if m.form == formList {
		requeue = m.stepRequeueList
	}
	m.form = formQueue
	return requeue(m.side)
}

// bottomUp is a pass over all unvisited vertices.
func (m *machine) bottomUp(hot bool) error {
	if m.noted != nil {
		return m.bottomUpByVertex()
	}
	if hot {
		if err := m.stepHotBits(m.side); err != nil {
			return err
		}
	}
	err := m.stepFull(m.side, fullArgs{hot: hot, fill: !m.filled, queued: m.form == formQueue})
	if err != nil {
		return err
	}
	from := m.side
	m.side.visited ^= 1
	m.form, m.listed, m.filled = formBitmap, true, true
	return m.finishHubRows(from, false)
}

// bottomUpLeftover is a pass over the listed vertices.
func (m *machine) bottomUpLeftover() error {
	if err := m.stepRemaining(m.side); err != nil {
		return err
	}
	m.side.list ^= 1
	m.form = formList
	if err := m.finishHubRows(m.side, true); err != nil {
		return err
	}
	return m.stepApply(m.side)
}

// finishHubRows lets the whole grid look along the rows that a pass left to it. from
// has the bitmap that the pass read.
func (m *machine) finishHubRows(from sides, toFrontier bool) error {
	this, _, err := m.counts()
	if err != nil || this.HubRows == 0 {
		return err
	}
	if err := m.stepExtremeScan(from); err != nil {
		return err
	}
	return m.stepExtremeApply(m.side, toFrontier)
}

func (m *machine) front(next levelCount) level.Front {
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
