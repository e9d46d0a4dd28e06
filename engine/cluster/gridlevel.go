package cluster

import (
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/level"
)

// single is the team of those who work alone.
var single = par.NewTeam(1, nil)

func (g *grid) Steps() []level.Step { return []level.Step{gridTopDown, gridBottomUp} }

func (g *grid) start(ctx context.Context, t *hops.Tree) {
	g.ctx, g.tree = ctx, t
	if g.ownsAll() {
		g.shares[0].marks = t.Narrow[hops.Vertex(g.first)-t.First:][:g.count]
	}
}

// prepare makes room for searches.
func (g *grid) prepare() (err error) {
	if err := g.makeRoom(); err != nil {
		return err
	}
	g.phases.topDown, g.phases.bottomUp = g.topDownBand, g.bottomUpBand
	g.phases.admit, g.phases.settle = g.admitBand, g.settleBand
	g.sending = newExchanger(&Rank{comm: g.row, team: single})
	if g.opts.Device != nil {
		if err := g.lend(); err != nil {
			return fmt.Errorf("cluster: rank %d: %w", g.comm.Rank(), err)
		}
	}
	sums := g.sums[:2]
	sums[0], sums[1] = uint64(g.total.connected), uint64(g.total.entries)
	if err := rank.Reduced(g.comm, rank.Sum, sums); err != nil {
		return err
	}
	g.total.connected, g.total.entries = int64(sums[0]), int64(sums[1])
	return nil
}

func (g *grid) makeRoom() (err error) {
	words := len(g.byRow.full)
	for _, set := range []*bitset.Set{&g.in, &g.next} {
		if *set, err = g.common(g.column, g.together.column, bitset.Words(int64(g.n))); err != nil {
			return err
		}
	}
	for pass := range g.out {
		if g.out[pass], err = g.common(g.row, g.together.row, words*g.columns); err != nil {
			return err
		}
	}
	if err := g.makeShares(words); err != nil {
		return err
	}
	if g.visited, err = arena.Make[uint64](&g.mem, words); err != nil {
		return err
	}
	if !g.together.row {
		if g.wires.row, err = newWire(&g.mem, words*g.columns, g.columns); err != nil {
			return err
		}
	}
	if !g.together.column {
		if g.wires.column, err = newWire(&g.mem, int(g.columnStart[g.rows]), g.rows); err != nil {
			return err
		}
	}
	g.sums, err = arena.Make[uint64](&g.mem, sumCount)
	return err
}

// common is memory that the ranks of a group have in common if they are together.
func (g *grid) common(of rank.Comm, together bool, words int) ([]uint64, error) {
	if !together {
		return arena.Make[uint64](&g.mem, words)
	}
	mem, err := g.shareAs(of.Rank() == 0, of, 8*int64(words))
	if err != nil {
		return nil, err
	}
	return arena.View[uint64](mem), nil
}

// makeShares makes room for what each rank of the row finds, as far as it can be
// seen from here.
func (g *grid) makeShares(words int) error {
	g.shares = make([]share, g.columns)
	first, end := g.j, g.j+1
	if g.together.row {
		first, end = 0, g.columns
	}
	each := words
	if !g.ownsAll() {
		each += 32 * words // a parent for each vertex
	}
	all, err := g.common(g.row, g.together.row, each*(end-first))
	if err != nil {
		return err
	}
	for j := first; j < end; j++ {
		mine := all[(j-first)*each:][:each]
		g.shares[j] = share{assigned: mine[:words], marks: arena.View[uint32](arena.Bytes(mine[words:]))}
	}
	return nil
}

// ownsAll tells whether this rank owns all vertices that it finds, and writes their
// parents where they belong.
func (g *grid) ownsAll() bool { return g.columns == 1 && g.opts.Device == nil }

func (g *grid) marks() []uint32 { return g.shares[g.j].marks }

// mine is this rank's part of what the row has found in a pass.
func (g *grid) mine(pass int) bitset.Set { return g.part(pass, g.j) }

func (g *grid) part(pass, j int) bitset.Set {
	words := len(g.visited)
	return g.out[pass][j*words:][:words]
}

// Seed clears the state of the last search.
func (g *grid) Seed(root hops.Vertex) (level.Front, error) {
	piece := g.inParts[g.i]
	g.in[piece.Lo/8 : piece.Hi/8].Clear()
	g.visited.Clear()
	g.shares[g.j].assigned.Clear()
	g.gathered = false
	v, sums := uint32(root), g.sums[:2]
	clear(sums)
	if g.parts.owner(v) == g.comm.Rank() {
		g.tree.SetParent(root, root)
		g.in.Add(uint64(v))
	}
	if v-g.first < g.count {
		g.visited.Add(uint64(v - g.first))
		sums[0] = uint64(len(g.byRow.row(v - g.first)))
	}
	if g.ctx.Err() != nil {
		sums[1] = 1
	}
	if err := rank.Reduced(g.comm, rank.Sum, sums); err != nil {
		return g.state, err
	}
	if sums[1] > 0 {
		return g.state, agreed(stopped(g.ctx, 1))
	}
	g.traffic = g.comm.Traffic()
	edges := int64(sums[0])
	g.state = level.Front{
		Size: int64(g.n), Vertices: 1, Edges: edges,
		Unvisited: g.total.connected - min(edges, 1), Remaining: g.total.entries - edges,
	}
	g.estimate(&g.state)
	return g.state, nil
}

// Run runs one level.
func (g *grid) Run(s level.Step) (f level.Front, done level.Outcome, err error) {
	start := time.Now()
	g.waiting = 0
	for t := range g.bands {
		g.bands[t].tally = tally{}
	}
	if err := g.gatherColumn(); err != nil {
		return f, done, err
	}
	if err := g.explore(s); err != nil {
		return f, done, err
	}
	g.team.Run(g.phases.settle)
	g.in, g.next, g.gathered = g.next, g.in, false
	if g.opts.Predecessors == "level" {
		if err := g.sendPredecessors(); err != nil {
			return f, done, err
		}
	}
	g.addUp(start)
	if err := rank.Reduced(g.comm, rank.Sum, g.sums); err != nil {
		return f, done, err
	}
	if g.sums[sumStop] > 0 {
		return f, done, agreed(stopped(g.ctx, 1))
	}
	g.state = g.nextFront()
	return g.state, g.outcome(), nil
}

// explore finds the next frontier of the row and lets the row know.
func (g *grid) explore(s level.Step) error {
	d := level.BottomUp
	if s.Name == gridTopDown.Name {
		d = level.TopDown
	}
	g.pass, g.two = 0, d == level.BottomUp && g.asksTwice()
	most := g.state.Unvisited
	if d == level.TopDown {
		most = g.state.Edges
	}
	if err := g.explorePass(d); err != nil {
		return err
	}
	if err := g.gatherRow(most); err != nil || !g.two {
		return err
	}
	g.team.Run(g.phases.admit)
	g.pass = 1
	if err := g.explorePass(d); err != nil {
		return err
	}
	return g.gatherRow(most)
}

func (g *grid) explorePass(d level.Direction) error {
	switch {
	case g.explorer != nil:
		return g.exploreAway(d)
	case d == level.TopDown:
		g.team.Run(g.phases.topDown)
	default:
		g.team.Run(g.phases.bottomUp)
	}
	return nil
}

// asksTwice tells whether most vertices will find a parent where they look first.
func (g *grid) asksTwice() bool {
	return g.columns > 1 && g.state.Edges > g.state.Remaining/asksTwiceAbove
}

// asksTwiceAbove: a level has two passes if more than one in so many of the
// remaining edges lead to the frontier.
const asksTwiceAbove = 8

// addUp adds up what the threads of this rank have counted.
func (g *grid) addUp(start time.Time) {
	clear(g.sums)
	for t := range g.bands {
		c := &g.bands[t].tally
		g.sums[sumExamined] += uint64(c.examined)
		g.sums[sumFound] += uint64(c.found)
		g.sums[sumEdges] += uint64(c.edges)
	}
	now := g.comm.Traffic()
	sent := now.Minus(g.traffic)
	g.traffic = now
	g.sums[sumPackets], g.sums[sumBytes], g.sums[sumHostBytes] = uint64(sent.Messages), uint64(sent.Bytes), uint64(sent.HostBytes)
	g.sums[sumBusy], g.sums[sumGathering] = uint64(time.Since(start)-g.waiting), uint64(g.waiting)
	if g.ctx.Err() != nil {
		g.sums[sumStop] = 1
	}
}

// nextFront is the frontier that the sums of all ranks describe.
func (g *grid) nextFront() level.Front {
	f := level.Front{
		Size: int64(g.n), Vertices: int64(g.sums[sumFound]), Edges: int64(g.sums[sumEdges]),
	}
	f.Unvisited = g.state.Unvisited - f.Vertices
	f.Remaining = remaining(&f, g.state.Remaining-f.Edges)
	g.estimate(&f)
	return f
}

// outcome is what the level did, by the sums of all ranks.
func (g *grid) outcome() level.Outcome {
	ranks, packets := int64(g.comm.Size()), int64(g.sums[sumPackets])
	return level.Outcome{
		Examined: int64(g.sums[sumExamined]), Bytes: int64(g.sums[sumBytes]), Messages: packets,
		Exchange: &hops.Exchange{
			Packets: packets, HostBytes: int64(g.sums[sumHostBytes]),
			Computing: time.Duration(int64(g.sums[sumBusy]) / ranks), Gathering: time.Duration(int64(g.sums[sumGathering]) / ranks),
		},
	}
}

// estimate predicts the row entries that each direction would examine next.
func (g *grid) estimate(f *level.Front) {
	f.Work = [level.Directions]int64{f.Edges, f.Remaining, f.Remaining}
}

func (g *grid) close() {
	if g.sending != nil {
		g.sending.free()
	}
	if g.explorer != nil {
		_ = g.explorer.Close()
	}
	for _, c := range []rank.Comm{g.row, g.column} {
		if c != nil {
			_ = c.Close()
		}
	}
}
