package launch

import (
	"fmt"
	"slices"

	"github.com/gohops/hops/internal/mpi"
	"github.com/gohops/hops/internal/rank"
)

// MPI counts bytes in C ints. Buffers beyond that are sent rank by rank in pieces,
// which takes about as long: they are large.

// maxBuffer is the size up to which one collective call serves. Tests lower it.
var maxBuffer = int64(1<<31 - 1)

// largeTag is the tag of pieces; those of channels are below.
const largeTag = 1 << 13

// layout are spans in the form of MPI.
func layout(parts []rank.Span) mpi.Layout {
	y := mpi.Layout{Counts: make([]int32, len(parts)), Starts: make([]int32, len(parts))}
	for r, part := range parts {
		y.Counts[r], y.Starts[r] = int32(part.Size()), int32(part.Lo)
	}
	return y
}

// between are the spans that cuts divide.
func between(cuts []int64) []rank.Span {
	parts := make([]rank.Span, len(cuts)-1)
	for r := range parts {
		parts[r] = rank.Span{Lo: cuts[r], Hi: cuts[r+1]}
	}
	return parts
}

// even is one span of the same size for every rank.
func even(ranks, size int) []rank.Span {
	parts := make([]rank.Span, ranks)
	for r := range parts {
		parts[r] = rank.Span{Lo: int64(r * size), Hi: int64((r + 1) * size)}
	}
	return parts
}

// checkSpans is what the parts of the ranks must fulfil.
func checkSpans(parts []rank.Span, ranks, size int) error {
	bad := func(p rank.Span) bool { return p.Lo < 0 || p.Hi < p.Lo || p.Hi > int64(size) }
	if len(parts) != ranks || slices.ContainsFunc(parts, bad) {
		return fmt.Errorf("launch: %v are no parts of %d bytes for %d ranks", parts, size, ranks)
	}
	return nil
}

// checkCuts is the same for parts without gaps.
func checkCuts(cuts []int64, ranks, size int) error {
	if len(cuts) != ranks+1 || cuts[0] < 0 || cuts[ranks] > int64(size) || !slices.IsSorted(cuts) {
		return fmt.Errorf("launch: cuts %v do not divide %d bytes among %d ranks", cuts, size, ranks)
	}
	return nil
}

// Gather implements rank.Comm.
func (c *comm) Gather(all []byte, parts []rank.Span) error {
	if err := c.fate.err(); err != nil {
		return err
	}
	if err := checkSpans(parts, c.Comm.Size, len(all)); err != nil {
		return err
	}
	c.meter.Gather(c, parts)
	return c.gather(all, parts)
}

func (c *comm) gather(all []byte, parts []rank.Span) error {
	if int64(len(all)) > maxBuffer {
		part := func(r int) []byte { return all[parts[r].Lo:parts[r].Hi] }
		mine := part(c.Comm.Rank)
		return c.pieces(func(int) []byte { return mine }, part)
	}
	spans := layout(parts)
	r, err := c.Comm.AllGather(all, spans)
	return c.complete(r, err, []any{all, spans})
}

// Exchange implements rank.Comm.
func (c *comm) Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error {
	if err := c.fate.err(); err != nil {
		return err
	}
	size := c.Comm.Size
	if err := checkCuts(outCuts, size, len(out)); err != nil {
		return err
	}
	if err := checkCuts(inCuts, size, len(in)); err != nil {
		return err
	}
	c.meter.Exchange(c, outCuts)
	// The ranks must agree on the way, and none sees what the others send.
	large := []uint64{uint64(max(outCuts[size], inCuts[size]))}
	if err := reduceMax(c, large); err != nil {
		return err
	}
	if int64(large[0]) > maxBuffer {
		me := c.Comm.Rank
		copy(in[inCuts[me]:inCuts[me+1]], out[outCuts[me]:outCuts[me+1]])
		return c.pieces(
			func(r int) []byte { return out[outCuts[r]:outCuts[r+1]] },
			func(r int) []byte { return in[inCuts[r]:inCuts[r+1]] })
	}
	to, from := layout(between(outCuts)), layout(between(inCuts))
	r, err := c.Comm.AllToAll(out, to, in, from)
	return c.complete(r, err, []any{out, to, in, from})
}

func reduceMax(c *comm, v []uint64) error {
	r, err := c.AllReduce(v, mpi.Max)
	return c.complete(r, err, v)
}

// pieces sends to every other rank its part and receives one of each.
func (c *comm) pieces(out, in func(r int) []byte) error {
	for step := 1; step < c.Comm.Size; step++ {
		to := (c.Comm.Rank + step) % c.Comm.Size
		from := (c.Comm.Rank + c.Comm.Size - step) % c.Comm.Size
		if err := c.pass(out(to), to, in(from), from); err != nil {
			return err
		}
	}
	return nil
}

// pass sends to one rank while receiving from another, piece by piece.
func (c *comm) pass(out []byte, to int, in []byte, from int) error {
	for len(out) > 0 || len(in) > 0 {
		var piece, room []byte
		piece, out = cut(out)
		room, in = cut(in)
		var sent, got pending
		for _, x := range []struct {
			p    *pending
			data []byte
			run  func() (mpi.Request, error)
		}{
			{&sent, piece, func() (mpi.Request, error) { return c.Comm.Send(piece, to, largeTag) }},
			{&got, room, func() (mpi.Request, error) { return c.Comm.Receive(room, from, largeTag) }},
		} {
			if x.p.done = len(x.data) == 0; x.p.done {
				continue
			}
			r, err := x.run()
			if err != nil {
				return c.known(err)
			}
			*x.p = pending{comm: c, request: r, uses: x.data}
		}
		if err := sent.Wait(); err != nil {
			return err
		}
		if err := got.Wait(); err != nil {
			return err
		}
	}
	return nil
}

func cut(b []byte) (piece, rest []byte) {
	n := min(int64(len(b)), maxBuffer/2+1)
	return b[:n], b[n:]
}
