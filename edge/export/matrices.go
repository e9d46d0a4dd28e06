package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gohops/hops"
)

// writeMatrix writes a pattern, of which a symmetric one has the lower triangle.
func writeMatrix(ctx context.Context, w *writer) error {
	symmetry := "symmetric"
	if w.g.Directed {
		symmetry = "general"
	}
	n := w.g.NumVertices()
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate pattern %s\n%d %d %d\n", symmetry, n, n, w.src.NumEdges())
	return w.each(ctx, func(line []byte, e hops.Edge) []byte {
		if !w.g.Directed {
			e.U, e.V = max(e.U, e.V), min(e.U, e.V)
		}
		line = append(strconv.AppendUint(line, uint64(e.U)+1, 10), ' ')
		return append(strconv.AppendUint(line, uint64(e.V)+1, 10), '\n')
	})
}

func writeMetis(ctx context.Context, w *writer) error {
	if w.g.Directed {
		return errors.New("export: METIS has no directed graphs")
	}
	fmt.Fprintf(w, "%d %d\n", w.g.NumVertices(), w.src.NumEdges())
	err := w.eachVertex(func(line []byte, v hops.Vertex) []byte {
		for u := range w.g.Neighbors(v) {
			line = append(strconv.AppendUint(line, uint64(u)+1, 10), ' ')
		}
		return append(bytes.TrimSuffix(line, []byte{' '}), '\n')
	})
	return errors.Join(err, ctx.Err())
}
