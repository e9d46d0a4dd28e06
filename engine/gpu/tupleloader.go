package gpu

import (
	"fmt"
	"math"

	"github.com/gohops/hops"
)

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

// uploadWeights brings the weights of edges from off on, which the device keeps at at. Their
// bits must be in the order of the weights.
func (l *edgeLoader) uploadWeights(weights []float32, off, at int64) error {
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat32) {
			return fmt.Errorf("gpu: edge %d has weight %v: want one that is finite and not negative", off+int64(i), w)
		}
		weights[i] = w + 0 // no negative zero
	}
	return l.dev.write(l.weights, 4*at, bytesOf(weights))
}
