package lab

import (
	"context"
	"sync"
	"time"

	"github.com/gohops/hops/internal/rank"
)

// window is how many packets a sender has under way.
const window = 16

// bandwidth measures how many bytes a second pairs of ranks transfer in packets of size
// bytes, all pairs at once. Receivers copy every packet, which reads all of it, as
// decoding does.
func bandwidth(ctx context.Context, pairs, size int, atLeast time.Duration) (float64, error) {
	comms, err := rank.Local(2*pairs, 2)
	if err != nil {
		return 0, err
	}
	var (
		wg     sync.WaitGroup
		totals = make([]int64, pairs)
		errs   = make([]error, 2*pairs)
		start  = time.Now()
	)
	for p := range pairs {
		from, to := p, p+pairs
		wg.Go(func() { totals[p], errs[from] = sendUntil(ctx, comms[from], to, size, start.Add(atLeast)) })
		wg.Go(func() { errs[to] = receiveAll(comms[to], size) })
	}
	wg.Wait()
	elapsed := time.Since(start)
	var sum int64
	for _, n := range totals {
		sum += n
	}
	for _, c := range comms {
		_ = c.Close()
	}
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return float64(sum) / elapsed.Seconds(), ctx.Err()
}

// sendUntil sends packets until a time, and an empty one at the end.
func sendUntil(ctx context.Context, c rank.Comm, to, size int, until time.Time) (sent int64, err error) {
	var (
		buffers [window][]byte
		pending [window]rank.Pending
	)
	for i := range buffers {
		buffers[i] = make([]byte, size)
	}
	for n := 0; n%window != 0 || time.Now().Before(until) && ctx.Err() == nil; n++ {
		slot := n % window
		if pending[slot] != nil {
			if err := pending[slot].Wait(); err != nil {
				return sent, err
			}
		}
		buffers[slot][0]++
		if pending[slot], err = c.Send(to, 0, buffers[slot]); err != nil {
			return sent, err
		}
		sent += int64(size)
	}
	last, err := c.Send(to, 0, nil)
	if err != nil {
		return sent, err
	}
	return sent, last.Wait()
}

// receiveAll copies packets until an empty one arrives.
func receiveAll(c rank.Comm, size int) error {
	out := make([]byte, size)
	for {
		var packet rank.Packet
		err := rank.Await(func() (ok bool, err error) {
			packet, ok, err = c.Receive(0)
			return ok, err
		})
		if err != nil {
			return err
		}
		n := copy(out, packet.Data)
		packet.Free()
		if n == 0 {
			return nil
		}
	}
}
