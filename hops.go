package hops

// A Vertex is a label in the numbering of a Source: 0 ≤ v < NumVertices.
type Vertex uint64

// NoVertex stands for "no parent": the vertex is not in the tree.
const NoVertex = ^Vertex(0)

// An Edge joins two vertices. In an undirected graph the order of its ends
// carries no meaning, but it is kept: a Source is a list of tuples.
type Edge struct {
	U, V Vertex
}

// A Source is to edges what io.ReaderAt is to bytes: random access, repeatable,
// and safe for concurrent use. It may hold the list, read a file or generate the
// edges afresh; every reading yields the same list.
type Source interface {
	// NumVertices is the bound of the labels: all are below it.
	NumVertices() Vertex
	// NumEdges is the length of the list, self-loops and duplicates included.
	NumEdges() int64
	// EdgesAt copies the edges off, off+1, … into dst. Like io.ReaderAt it
	// returns n < len(dst) only with an error, which is io.EOF at the end of
	// the list.
	EdgesAt(dst []Edge, off int64) (n int, err error)
}

// A DirectedSource can say that its edges lead from U to V only.
type DirectedSource interface {
	Source
	Directed() bool
}

// IsDirected tells whether the edges of src are directed: a Source that does not
// say so lists edges that join their ends both ways.
func IsDirected(src Source) bool {
	d, ok := src.(DirectedSource)
	return ok && d.Directed()
}

// Directed returns the same list of edges, now leading from U to V only, with the weights of
// a WeightedSource.
func Directed(src Source) Source {
	if w, ok := src.(WeightedSource); ok {
		return directedTuples{directed{src}, w}
	}
	return directed{src}
}

type directed struct{ Source }

func (directed) Directed() bool { return true }

// Unwrap returns the list of edges itself.
func (d directed) Unwrap() Source { return d.Source }

// PairsAt returns what the list of edges itself does.
func (d directed) PairsAt(off int64, n int) []uint64 { return PairsAt(d.Source, off, n) }

// directedTuples are directed edges with weights.
type directedTuples struct {
	directed
	weights WeightedSource
}

// WeightsAt implements WeightedSource.
func (d directedTuples) WeightsAt(dst []float32, off int64) (int, error) {
	return d.weights.WeightsAt(dst, off)
}

// TuplesAt implements TupleSource.
func (d directedTuples) TuplesAt(edges []Edge, weights []float32, off int64) (int, error) {
	return TuplesAt(d.weights, edges, weights, off)
}

// A PairSource keeps its edges in memory, two labels of 32 bits in a word, where they can
// be read without a copy.
type PairSource interface {
	Source
	// PairsAt returns n edges from off on, all of which are in the list: U is the
	// low half of a word, V the high half. Nobody may change them. It returns nil,
	// for every n and off, if the edges are in another form after all.
	PairsAt(off int64, n int) []uint64
}

// PairsAt returns edges of a PairSource, and nil for another Source.
func PairsAt(src Source, off int64, n int) []uint64 {
	if s, ok := src.(PairSource); ok {
		return s.PairsAt(off, n)
	}
	return nil
}

// A WeightedSource also has a weight for every edge, in the same order.
type WeightedSource interface {
	Source
	// WeightsAt follows the rules of EdgesAt.
	WeightsAt(dst []float32, off int64) (n int, err error)
}

// A TupleSource delivers edges together with their weights, where that takes less than
// one call for each.
type TupleSource interface {
	WeightedSource
	// TuplesAt follows the rules of EdgesAt. Both slices have the same length.
	TuplesAt(edges []Edge, weights []float32, off int64) (n int, err error)
}

// TuplesAt reads edges and their weights, in one call if the source is a TupleSource.
func TuplesAt(src WeightedSource, edges []Edge, weights []float32, off int64) (n int, err error) {
	if s, ok := src.(TupleSource); ok {
		return s.TuplesAt(edges, weights, off)
	}
	n, err = src.EdgesAt(edges, off)
	if m, errWeights := src.WeightsAt(weights, off); m < n {
		return m, errWeights
	}
	return n, err
}
