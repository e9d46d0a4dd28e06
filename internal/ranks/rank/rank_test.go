package rank

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// everyone runs f on n ranks and returns their errors.
func everyone(t *testing.T, n, hosts int, f func(c Comm) error) []error {
	t.Helper()
	comms, err := Local(n, hosts)
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for r, c := range comms {
		wg.Go(func() {
			errs[r] = f(c)
			_ = c.Close()
		})
	}
	wg.Wait()
	return errs
}

func all(t *testing.T, n, hosts int, f func(c Comm) error) {
	t.Helper()
	for r, err := range everyone(t, n, hosts, f) {
		if err != nil {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

var sizes = []int{1, 2, 3, 7}

func TestPacketsArriveInOrder(t *testing.T) {
	const packets = 200
	for _, n := range sizes {
		all(t, n, 1, func(c Comm) error {
			var sent []Pending
			for i := range packets {
				for to := range n {
					p, err := c.Send(to, i%3, []byte{byte(c.Rank()), byte(i), byte(to)})
					if err != nil {
						return err
					}
					sent = append(sent, p)
				}
			}
			for channel := range 3 {
				last := map[int]int{}
				want := n * ((packets + 2 - channel) / 3)
				for got := 0; got < want; {
					p, ok, err := c.Receive(channel)
					if err != nil {
						return err
					}
					if !ok {
						continue
					}
					got++
					i := int(p.Data[1])
					if int(p.Data[0]) != p.From || int(p.Data[2]) != c.Rank() || i%3 != channel {
						return fmt.Errorf("packet %v from %d on channel %d", p.Data, p.From, channel)
					}
					if before, ok := last[p.From]; ok && i <= before {
						return fmt.Errorf("packet %d after %d from %d", i, before, p.From)
					}
					last[p.From] = i
					p.Free()
				}
			}
			for _, p := range sent {
				if err := p.Wait(); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func TestReduce(t *testing.T) {
	for _, n := range sizes {
		all(t, n, 1, func(c Comm) error {
			// Several under way at once, waited for in another order.
			r := uint64(c.Rank())
			sum, most, bits := []uint64{r, 1}, []uint64{r, 9 - r}, []uint64{1 << r}
			var under []Pending
			for _, x := range []struct {
				op Op
				v  []uint64
			}{{Sum, sum}, {Max, most}, {Or, bits}} {
				p, err := c.Reduce(x.op, x.v)
				if err != nil {
					return err
				}
				under = append(under, p)
			}
			for i := range under {
				if err := under[len(under)-1-i].Wait(); err != nil {
					return err
				}
			}
			last := uint64(n - 1)
			if sum[0] != last*uint64(n)/2 || sum[1] != uint64(n) || most[0] != last || most[1] != 9 || bits[0] != 1<<n-1 {
				return fmt.Errorf("sum %v, max %v, or %v", sum, most, bits)
			}
			return nil
		})
	}
}

func TestGatherAndExchange(t *testing.T) {
	for _, n := range sizes {
		all(t, n, 1, func(c Comm) error {
			var parts []Span // rank r brings r bytes, rank 0 nothing, with gaps between
			for r := range n {
				lo := int64(10 * r)
				parts = append(parts, Span{lo, lo + int64(r)})
			}
			gathered := make([]byte, 10*n)
			for i := parts[c.Rank()].Lo; i < parts[c.Rank()].Hi; i++ {
				gathered[i] = byte(c.Rank())
			}
			if err := c.Gather(gathered, parts); err != nil {
				return err
			}
			for r, p := range parts {
				want := append(bytes.Repeat([]byte{byte(r)}, r), make([]byte, 10-r)...)
				if !bytes.Equal(gathered[p.Lo:p.Lo+10], want) {
					return fmt.Errorf("gathered %v", gathered)
				}
			}
			even := make([]int64, n+1)
			out, in := make([]byte, 2*n), make([]byte, 2*n)
			for r := range n {
				even[r+1] = int64(2 * (r + 1))
				out[2*r], out[2*r+1] = byte(c.Rank()), byte(r)
			}
			if err := c.Exchange(out, even, in, even); err != nil {
				return err
			}
			for r := range n {
				if in[2*r] != byte(r) || in[2*r+1] != byte(c.Rank()) {
					return fmt.Errorf("exchanged %v", in)
				}
			}
			return nil
		})
	}
}

func TestSplitAndShare(t *testing.T) {
	all(t, 7, 3, func(c Comm) error {
		odd, err := c.Split(c.Rank()%2, -c.Rank())
		if err != nil {
			return err
		}
		defer odd.Close()
		if want := (6 - c.Rank()) / 2; odd.Rank() != want || odd.Size() != 4-c.Rank()%2 {
			return fmt.Errorf("rank %d is %d of %d, want %d", c.Rank(), odd.Rank(), odd.Size(), want)
		}
		v := []uint64{uint64(c.Rank())}
		if err := Reduced(odd, Sum, v); err != nil {
			return err
		}
		if want := []uint64{12, 9}[c.Rank()%2]; v[0] != want {
			return fmt.Errorf("sum of the group is %d, want %d", v[0], want)
		}
		mem, err := c.Share(7)
		if err != nil {
			return err
		}
		mem[c.Rank()] = 1
		if err := c.Barrier(); err != nil {
			return err
		}
		for r := range 7 {
			if want := c.Host(r) == c.Host(c.Rank()); (mem[r] == 1) != want {
				return fmt.Errorf("rank %d sees %v", c.Rank(), mem)
			}
		}
		return c.Barrier()
	})
}

func TestTraffic(t *testing.T) {
	all(t, 4, 2, func(c Comm) error {
		all, parts := make([]byte, 40), []Span{{0, 10}, {10, 20}, {20, 30}, {30, 40}}
		if err := c.Gather(all, parts); err != nil {
			return err
		}
		// Three others, two of them on the other host.
		if got, want := c.Traffic(), (Traffic{3, 30, 2, 20}); got != want {
			return fmt.Errorf("traffic %+v, want %+v", got, want)
		}
		before := c.Traffic()
		p, err := c.Send(3, 0, make([]byte, 5))
		if err != nil {
			return err
		}
		want := map[int]Traffic{0: {1, 5, 1, 5}, 1: {1, 5, 1, 5}, 2: {1, 5, 0, 0}}[c.Rank()]
		if got := c.Traffic().Minus(before); got != want {
			return fmt.Errorf("traffic %+v, want %+v", got, want)
		}
		for got := 0; c.Rank() == 3 && got < 4; {
			if packet, ok, _ := c.Receive(0); ok {
				packet.Free()
				got++
			}
		}
		return p.Wait()
	})
}

// Ranks that wait in any operation learn which rank has failed.
func TestFailureIsNamed(t *testing.T) {
	for name, wait := range map[string]func(c Comm) error{
		"barrier": func(c Comm) error { return c.Barrier() },
		"reduce":  func(c Comm) error { return Reduced(c, Sum, []uint64{1}) },
		"gather":  func(c Comm) error { return c.Gather(make([]byte, 3), []Span{{0, 1}, {1, 2}, {2, 3}}) },
		"send": func(c Comm) error {
			p, err := c.Send(1, 0, []byte{1})
			if err != nil {
				return err
			}
			return p.Wait()
		},
		"receive": func(c Comm) error {
			return Await(func() (bool, error) { _, ok, err := c.Receive(5); return ok, err })
		},
	} {
		t.Run(name, func(t *testing.T) {
			broken := errors.New("out of luck")
			errs := everyone(t, 3, 1, func(c Comm) error {
				if c.Rank() == 1 {
					c.Abort(broken)
					return broken
				}
				err := wait(c)
				c.Abort(err) // changes nothing
				return err
			})
			for r, err := range errs {
				f := (*Failure)(nil)
				if r != 1 && (!errors.As(err, &f) || f.Rank != 1 || !errors.Is(err, broken) || !strings.Contains(err.Error(), "rank 1")) {
					t.Errorf("rank %d: %v", r, err)
				}
			}
		})
	}
}

// A rendezvous that all ranks entered succeeds for all, however soon a rank fails afterwards.
func TestRendezvousBeforeAFailureCounts(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	for range rounds {
		all(t, 5, 1, func(c Comm) error {
			v := []uint64{1}
			if err := Reduced(c, Sum, v); err != nil {
				return err
			}
			c.Abort(errors.New("out of luck"))
			return nil
		})
	}
}

func TestImpossible(t *testing.T) {
	for _, x := range [][2]int{{0, 1}, {2, 3}, {2, 0}} {
		if _, err := Local(x[0], x[1]); err == nil {
			t.Errorf("%d ranks on %d hosts", x[0], x[1])
		}
	}
	all(t, 1, 1, func(c Comm) error {
		if _, err := c.Send(0, 0, make([]byte, MaxPacket+1)); err == nil {
			return errors.New("a packet that is too large was sent")
		}
		if err := c.Gather(make([]byte, 4), []Span{{0, 5}}); err == nil {
			return errors.New("a part beyond the end were accepted")
		}
		return nil
	})
	errs := everyone(t, 2, 1, func(c Comm) error {
		return c.Exchange(make([]byte, 2), []int64{0, 1, 2}, make([]byte, 4), []int64{0, 1, 3})
	})
	if errs[0] == nil && errs[1] == nil {
		t.Error("an exchange of which the sides disagree was accepted")
	}
}
