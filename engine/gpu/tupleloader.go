package gpu

import "github.com/gohops/hops"

// newTupleLoader is an edgeLoader that also brings the weights.
func newTupleLoader(d device, m *memory, src hops.WeightedSource, room int64) (*edgeLoader, error) {
	l, err := newEdgeLoader(d, m, src, room/12*8)
	if err != nil {
		return nil, err
	}
	l.weights = m.make("weights", l.chunk, 4)
	l.hostWeights = make([]float32, len(l.host))
	return l, m.err
}
