package gpu

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/block"
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

	directed bool
	ranks    block.Reducer // whose devices have the other edges; nil: there are none

	node   buffer // parent and level of every vertex
	joined buffer // bitmap: an edge joins the vertex to its parent, or to any vertex
	tally  buffer
}

// A TreeError says how a tree breaks the rules of the benchmark.
type TreeError struct {
	Root     hops.Vertex
	NoTree   uint64 // vertices whose parents do not lead to the root
	BadEdges uint64 // edges that lead out of the tree, or over more than one level
	NoEdge   uint64 // vertices that no edge joins to their parent
	Weighted bool   // the tree has distances: an edge out of the tree or one that shortens a distance is bad
}

func (e *TreeError) Error() string {
	if e.Weighted {
		return fmt.Sprintf("gpu: shortest paths from %d: %d vertices in no tree or at an impossible distance, %d edges that shorten a distance or lead out of the tree, %d distances that no edge from the parent makes",
			e.Root, e.NoTree, e.BadEdges, e.NoEdge)
	}
	return fmt.Sprintf("gpu: tree of %d: %d vertices in no tree, %d edges across levels or out of the tree, %d parents without an edge",
		e.Root, e.NoTree, e.BadEdges, e.NoEdge)
}

// InvalidTree tells such errors from those of the device.
func (e *TreeError) InvalidTree() {}

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

// VerifyOnDevice checks the tree of a slot where it is, in device memory, against all
// edges of the source, which it generates or uploads again. It returns what package check
// tells of a tree: how many vertices each level has, the root's first, and how many edges
// and loops the component has, duplicates included. Of a directed graph these are the
// edges and loops that start in the tree. The error is a TreeError if the tree
// is at fault. The first call allocates memory on the device, which stays until Close.
func (s *Searcher) VerifyOnDevice(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error) {
	t, err := filledSlot(s.slots, slot)
	if err != nil {
		return nil, 0, 0, err
	}
	if err := s.openVerifier(); err != nil {
		return nil, 0, 0, err
	}
	return s.verifier.verifyTree(ctx, t.root, s.parents(t))
}

// verifyTree checks a tree, all of whose parents are in an array.
func (v *verifier) verifyTree(ctx context.Context, from hops.Vertex, parents buffer) (levels []int64, edges, loops int64, err error) {
	if from >= hops.Vertex(v.n) {
		return nil, 0, 0, &TreeError{Root: from, NoTree: uint64(v.n)}
	}
	root := uint32(from)
	return v.verifyBy(ctx, root, false,
		func() error { return v.verifySeed(parents, v.n, root, v.node, v.tally) },
		func(edges buffer, n int64) error {
			return v.verifyEdges(edges, n, v.directed, v.node, v.joined, v.tally)
		})
}

// JoinedOnDevice tells which of some vertices have an edge to another vertex. Like
// VerifyOnDevice it reads the edges of the source again and not the rows.
func (s *Searcher) JoinedOnDevice(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	if err := s.openVerifier(); err != nil {
		return nil, err
	}
	return s.verifier.joinedTo(ctx, candidates)
}

// joinedTo tells which of some vertices have an edge to another vertex.
func (v *verifier) joinedTo(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	joined, err := v.anyEdge(ctx)
	if err != nil {
		return nil, err
	}
	answers := make([]bool, len(candidates))
	for i, c := range candidates {
		if err := checkRoot(v.n, c); err != nil {
			return nil, err
		}
		answers[i] = joined[c/32]>>(c%32)&1 != 0
	}
	return answers, nil
}

// openVerifier makes the verifier, if there is none yet.
func (s *Searcher) openVerifier() (err error) {
	if s.verifier == nil {
		s.verifier, err = newVerifier(s.kernels, s.source, nil, 0, s.source.NumEdges())
	}
	return err
}

// verifierShare is the part of the free memory that the edges may take, one in so many.
// Where all edges fit they are brought once for all trees.
const verifierShare = 4

// newBareVerifier makes a verifier without a loader.
func newBareVerifier(k kernels, src hops.Source) *verifier {
	n := src.NumVertices()
	v := &verifier{kernels: k, mem: newMemory(k.dev), n: uint32(n), words: int64((n + 31) / 32), directed: hops.IsDirected(src)}
	v.node = v.mem.make("parents and levels", int64(v.n), 8)
	v.joined = v.mem.make("marks", v.words, 4)
	v.tally = v.mem.make("tally", tallies, 8)
	return v
}

// newVerifier makes a verifier that loads so many edges from first on. Others have the rest.
func newVerifier(k kernels, src hops.Source, others block.Reducer, first, count int64) (*verifier, error) {
	v := newBareVerifier(k, src)
	v.ranks = others
	free, _, err := k.dev.Memory()
	if err == nil {
		v.loader, err = newShareLoader(k.dev, v.mem, src, free/verifierShare, first, count)
	}
	if err != nil {
		return nil, errors.Join(err, v.mem.close())
	}
	return v, nil
}

// verifyBy checks one tree: seed gives every vertex its parent and the root its level, and
// compare holds edges against the tree.
func (v *verifier) verifyBy(ctx context.Context, root uint32, weighted bool, seed func() error, compare func(edges buffer, n int64) error) (
	levels []int64, edges, loops int64, err error,
) {
	err = errors.Join(v.dev.zero(v.tally, 8*tallies), v.dev.zero(v.joined, 4*v.words))
	if err != nil {
		return nil, 0, 0, err
	}
	if err := seed(); err != nil {
		return nil, 0, 0, err
	}
	if levels, err = v.levels(ctx); err != nil {
		return nil, 0, 0, err
	}
	if err := v.loader.each(ctx, compare); err != nil {
		return nil, 0, 0, err
	}
	if err := v.uniteJoined(); err != nil {
		return nil, 0, 0, err
	}
	if err := v.verifyMarks(v.node, v.n, root, v.joined, v.tally); err != nil {
		return nil, 0, 0, err
	}
	tally, err := v.readTally()
	if err == nil {
		err = v.addEdges(&tally)
	}
	if err != nil {
		return nil, 0, 0, err
	}
	if tally[tallyNoTree]|tally[tallyBadEdge]|tally[tallyNoEdge] != 0 {
		return nil, 0, 0, &TreeError{hops.Vertex(root), tally[tallyNoTree], tally[tallyBadEdge], tally[tallyNoEdge], weighted}
	}
	return levels, int64(tally[tallyEdges]), int64(tally[tallyLoops]), nil
}

// addEdges adds what the other ranks have counted of their edges. Their vertices are the same.
func (v *verifier) addEdges(tally *[tallies]uint64) error {
	if v.ranks == nil {
		return nil
	}
	counts := []uint64{tally[tallyBadEdge], tally[tallyEdges], tally[tallyLoops]}
	err := v.ranks.Sum(counts)
	tally[tallyBadEdge], tally[tallyEdges], tally[tallyLoops] = counts[0], counts[1], counts[2]
	return err
}

// levels rebuilds the levels from the parents, until a round adds no vertex, and returns
// how many vertices each has.
func (v *verifier) levels(ctx context.Context) ([]int64, error) {
	levels := []int64{1}
	for below := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("gpu: verifying level %d: %w", len(levels), err)
		}
		if err := v.verifyRound(v.node, v.n, len(levels), v.tally); err != nil {
			return nil, err
		}
		tally, err := v.readTally()
		if err != nil {
			return nil, err
		}
		found := int64(tally[tallyRound]) - below
		if found == 0 {
			return levels, nil
		}
		levels = append(levels, found)
		below += found
	}
}

// anyEdge returns a bitmap of the vertices that have an edge to another vertex.
func (v *verifier) anyEdge(ctx context.Context) ([]uint32, error) {
	if err := v.dev.zero(v.joined, 4*v.words); err != nil {
		return nil, err
	}
	err := v.loader.each(ctx, func(edges buffer, n int64) error { return v.verifyJoined(edges, n, v.joined) })
	if err != nil {
		return nil, err
	}
	bits, err := v.readJoined()
	return numbersOf[uint32](bytesOf(bits)), err
}

// readJoined is the bitmap of what the edges of all ranks join.
func (v *verifier) readJoined() ([]uint64, error) {
	bits := make([]uint64, (v.words+1)/2)
	if err := v.dev.read(bytesOf(bits)[:4*v.words], v.joined, 0); err != nil || v.ranks == nil {
		return bits, err
	}
	return bits, v.ranks.Or(bits)
}

// uniteJoined gives the device the bitmap of what the edges of all ranks join.
func (v *verifier) uniteJoined() error {
	if v.ranks == nil {
		return nil
	}
	bits, err := v.readJoined()
	if err != nil {
		return err
	}
	return v.dev.write(v.joined, 0, bytesOf(bits)[:4*v.words])
}

func (v *verifier) readTally() (tally [tallies]uint64, err error) {
	err = v.dev.read(bytesOf(tally[:]), v.tally, 0)
	return tally, err
}
