package launch

import (
	"errors"

	"github.com/gohops/hops/internal/device/mpi"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Gather and Exchange send messages between all pairs of ranks, all under way at once.
// MPI_Iallgatherv and MPI_Ialltoallv would do the same: the sizes differ by rank and no
// rank knows their sum, so they cannot choose a better algorithm, and a failure of
// another rank could not be noticed while they progress. MPI counts bytes in C ints, so
// large parts are sent in pieces.

// maxPiece is the size of the largest piece in bytes.
const maxPiece = 1 << 30

// pieceTag is the MPI tag of pieces. Packets use the tags below rank.MaxChannel.
const pieceTag = 1 << 13

// even returns one span of the same size for every rank.
func even(ranks, size int) []rank.Span {
	parts := make([]rank.Span, ranks)
	for r := range parts {
		parts[r] = rank.Span{Lo: int64(r * size), Hi: int64((r + 1) * size)}
	}
	return parts
}

func (c *comm) Gather(all []byte, parts []rank.Span) error {
	if err := c.state.err(); err != nil {
		return err
	}
	if err := rank.CheckSpans(parts, c.Comm.Size, len(all)); err != nil {
		return err
	}
	c.meter.Gather(c, parts)
	return c.gather(all, parts)
}

// TakesDevices implements rank.DeviceComm. Gather and ExchangeOthers pass addresses to MPI
// without reading them, so only the library matters.
func (c *comm) TakesDevices() bool { return c.lib.TakesDevices() }

// ExchangeOthers implements rank.DeviceComm.
func (c *comm) ExchangeOthers(out []byte, outParts []rank.Span, in []byte, inParts []rank.Span) error {
	if err := c.state.err(); err != nil {
		return err
	}
	if err := errors.Join(rank.CheckSpans(outParts, c.Comm.Size, len(out)), rank.CheckSpans(inParts, c.Comm.Size, len(in))); err != nil {
		return err
	}
	part := func(of []byte, parts []rank.Span) func(int) []byte {
		return func(r int) []byte { return of[parts[r].Lo:parts[r].Hi] }
	}
	return c.sendToAll(part(out, outParts), part(in, inParts))
}

func (c *comm) gather(all []byte, parts []rank.Span) error {
	part := func(r int) []byte { return all[parts[r].Lo:parts[r].Hi] }
	mine := part(c.Comm.Rank)
	return c.sendToAll(func(int) []byte { return mine }, part)
}

func (c *comm) Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error {
	if err := c.state.err(); err != nil {
		return err
	}
	if err := rank.CheckCuts(out, outCuts, in, inCuts, c.Comm.Size); err != nil {
		return err
	}
	c.meter.Exchange(c, outCuts)
	to := func(r int) []byte { return out[outCuts[r]:outCuts[r+1]] }
	from := func(r int) []byte { return in[inCuts[r]:inCuts[r+1]] }
	copy(from(c.Comm.Rank), to(c.Comm.Rank))
	return c.sendToAll(to, from)
}

// sendToAll sends out(r) to every other rank r and receives in(r) from it. The receives
// are posted first: MPI then writes a message straight to its place.
func (c *comm) sendToAll(out, in func(r int) []byte) error {
	var started []rank.Pending
	post := func(b []byte, start func(piece []byte) (mpi.Request, error)) error {
		for len(b) > 0 {
			piece := b[:min(len(b), c.state.maxPiece)]
			b = b[len(piece):]
			r, err := start(piece)
			p, err := c.begin(r, err, piece)
			if err != nil {
				return err
			}
			started = append(started, p)
		}
		return nil
	}
	for step := 1; step < c.Comm.Size; step++ {
		from := (c.Comm.Rank + c.Comm.Size - step) % c.Comm.Size
		err := post(in(from), func(b []byte) (mpi.Request, error) { return c.Comm.Receive(b, from, pieceTag) })
		if err != nil {
			return err
		}
	}
	for step := 1; step < c.Comm.Size; step++ {
		to := (c.Comm.Rank + step) % c.Comm.Size
		err := post(out(to), func(b []byte) (mpi.Request, error) { return c.Comm.Send(b, to, pieceTag) })
		if err != nil {
			return err
		}
	}
	for _, p := range started {
		if err := p.Wait(); err != nil {
			return err
		}
	}
	return nil
}
