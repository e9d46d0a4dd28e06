package twin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A collective is one that ranks have entered, each at its time and with a contribution.
// The last rank completes it: it moves the data, and finds out when each rank is done.
type collective struct {
	group         *group
	contributions []any
	times         []int64 // at which the ranks have entered, and then are done
	entered       int
	complete      bool
	held          []bool // ranks that wait for nothing else
}

// enter takes part in the next collective of the group.
func (c *comm) enter(contribution any, finish func(*collective)) (*collective, error) {
	if err := c.takeTurn(); err != nil {
		return nil, err
	}
	g, n := c.group, c.Size()
	op := g.under[c.entered]
	if op == nil {
		op = &collective{group: g, contributions: make([]any, n), times: make([]int64, n), held: make([]bool, n)}
		g.under[c.entered] = op
	}
	if op.entered++; op.entered == n {
		delete(g.under, c.entered)
	}
	c.entered++
	clear(c.polled)
	op.contributions[c.rank], op.times[c.rank] = contribution, c.now
	if op.entered < n {
		return op, nil
	}
	finish(op)
	op.complete = true
	for r, m := range g.members {
		if !op.held[r] {
			m.happens(op.times[r])
		}
	}
	g.world.mu.Lock()
	defer g.world.mu.Unlock()
	for r, m := range g.members {
		if op.held[r] {
			g.world.release(m.process, op.times[r])
		}
	}
	return op, nil
}

// hold returns when a collective is complete for this rank.
func (c *comm) hold(op *collective) error {
	if !op.complete {
		if err := c.wait(func() { op.held[c.rank] = true }); err != nil {
			return err
		}
	}
	c.now = max(c.now, op.times[c.rank])
	clear(c.polled)
	return nil
}

// together enters a collective and waits until it is complete.
func (c *comm) together(contribution any, finish func(*collective)) (*collective, error) {
	op, err := c.enter(contribution, finish)
	if err != nil {
		return nil, err
	}
	return op, c.hold(op)
}

func (c *comm) Barrier() error {
	_, err := c.together(nil, func(op *collective) { op.combine(0) })
	return err
}

// combine is the time of a reduction: in hardware, or by dissemination, in which every
// rank hears of twice as many others in each round.
func (op *collective) combine(bytes float64) {
	w, n := op.group.world, len(op.times)
	if m := &w.network.machine; m.Combine > 0 && n > 1 && n == len(w.ranks) {
		last := slices.Max(op.times) + picoseconds(m.Combine) + int64(bytes*1e12/m.Link)
		for r := range op.times {
			op.times[r] = last
		}
		return
	}
	for step := 1; step < n; step *= 2 {
		op.round(step, func(int) float64 { return bytes })
	}
}

// round lets every rank send to the one some steps further, and wait for what it is sent.
func (op *collective) round(step int, bytes func(from int) float64) {
	n := len(op.times)
	next := slices.Clone(op.times)
	for r, start := range op.times {
		to := (r + step) % n
		size := bytes(r)
		if size < 0 {
			continue
		}
		left, arrived := op.group.world.network.send(op.group.members[r].id, op.group.members[to].id, size, start)
		next[r], next[to] = max(next[r], left), max(next[to], arrived)
	}
	op.times = next
}

// A reduction is one rank's part in a collective that reduces.
type reduction struct {
	comm *comm
	op   *collective
	into []uint64
	done bool
}

func (c *comm) Reduce(op rank.Op, v []uint64) (rank.Pending, error) {
	c.meter.Reduce(c, len(v))
	all, err := c.enter(slices.Clone(v), func(all *collective) {
		sum := all.contributions[0].([]uint64)
		for _, other := range all.contributions[1:] {
			op.Combine(sum, other.([]uint64))
		}
		all.combine(float64(8*len(v)) / c.world.grain)
	})
	return &reduction{comm: c, op: all, into: v}, err
}

func (r *reduction) Done() (bool, error) {
	if r.done {
		return true, nil
	}
	if err := r.comm.takeTurn(); err != nil {
		return false, err
	}
	if !r.op.complete || r.op.times[r.comm.rank] > r.comm.now {
		return false, r.comm.inVain(r)
	}
	r.take()
	return true, nil
}

func (r *reduction) Wait() error {
	if r.done {
		return nil
	}
	// Whether it is complete is known when it is this rank's turn.
	if err := r.comm.takeTurn(); err != nil {
		return err
	}
	if err := r.comm.hold(r.op); err != nil {
		return err
	}
	r.take()
	return nil
}

func (r *reduction) take() {
	copy(r.into, r.op.contributions[0].([]uint64))
	r.done = true
	clear(r.comm.polled)
}

// ringFrom is the size in bytes from which MPI libraries gather in a ring, and below
// which they double what every rank has in each round: Thakur and Gropp, as Cui et al.
// quote them.
const ringFrom = 512 << 10

func (c *comm) Gather(all []byte, parts []rank.Span) error {
	if err := rank.CheckSpans(parts, c.Size(), len(all)); err != nil {
		return err
	}
	c.meter.Gather(c, parts)
	_, err := c.together(all, func(op *collective) {
		total := 0.0
		for r, p := range parts {
			total += float64(p.Size())
			op.spread(r, p)
		}
		n := c.Size()
		if total*c.world.grain >= ringFrom {
			for k := range n - 1 { // each passes on what it received last
				op.round(1, func(from int) float64 { return float64(parts[(from-k+n)%n].Size()) })
			}
			return
		}
		for step := 1; step < n; step *= 2 {
			op.round(step, func(int) float64 { return total * float64(min(step, n-step)) / float64(n) })
		}
	})
	return err
}

// spread copies the part of one rank to all others.
func (op *collective) spread(r int, p rank.Span) {
	from := op.contributions[r].([]byte)
	for other := range op.contributions {
		to := op.contributions[other].([]byte)
		if other != r && p.Size() > 0 && &from[p.Lo] != &to[p.Lo] {
			copy(to[p.Lo:p.Hi], from[p.Lo:p.Hi])
		}
	}
}

// An offer is a rank's contribution to an exchange.
type offer struct {
	out, in         []byte
	outCuts, inCuts []int64
}

func (c *comm) Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error {
	if err := rank.CheckCuts(out, outCuts, in, inCuts, c.Size()); err != nil {
		return err
	}
	c.meter.Exchange(c, outCuts)
	c.overhead(float64(outCuts[c.Size()] - outCuts[0]))
	var wrong error
	_, err := c.together(offer{out, in, outCuts, inCuts}, func(op *collective) {
		n := c.Size()
		for step := range n { // pairwise: first with itself, then with the next, …
			op.round(step, func(from int) float64 {
				to := (from + step) % n
				a, b := op.contributions[from].(offer), op.contributions[to].(offer)
				part := a.out[a.outCuts[to]:a.outCuts[to+1]]
				if room := b.inCuts[from+1] - b.inCuts[from]; int64(len(part)) != room {
					wrong = fmt.Errorf("twin: rank %d sends %d bytes to rank %d, which expects %d", from, len(part), to, room)
				}
				copy(b.in[b.inCuts[from]:], part)
				return cmp.Or(float64(len(part)), -1)
			})
		}
	})
	if wrong != nil {
		c.Abort(wrong)
		return wrong
	}
	c.overhead(float64(inCuts[c.Size()] - inCuts[0]))
	return err
}

// A joiner is a rank's contribution to a split.
type joiner struct {
	color, key int
	comm       *comm
	joined     *comm
}

func (c *comm) Split(color, key int) (rank.Comm, error) {
	me := &joiner{color: color, key: key, comm: c}
	_, err := c.together(me, func(op *collective) {
		byColor := map[int][]*joiner{}
		for _, x := range op.contributions {
			j := x.(*joiner)
			byColor[j.color] = append(byColor[j.color], j)
		}
		for _, members := range byColor {
			slices.SortStableFunc(members, func(a, b *joiner) int { return cmp.Compare(a.key, b.key) })
			var processes []*process
			var hosts []int
			for _, j := range members {
				processes, hosts = append(processes, j.comm.process), append(hosts, c.group.hosts[j.comm.rank])
			}
			for i, joined := range newGroup(c.world, processes, hosts).members {
				members[i].joined = joined
			}
		}
	})
	return me.joined, err
}

func (c *comm) Share(size int64) ([]byte, error) {
	op, err := c.together(nil, func(op *collective) {
		byHost := map[int][]byte{}
		for r, host := range op.group.hosts {
			if byHost[host] == nil {
				byHost[host] = arena.Bytes(make([]uint64, (size+7)/8))
			}
			op.contributions[r] = byHost[host][:size]
		}
	})
	if err != nil {
		return nil, err
	}
	return op.contributions[c.rank].([]byte), nil
}
