package edge

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// WeightsSuffix is appended to the name of a packed file for that of its weights.
const WeightsSuffix = ".weights"

// WritePacked writes all edges of src in the format of the Graph500 reference:
// 12 bytes an edge, three little-endian words. So many threads, one for each CPU
// if that is 0, prepare the bytes while earlier ones are written; the order is that
// of the list. progress, if not nil, is called from the calling goroutine.
func WritePacked(ctx context.Context, w io.Writer, src hops.Source, threads int, progress func(done, total int64)) error {
	if err := checkPackable(src); err != nil {
		return err
	}
	return writeEdges(ctx, w, src, threads, progress, appendPacked)
}

func appendPacked(b []byte, edges []hops.Edge) []byte {
	start := len(b)
	b = slices.Grow(b, len(edges)*PackedSize)[:start+len(edges)*PackedSize]
	for i, e := range edges {
		t, to := pack(e), b[start+i*PackedSize:][:PackedSize]
		binary.LittleEndian.PutUint32(to[0:], t.u)
		binary.LittleEndian.PutUint32(to[4:], t.v)
		binary.LittleEndian.PutUint32(to[8:], t.high)
	}
	return b
}

// WriteText writes all edges of src as lines "u v". It is otherwise like
// WritePacked.
func WriteText(ctx context.Context, w io.Writer, src hops.Source, threads int, progress func(done, total int64)) error {
	return writeEdges(ctx, w, src, threads, progress, appendText)
}

func appendText(b []byte, edges []hops.Edge) []byte {
	for _, e := range edges {
		b = strconv.AppendUint(b, uint64(e.U), 10)
		b = append(b, ' ')
		b = strconv.AppendUint(b, uint64(e.V), 10)
		b = append(b, '\n')
	}
	return b
}

// WriteWeights writes the weights of all edges of src, 4 bytes each, as the
// Graph500 reference keeps them beside its packed file. It is otherwise like
// WritePacked.
func WriteWeights(ctx context.Context, w io.Writer, src hops.WeightedSource, threads int, progress func(done, total int64)) error {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	scratch := make([][blockEdges]float32, team.Size())
	encode := func(worker int, b []byte, off int64, n int) ([]byte, error) {
		weights := scratch[worker][:n]
		if read, err := src.WeightsAt(weights, off); read < n {
			return nil, readError(off+int64(read), err)
		}
		for _, x := range weights {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b, nil
	}
	return writeInOrder(ctx, w, src.NumEdges(), team, progress, encode)
}

func writeEdges(ctx context.Context, w io.Writer, src hops.Source, threads int,
	progress func(done, total int64), appendEdges func([]byte, []hops.Edge) []byte,
) error {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	scratch := make([][blockEdges]hops.Edge, team.Size())
	encode := func(worker int, b []byte, off int64, n int) ([]byte, error) {
		edges := scratch[worker][:n]
		if read, err := src.EdgesAt(edges, off); read < n {
			return nil, readError(off+int64(read), err)
		}
		return appendEdges(b, edges), nil
	}
	return writeInOrder(ctx, w, src.NumEdges(), team, progress, encode)
}

// batchBlocks is how many blocks each worker encodes between two handovers to
// the writing goroutine: enough to keep all busy, at some megabytes of buffers.
const batchBlocks = 8

// A batch is successive blocks of the output, ready to be written.
type batch [][]byte

// writeInOrder encodes the elements [0, total) in blocks on all workers of the
// team and writes the blocks in order. While one batch of blocks is written, the
// next one is encoded.
func writeInOrder(ctx context.Context, w io.Writer, total int64, team *par.Team, progress func(done, total int64),
	encode func(worker int, b []byte, off int64, n int) ([]byte, error),
) error {
	blocks := batchBlocks * team.Size()
	out := newOutput(w, blocks)
	size := int64(blocks) * blockEdges
	var failure error
	for start := int64(0); start < total && !out.failed.Load(); start += size {
		if failure = ctx.Err(); failure != nil {
			break
		}
		if progress != nil {
			progress(start, total)
		}
		next := <-out.free
		failure = team.Try(min(size, total-start), blockEdges, func(worker int, lo, hi int64) (err error) {
			block := &next[lo/blockEdges]
			*block, err = encode(worker, (*block)[:0], start+lo, int(hi-lo))
			return err
		})
		if failure != nil {
			break
		}
		out.full <- next[:(min(size, total-start)+blockEdges-1)/blockEdges]
	}
	if err := out.close(); err != nil {
		return err
	}
	if failure == nil && progress != nil {
		progress(total, total)
	}
	return failure
}

// An output is a goroutine that writes batches.
type output struct {
	free   chan batch // two of them go round
	full   chan batch
	failed atomic.Bool
	result chan error
}

func newOutput(w io.Writer, blocks int) *output {
	o := &output{free: make(chan batch, 2), full: make(chan batch, 2), result: make(chan error, 1)}
	o.free <- make(batch, blocks)
	o.free <- make(batch, blocks)
	go o.run(w)
	return o
}

func (o *output) run(w io.Writer) {
	var written int64
	var failure error
	for b := range o.full {
		for _, block := range b {
			if failure == nil {
				var n int
				n, failure = w.Write(block)
				written += int64(n)
			}
		}
		if failure != nil {
			o.failed.Store(true)
		}
		o.free <- b[:cap(b)]
	}
	if failure != nil {
		failure = fmt.Errorf("edge: after %d bytes: %w", written, failure)
	}
	o.result <- failure
}

// close waits until everything is written.
func (o *output) close() error {
	close(o.full)
	return <-o.result
}
