package gpu

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
)

// A verifier checks trees on the device by the rules of the benchmark. It reads the
// edges of the source again and nothing of a searcher but the parents, so that a
// fault of kernel 1 cannot hide a fault of kernel 2. A host would take a minute for
// a tree of scale 26.
type verifier struct {
	kernels
	mem    *memory
	loader *edgeLoader
	n      uint32
	words  int64

	node   buffer // parent and level of every vertex
	joined buffer // bitmap: an edge joins the vertex to its parent
	tally  buffer
}

// A verdict is what a valid tree covers.
type verdict struct {
	Vertices int64 // the root included
	Edges    int64 // edges of the component, duplicates included, loops not
	Loops    int64
	Depth    int
}

// The words of the tally: faults by rule, edges and loops of the component, vertices
// that have a level beside the root.
const (
	tallyNoTree = iota
	tallyBadEdge
	tallyNoEdge
	tallyEdges
	tallyLoops
	tallyRound
	tallies
)

// VerifyOnDevice checks the tree of the last search where it is, in device memory,
// against all edges of the source, which it generates or uploads again. It returns how
// many vertices the tree has, the root included, and how many edges its component has,
// duplicates included and loops not: the numbers that the benchmark scores with. The
// error names the rules that the tree breaks. The first call allocates memory on the
// device, which stays until Close. Trees of a graph in parts cannot be verified.
func (s *Searcher) VerifyOnDevice(ctx context.Context) (vertices, edges int64, err error) {
	v, err := s.verify(ctx)
	return v.Vertices, v.Edges, err
}

func (s *Searcher) verify(ctx context.Context) (verdict, error) {
	if s.parts != nil {
		return verdict{}, fmt.Errorf("gpu: a tree in %d parts cannot be verified on the devices", len(s.parts.all))
	}
	if hops.IsDirected(s.source) {
		return verdict{}, errors.New("gpu: a tree of a directed graph cannot be verified on the device")
	}
	if !s.searched {
		return verdict{}, errors.New("gpu: there is no tree to verify before a search")
	}
	if s.verifier == nil {
		v, err := newVerifier(s.graph, s.source)
		if err != nil {
			return verdict{}, err
		}
		s.verifier = v
	}
	return s.verifier.verify(ctx, s.state.parent, s.state.root)
}

// verifierShare is the part of the free memory that the edges may take, one in so many.
// Where all edges fit they are brought once for all trees.
const verifierShare = 4

func newVerifier(g *graph, src hops.Source) (*verifier, error) {
	v := &verifier{kernels: g.kernels, mem: newMemory(g.dev), n: g.n, words: int64(g.words())}
	v.node = v.mem.make("parents and levels", int64(v.n), 8)
	v.joined = v.mem.make("marks", v.words, 4)
	v.tally = v.mem.make("tally", tallies, 8)
	free, _, err := g.dev.Memory()
	if err == nil {
		v.loader, err = newEdgeLoader(g.dev, v.mem, src, free/verifierShare)
	}
	if err != nil {
		return nil, errors.Join(err, v.mem.close())
	}
	return v, nil
}

// verify checks one tree.
func (v *verifier) verify(ctx context.Context, parent buffer, root uint32) (verdict, error) {
	err := errors.Join(v.dev.zero(v.tally, 8*tallies), v.dev.zero(v.joined, 4*v.words))
	if err != nil {
		return verdict{}, err
	}
	if err := v.verifySeed(parent, v.n, root, v.node, v.tally); err != nil {
		return verdict{}, err
	}
	var found verdict
	if found.Depth, found.Vertices, err = v.levels(ctx); err != nil {
		return verdict{}, err
	}
	err = v.loader.each(ctx, func(edges buffer, n int64) error { return v.verifyEdges(edges, n, v.node, v.joined, v.tally) })
	if err != nil {
		return verdict{}, err
	}
	if err := v.verifyMarks(v.node, v.n, root, v.joined, v.tally); err != nil {
		return verdict{}, err
	}
	tally, err := v.readTally()
	if err != nil {
		return verdict{}, err
	}
	if tally[tallyNoTree]|tally[tallyBadEdge]|tally[tallyNoEdge] != 0 {
		return verdict{}, fmt.Errorf("gpu: tree of %d: %d vertices in no tree, %d edges across levels or out of the tree, %d parents without an edge",
			root, tally[tallyNoTree], tally[tallyBadEdge], tally[tallyNoEdge])
	}
	found.Edges, found.Loops = int64(tally[tallyEdges]), int64(tally[tallyLoops])
	return found, nil
}

// levels rebuilds the levels from the parents, until a round adds no vertex.
func (v *verifier) levels(ctx context.Context) (depth int, vertices int64, err error) {
	for vertices = 1; ; depth++ {
		if err := ctx.Err(); err != nil {
			return 0, 0, fmt.Errorf("gpu: verifying level %d: %w", depth, err)
		}
		if err := v.verifyRound(v.node, v.n, depth+1, v.tally); err != nil {
			return 0, 0, err
		}
		tally, err := v.readTally()
		if err != nil {
			return 0, 0, err
		}
		if int64(tally[tallyRound]) == vertices-1 {
			return depth, vertices, nil
		}
		vertices = int64(tally[tallyRound]) + 1
	}
}

func (v *verifier) readTally() (tally [tallies]uint64, err error) {
	err = v.dev.read(bytesOf(tally[:]), v.tally, 0)
	return tally, err
}
