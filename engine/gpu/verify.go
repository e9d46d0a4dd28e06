package gpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
)

// A Verifier holds trees on the device against the list of edges, by the rules of
// the benchmark. It brings the list onto the device again and reads nothing of a
// searcher but its parents: where a host would take a minute for a tree, 64 of
// them can still all be checked. Trees are kept until there is no room for more, and
// then verified together, since it may take as long to bring the list as to look at it.
type Verifier struct {
	s    *Searcher
	mem  *memory
	feed *feed
	room []keptTree
	kept int // of the room
}

// A keptTree is a copy of a tree and what is found out about it.
type keptTree struct {
	root   uint32
	parent buffer
	node   buffer // parent and level of every vertex
	joined buffer
	tally  buffer // faults by rule, tuples and loops of the component, vertices of a round
}

// A Verdict is what a valid tree covers.
type Verdict struct {
	Vertices int64 // the root included
	Edges    int64 // tuples of the component, duplicates included, loops not
	Loops    int64
	Depth    int
}

const (
	tallyFaults = iota
	_
	_
	tallyTuples
	tallyLoops
	tallyRound
	tallies
)

// NewVerifier prepares for trees of the searcher, which was built from src. It has room
// for one, and for up to so many if they fit into the free memory.
func (s *Searcher) NewVerifier(src hops.Source, trees int) (*Verifier, error) {
	if s.parts != nil {
		return nil, fmt.Errorf("gpu: a tree in %d parts is not verified on the devices", len(s.parts.all))
	}
	v := &Verifier{s: s, mem: newMemory(s.dev)}
	free, _, err := s.dev.Memory()
	if err != nil {
		return nil, err
	}
	chunk := free / 4
	if 8*src.NumEdges() > chunk {
		chunk = free / 16 // since it is brought every time, the room is better used for trees
	}
	v.feed, err = newFeed(s.dev, v.mem, src, chunk)
	size := 12*int64(s.graph.n) + 4*int64(s.graph.words()) + 8*tallies
	for fit := (free - chunk) / 8 * 7 / size; err == nil && len(v.room) < max(1, min(trees, int(fit))); err = v.mem.err {
		v.room = append(v.room, keptTree{
			parent: v.mem.make("parents", int64(s.graph.n), 4),
			node:   v.mem.make("parents and levels", int64(s.graph.n), 8),
			joined: v.mem.make("marks", int64(s.graph.words()), 4),
			tally:  v.mem.make("tally", tallies, 8),
		})
	}
	if err != nil {
		_ = v.mem.close()
		return nil, err
	}
	return v, nil
}

// Close gives the verifier's memory back.
func (v *Verifier) Close() error { return v.mem.close() }

// Tree checks the tree that the searcher's last search left on the device.
func (v *Verifier) Tree(ctx context.Context, root hops.Vertex) (Verdict, error) {
	if err := v.Keep(root); err != nil {
		return Verdict{}, err
	}
	all, err := v.Verdicts(ctx)
	if err != nil {
		return Verdict{}, err
	}
	return all[len(all)-1], nil
}

// Full tells whether there is no room for a further tree.
func (v *Verifier) Full() bool { return v.kept == len(v.room) }

// Keep copies the tree that the searcher's last search left on the device, and no more:
// what else came by would push the graph out of the caches before the next search.
func (v *Verifier) Keep(root hops.Vertex) error {
	if v.Full() {
		return fmt.Errorf("gpu: tree of %d: no room beside %d others", root, v.kept)
	}
	t := &v.room[v.kept]
	t.root = uint32(root)
	v.kept++
	return v.s.dev.copy(t.parent, 0, v.s.state.parent, 0, 4*int64(v.s.graph.n))
}

// seed begins the verification of a tree.
func (v *Verifier) seed(t *keptTree) error {
	d, n := v.s.dev, v.s.graph.n
	if err := d.zero(t.tally, 8*tallies); err != nil {
		return err
	}
	if err := d.zero(t.joined, 4*int64(v.s.graph.words())); err != nil {
		return err
	}
	return d.launch("verify_seed", covering(d, int64(n), 256), mem(t.parent), u32(n), u32(t.root), mem(t.node), mem(t.tally))
}

// Verdicts checks the trees that were kept, and lets go of them.
func (v *Verifier) Verdicts(ctx context.Context) ([]Verdict, error) {
	trees, d, n := v.room[:v.kept], v.s.dev, v.s.graph.n
	v.kept = 0
	verdicts := make([]Verdict, len(trees))
	for i := range trees {
		err := v.seed(&trees[i])
		if err != nil {
			return nil, err
		}
		if verdicts[i].Depth, verdicts[i].Vertices, err = v.levels(&trees[i]); err != nil {
			return nil, err
		}
	}
	err := v.feed.each(ctx, func(edges buffer, m int64) error {
		for _, t := range trees {
			if err := d.launch("verify_edges", covering(d, m, 256), mem(edges), u64(m), mem(t.node), mem(t.joined), mem(t.tally),
				u32(uint32(tallyTuples))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, t := range trees {
		if err := d.launch("verify_marks", covering(d, int64(n), 256), mem(t.node), u32(n), u32(t.root), mem(t.joined), mem(t.tally)); err != nil {
			return nil, err
		}
		if err := v.judge(&t, &verdicts[i]); err != nil {
			return nil, err
		}
	}
	return verdicts, nil
}

// judge refuses a tree with faults.
func (v *Verifier) judge(t *keptTree, verdict *Verdict) error {
	tally, err := v.read(t)
	if err != nil {
		return err
	}
	if tally[0]|tally[1]|tally[2] != 0 {
		return fmt.Errorf("gpu: tree of %d: %d vertices in no tree, %d edges across levels or out of the tree, %d parents without an edge",
			t.root, tally[0], tally[1], tally[2])
	}
	verdict.Edges, verdict.Loops = int64(tally[tallyTuples]), int64(tally[tallyLoops])
	return nil
}

// levels rebuilds the levels from the parents, until a round adds nothing.
func (v *Verifier) levels(t *keptTree) (depth int, vertices int64, err error) {
	d, n := v.s.dev, v.s.graph.n
	for vertices = 1; ; depth++ {
		err := d.launch("verify_round", covering(d, int64(n), 256), mem(t.node), u32(n), u32(depth+1), mem(t.tally), u32(uint32(tallyRound)))
		if err != nil {
			return 0, 0, err
		}
		tally, err := v.read(t)
		if err != nil {
			return 0, 0, err
		}
		if int64(tally[tallyRound]) == vertices-1 {
			return depth, vertices, nil
		}
		vertices = int64(tally[tallyRound]) + 1
	}
}

func (v *Verifier) read(t *keptTree) (tally [tallies]uint64, err error) {
	err = v.s.dev.read(bytesOf(tally[:]), t.tally, 0)
	return tally, err
}
