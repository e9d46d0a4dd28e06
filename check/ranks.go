package check

// Trees in parts: the same rules when no one has the whole tree.
//
// Every rank holds the parents of a range of vertices and reads its share of the
// tuples. Whatever it needs to know about other vertices it asks their owners,
// some ten thousand questions at a time, all ranks at once (ask.go). So a rank
// takes Need(its vertices) and buffers of a fixed size per peer, whatever the
// size of the graph. The four passes become:
//
//  1. Shape: who is the parent of my parent? Nobody: it is an orphan.
//  2. Levels: by doubling. Each vertex knows an ancestor and how far up it is,
//     at first its parent and 1. It asks that ancestor for its own pair and adds
//     it to its own, until the ancestor is the root: log₂ of the depth rounds.
//     (Climbing, as one process does, would take a message a step.)
//     If after log₂ n rounds some have not arrived, they are going round, and
//     the places they are at are all on cycles; every vertex of a cycle is such
//     a place, since the one as far behind it is at it now. So the lowest place
//     is the lowest vertex on a cycle.
//  3. Edges: what are the words (word.go) of these ends? Then compare and sift as
//     one process does, and tell the owners of likely children to mark them.
//  4. Marks: as in one process.
//
// Ranks of one host know of each other's vertices without asking (near.go).
//
// Faults are agreed on: all ranks return the same Error, the one of the lowest
// vertex or tuple in the earliest pass, as one process would.

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/par"
)

// Ranks is what a checker needs of the processes that check a tree together. All
// of them call the same methods in the same order.
type Ranks interface {
	Rank() int
	Size() int
	// Sum adds up the vectors of all ranks, in place, modulo 2^64.
	Sum(v []uint64) error
	// Max takes the largest of each.
	Max(v []uint64) error
	// Exchange sends out[outCuts[r]:outCuts[r+1]] to every rank r and receives
	// from it what fills in[inCuts[r]:inCuts[r+1]].
	Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error
	// Host numbers the hosts of the ranks: those of one host share its memory.
	Host(rank int) int
	// Shared returns memory that the ranks of this rank's host share, all of which ask for
	// as many bytes, until they call free together.
	Shared(size int64) (mem []byte, free func() error, err error)
}

// A PartChecker checks trees of which every rank has a part.
type PartChecker struct {
	tuples   tuples
	ranks    Ranks
	directed bool
	batch    int        // tuples or vertices at a time
	firsts   *firstEnds // what Traversed needs, from its first call on
	near     near
	scratch  []scratch // by worker
}

// NewParts returns this rank's side of a checker of trees of src. The tuples that
// it reads are its share of the list, see Share. It works with so many threads, one
// for each CPU if that is 0, until it is closed.
func NewParts(src hops.Source, threads int, ranks Ranks) *PartChecker {
	tuples := newTuples(src, par.NewTeam(threads, nil))
	return &PartChecker{
		tuples: tuples, ranks: ranks, directed: hops.IsDirected(src), batch: batchTuples,
		scratch: make([]scratch, tuples.team.Size()),
	}
}

// Close ends the threads and releases memory that the ranks of a host share. All ranks call it
// together.
func (c *PartChecker) Close() {
	_ = c.near.close()
	c.tuples.team.Close()
}

// Share is the part [lo, hi) of m tuples that a rank reads: it may keep these at
// hand.
func Share(m int64, rank, size int) (lo, hi int64) { return par.Split(m, 1, rank, size) }

// NeedPart is how many bytes a PartChecker takes for a part of n vertices, one of
// as many as there are ranks.
func NeedPart(n hops.Vertex, ranks int) int64 {
	const perQuestion = 8 + 4 + 8 + 8   // label, order, and what goes out and comes back
	const perVertex = 4 + 8 + 4 + 8 + 8 // word, ancestor, those of the next round, what is shared
	return perVertex*int64(n) + 20*int64(bitset.Words(int64(n))) + 2*batchTuples*perQuestion*int64(1+ranks)
}

// Tree checks this rank's part of a tree. All ranks call it together, and all get
// the same result or the same *Error. Any other error is this rank's own: the
// others wait for it, so the caller must then end the group.
func (c *PartChecker) Tree(ctx context.Context, t *hops.Tree) (Result, error) {
	p, err := c.begin(ctx, t)
	if err != nil {
		return Result{}, err
	}
	return p.judge()
}

// begin makes the ranks ready for a tree.
func (c *PartChecker) begin(ctx context.Context, t *hops.Tree) (*partTrial, error) {
	if t.Narrow != nil && t.Wide != nil {
		return nil, fmt.Errorf("check: the tree has both narrow and wide parents")
	}
	owners, err := agreeOnOwners(c.ranks, t, c.tuples.src.NumVertices())
	if err != nil {
		return nil, err
	}
	return &partTrial{
		PartChecker: c, tree: t, ctx: ctx,
		asker:  newAsker(c.ranks, owners, c.tuples.team),
		last:   rootCode,
		marked: bitset.New(int64(t.Len())),
	}, nil
}

// A partTrial is this rank's side of the check of one tree.
type partTrial struct {
	*PartChecker
	*asker
	ctx   context.Context
	tree  *hops.Tree
	words []uint32 // by member: steps to the ancestor, then as in a Checker

	members   members
	ancestors []hops.Vertex // by member, during pass 2
	marked    bitset.Set
	last      level

	both    []hops.Edge // room for likely tree edges in both directions
	parents []uint64    // room for what is told of their children
}

func (p *partTrial) judge() (r Result, err error) {
	return r.from(p.ctx,
		p.knowNear, p.checkRoot, p.checkShape, p.findLevels,
		func() error { r.Levels, err = p.packWords(); return err },
		func() error { r.Edges, r.Loops, err = p.checkEdges(); return err },
		p.checkMarks,
	)
}

// share is the part of the tuples that this rank reads.
func (p *partTrial) share() (first, end int64) {
	return Share(p.tuples.src.NumEdges(), p.ranks.Rank(), p.ranks.Size())
}

// vertex is the label of the own vertex i.
func (p *partTrial) vertex(i int) hops.Vertex { return p.tree.First + hops.Vertex(i) }

// mine tells whether a vertex is in this rank's part.
func (p *partTrial) mine(v hops.Vertex) bool {
	return v >= p.tree.First && v-p.tree.First < hops.Vertex(p.tree.Len())
}

// checkRoot is the part of pass 1 that concerns the root alone.
func (p *partTrial) checkRoot() error {
	root := p.tree.Root
	if root >= p.n {
		return vertexError(Root, root, hops.NoVertex)
	}
	parent, err := p.parentOf(root)
	if err == nil && parent != root {
		return vertexError(Root, root, parent)
	}
	return err
}

// parentOf tells all ranks the parent of one vertex.
func (p *partTrial) parentOf(v hops.Vertex) (hops.Vertex, error) {
	told := []uint64{0}
	if p.mine(v) {
		told[0] = uint64(p.tree.Parent(v))
	}
	err := p.ranks.Sum(told)
	return hops.Vertex(told[0]), err
}

// lowestOf returns the lowest of the numbers that ranks have found, if any has.
func (p *partTrial) lowestOf(number uint64, found bool) (uint64, bool, error) {
	highest := []uint64{0}
	if found {
		highest[0] = ^number // at least 1: no vertex and no tuple has the highest number
	}
	err := p.ranks.Max(highest)
	return ^highest[0], highest[0] != 0, err
}

// checkShape is the rest of pass 1. The rule of the lowest vertex at fault comes
// with it.
func (p *partTrial) checkShape() error {
	inTree, err := newPoll(p, func(i uint32) uint32 {
		if p.tree.Parent(p.vertex(int(i))) == hops.NoVertex {
			return 0
		}
		return 1
	})
	if err != nil {
		return err
	}
	var low lowestFault
	err = p.inBatches(p.tree.Len(), func(lo, hi int) error {
		p.labels = grow(p.labels, hi-lo)
		labels := p.labels
		p.each(len(labels), func(a, b int64) {
			for i := a; i < b; i++ {
				labels[i] = p.parentToAsk(p.vertex(lo+int(i)), &low)
			}
		})
		answers, err := inTree.ask(labels)
		if err != nil {
			return err
		}
		p.each(len(labels), func(a, b int64) {
			for i := a; i < b; i++ {
				if v := p.vertex(lo + int(i)); answers[i] == 0 && labels[i] != v {
					low.note(Orphan, v)
				}
			}
		})
		return nil
	})
	if err != nil {
		return err
	}
	return p.agreeOnVertex(low.rule, low.at)
}

// parentToAsk returns the parent of v if it is to be asked whether it is in the tree, and
// otherwise v itself.
func (p *partTrial) parentToAsk(v hops.Vertex, low *lowestFault) hops.Vertex {
	switch parent := p.tree.Parent(v); {
	case parent == hops.NoVertex || v == p.tree.Root:
	case parent >= p.n:
		low.note(Range, v)
	case parent == v:
		low.note(Self, v)
	default:
		return parent
	}
	return v
}

// A lowestFault is the lowest vertex at fault that any worker has found; rule 0 is none.
type lowestFault struct {
	behind atomic.Uint64 // the vertex that follows it; 0: there is none yet
	mu     sync.Mutex
	rule   Rule
	at     uint64
}

// note notes a vertex at fault. All vertices of a tree may be: those behind the lowest take no lock.
func (l *lowestFault) note(r Rule, v hops.Vertex) {
	if behind := l.behind.Load(); behind != 0 && uint64(v) >= behind {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rule == 0 || uint64(v) < l.at {
		l.rule, l.at = r, uint64(v)
		l.behind.Store(l.at + 1)
	}
}

// agreeOnVertex returns the error of the lowest vertex that some rank has found at
// fault, with its rule; rule 0 is none.
func (p *partTrial) agreeOnVertex(rule Rule, at uint64) error {
	lowest, any, err := p.lowestOf(at, rule != 0)
	if err != nil || !any {
		return err
	}
	told := []uint64{0}
	if rule != 0 && at == lowest {
		told[0] = uint64(rule)
	}
	if err := p.ranks.Max(told); err != nil {
		return err
	}
	parent, err := p.parentOf(hops.Vertex(lowest))
	if err != nil {
		return err
	}
	return vertexError(Rule(told[0]), hops.Vertex(lowest), parent)
}
