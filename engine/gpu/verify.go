package gpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
)

// A Verifier holds trees on the device against the list of edges, by the rules of
// the benchmark. It brings the list onto the device again and reads nothing of a
// searcher but its parents: where a host would take a minute for a tree, 64 of
// them can still all be checked.
type Verifier struct {
	s      *Searcher
	mem    *memory
	feed   *feed
	level  buffer
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

// NewVerifier prepares for trees of the searcher, which was built from src.
func (s *Searcher) NewVerifier(src hops.Source) (*Verifier, error) {
	if s.parts != nil {
		return nil, fmt.Errorf("gpu: a tree in %d parts is not verified on the devices", len(s.parts.all))
	}
	v := &Verifier{s: s, mem: newMemory(s.dev)}
	n := int64(s.graph.n)
	v.level = v.mem.make("levels", n, 4)
	v.joined = v.mem.make("marks", int64(s.graph.words()), 4)
	v.tally = v.mem.make("tally", tallies, 8)
	free, _, err := s.dev.Memory()
	if err == nil && v.mem.err == nil {
		v.feed, err = newFeed(s.dev, v.mem, src, free/2)
	}
	if err == nil {
		err = v.mem.err
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
	d, n, parent := v.s.dev, v.s.graph.n, v.s.state.parent
	grid := covering(d, int64(n), 256)
	if err := d.zero(v.tally, 8*tallies); err != nil {
		return Verdict{}, err
	}
	if err := d.zero(v.joined, 4*int64(v.s.graph.words())); err != nil {
		return Verdict{}, err
	}
	if err := d.launch("verify_seed", grid, mem(parent), u32(n), u32(uint32(root)), mem(v.level), mem(v.tally)); err != nil {
		return Verdict{}, err
	}
	depth, vertices, err := v.levels(grid)
	if err != nil {
		return Verdict{}, err
	}
	err = v.feed.each(ctx, func(edges buffer, m int64) error {
		return d.launch("verify_edges", covering(d, m, 256), mem(edges), u64(m), mem(parent), mem(v.level), mem(v.joined),
			mem(v.tally), u32(uint32(tallyTuples)))
	})
	if err != nil {
		return Verdict{}, err
	}
	if err := d.launch("verify_marks", grid, mem(parent), u32(n), u32(uint32(root)), mem(v.level), mem(v.joined), mem(v.tally)); err != nil {
		return Verdict{}, err
	}
	tally, err := v.read()
	if err != nil {
		return Verdict{}, err
	}
	if tally[0]|tally[1]|tally[2] != 0 {
		return Verdict{}, fmt.Errorf("gpu: tree of %d: %d vertices in no tree, %d edges across levels or out of the tree, %d parents without an edge",
			root, tally[0], tally[1], tally[2])
	}
	return Verdict{Vertices: vertices, Edges: int64(tally[tallyTuples]), Loops: int64(tally[tallyLoops]), Depth: depth}, nil
}

// levels rebuilds the levels from the parents, until a round adds nothing.
func (v *Verifier) levels(grid shape) (depth int, vertices int64, err error) {
	for vertices = 1; ; depth++ {
		err := v.s.dev.launch("verify_round", grid, mem(v.s.state.parent), u32(v.s.graph.n), u32(depth+1), mem(v.level),
			mem(v.tally), u32(uint32(tallyRound)))
		if err != nil {
			return 0, 0, err
		}
		tally, err := v.read()
		if err != nil {
			return 0, 0, err
		}
		if int64(tally[tallyRound]) == vertices-1 {
			return depth, vertices, nil
		}
		vertices = int64(tally[tallyRound]) + 1
	}
}

func (v *Verifier) read() (t [tallies]uint64, err error) {
	err = v.s.dev.read(bytesOf(t[:]), v.tally, 0)
	return t, err
}
