package lab

import (
	"cmp"
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
	totals := make([]int64, pairs)
	start := time.Now()
	err := onRanks(2*pairs, 2, func(c rank.Comm) (err error) {
		if me := c.Rank(); me < pairs {
			totals[me], err = sendUntil(ctx, c, me+pairs, size, start.Add(atLeast))
			return err
		}
		return receiveAll(c, size)
	})
	if err != nil {
		return 0, err
	}
	elapsed := time.Since(start)
	var sum int64
	for _, n := range totals {
		sum += n
	}
	return float64(sum) / elapsed.Seconds(), ctx.Err()
}

// onRanks calls do for every rank of simulated hosts, all at once.
func onRanks(ranks, hosts int, do func(c rank.Comm) error) error {
	comms, err := rank.Local(ranks, hosts)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, ranks)
	for r, c := range comms {
		wg.Go(func() {
			if errs[r] = do(c); errs[r] != nil {
				c.Abort(errs[r])
			}
		})
	}
	wg.Wait()
	for _, c := range comms {
		_ = c.Close()
	}
	return cmp.Or(errs...)
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
