package export

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/gohops/hops"
)

// writeMatrix writes a pattern, or real numbers if there are weights. Of a symmetric matrix
// it writes the lower triangle.
func writeMatrix(ctx context.Context, w *writer) error {
	symmetry := "symmetric"
	if w.g.Directed {
		symmetry = "general"
	}
	field := "pattern"
	if w.g.Weighted() {
		field = "real"
	}
	n := w.g.NumVertices()
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n", field, symmetry, n, n, w.src.NumEdges())
	return w.each(ctx, func(line []byte, e hops.Edge, weight float32) []byte {
		if !w.g.Directed {
			e.U, e.V = max(e.U, e.V), min(e.U, e.V)
		}
		line = append(strconv.AppendUint(line, uint64(e.U)+1, 10), ' ')
		return append(w.weight(strconv.AppendUint(line, uint64(e.V)+1, 10), " ", weight, ""), '\n')
	})
}

// writeMetis writes a line for each vertex with its neighbours, each followed by the weight
// of its edge if there are weights, which METIS wants to be whole and positive.
func writeMetis(ctx context.Context, w *writer) error {
	if w.g.Directed {
		return errors.New("export: METIS has no directed graphs")
	}
	kind := ""
	if w.g.Weighted() {
		kind = " 001"
		if err := w.wholeWeights(); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d %d%s\n", w.g.NumVertices(), w.src.NumEdges(), kind)
	var failed error
	err := w.eachVertex(func(line []byte, v hops.Vertex) []byte {
		row, weights, err := w.g.OutEdges(v)
		failed = cmp.Or(failed, err)
		for i, u := range row {
			line = append(strconv.AppendUint(line, uint64(u)+1, 10), ' ')
			if weights != nil {
				line = w.weight(line, "", weights[i], " ")
			}
		}
		return append(bytes.TrimSuffix(line, []byte{' '}), '\n')
	})
	return errors.Join(failed, err, ctx.Err())
}

// wholeWeights refuses weights that are not positive integers, or that are too large for the
// integers of programs that read the format.
func (w *writer) wholeWeights() error {
	return w.g.Read(func() error {
		for _, x := range w.g.Out.Weights {
			if x < 1 || x >= 1<<63 || x != float32(math.Trunc(float64(x))) {
				return fmt.Errorf("export: METIS has weights that are whole numbers from 1 to 2^63-1, not %g", x)
			}
		}
		return nil
	})
}
