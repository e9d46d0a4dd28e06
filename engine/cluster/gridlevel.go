package cluster

import (
	"context"
	"math/bits"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/level"
)

// single is the team of those who work alone.
var single = par.NewTeam(1, nil)

func (g *grid) Steps() []level.Step { return []level.Step{gridTopDown, gridBottomUp} }

func (g *grid) start(ctx context.Context, t *hops.Tree) { g.ctx, g.tree = ctx, t }

// Seed clears the state of the last search.
func (g *grid) Seed(root hops.Vertex) (level.Front, error) {
	g.in.Clear()
	g.visited.Clear()
	g.assigned.Clear()
	v, sums := uint32(root), g.sums[:2]
	clear(sums)
	if g.parts.owner(v) == g.comm.Rank() {
		g.tree.SetParent(root, root)
	}
	if v-g.first < g.count {
		g.visited.Add(uint64(v - g.first))
		sums[0] = uint64(len(g.byRow.row(v - g.first)))
	}
	if j, number := g.columnNumber(v); j == g.j {
		g.in.Add(uint64(number))
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
	return g.state, nil
}

// Run runs one level.
func (g *grid) Run(s level.Step) (f level.Front, err error) {
	start := time.Now()
	clear(g.tallies)
	if s.Direction == level.TopDown {
		g.out.Clear()
		g.team.Run(g.topDown)
	} else {
		g.team.Run(g.bottomUp)
	}
	explored := time.Since(start)
	if err := g.combine(s.Direction == level.TopDown); err != nil {
		return f, err
	}
	clear(g.sums)
	for t := range g.tallies {
		g.sums[sumExamined] += uint64(g.tallies[t].examined)
		g.sums[sumFound] += uint64(g.tallies[t].found)
		g.sums[sumEdges] += uint64(g.tallies[t].edges)
	}
	sent := g.comm.Traffic().Minus(g.traffic)
	g.traffic = g.comm.Traffic()
	g.sums[sumPackets], g.sums[sumBytes], g.sums[sumHostBytes] = uint64(sent.Messages), uint64(sent.Bytes), uint64(sent.HostBytes)
	g.sums[sumBusy], g.sums[sumGathering] = uint64(explored), uint64(time.Since(start)-explored)
	if g.ctx.Err() != nil {
		g.sums[sumStop] = 1
	}
	if err := rank.Reduced(g.comm, rank.Sum, g.sums); err != nil {
		return f, err
	}
	if g.sums[sumStop] > 0 {
		return f, agreed(stopped(g.ctx, 1))
	}
	g.state = g.next()
	return g.state, nil
}

// next is the frontier that the sums of all ranks describe.
func (g *grid) next() level.Front {
	f := level.Front{
		Size: int64(g.n), Vertices: int64(g.sums[sumFound]), Edges: int64(g.sums[sumEdges]),
		Examined: int64(g.sums[sumExamined]), Bytes: int64(g.sums[sumBytes]), Messages: int64(g.sums[sumPackets]),
		Depth: g.state.Depth + 1,
	}
	ranks := int64(g.comm.Size())
	f.Exchange = &hops.Exchange{
		Packets: f.Messages, HostBytes: int64(g.sums[sumHostBytes]),
		Computing: time.Duration(int64(g.sums[sumBusy]) / ranks), Gathering: time.Duration(int64(g.sums[sumGathering]) / ranks),
	}
	f.Unvisited = g.state.Unvisited - f.Vertices
	f.Remaining = max(g.state.Remaining-f.Edges, f.Unvisited)
	f.Work = [level.Directions]int64{f.Edges, f.Remaining, f.Remaining}
	return f
}

// topDown follows the edges of the frontier of the column. Threads may find the
// same vertex.
func (g *grid) topDown(t int) {
	c := &g.tallies[t]
	lo, hi := par.Split(int64(len(g.in)), 64, t, g.team.Size())
	for i := lo; i < hi; i++ {
		for word := g.in[i] & g.byColumn.full[i]; word != 0; word &= word - 1 {
			u := uint32(i)<<6 + uint32(bits.TrailingZeros64(word))
			row := g.byColumn.row(u)
			c.examined += int64(len(row))
			for _, v := range row {
				if !g.visited.Has(uint64(v)) && g.out.Or(uint64(v)) {
					g.marks[v] = u
				}
			}
		}
	}
}

// bottomUp looks for a parent of every unvisited vertex of the row in the
// frontier of the column.
func (g *grid) bottomUp(t int) {
	c := &g.tallies[t]
	lo, hi := par.Split(int64(len(g.out)), 64, t, g.team.Size())
	for i := lo; i < hi; i++ {
		found := uint64(0)
		for open := g.byRow.full[i] &^ g.visited[i]; open != 0; open &= open - 1 {
			bit := uint32(bits.TrailingZeros64(open))
			k := g.byRow.place(uint32(i), bit)
			u := g.byRow.heads[k]
			c.examined++
			if !g.in.Has(uint64(u)) {
				rest := g.byRow.entries[g.byRow.offsets[k]+1 : g.byRow.offsets[k+1]]
				at := g.kernels.ScanRow(rest, &g.in[0])
				if at < 0 {
					c.examined += int64(len(rest))
					continue
				}
				c.examined += int64(at) + 1
				u = rest[at]
			}
			g.marks[uint32(i)<<6+bit] = u
			found |= 1 << bit
		}
		g.out[i] = found
	}
}

// combine is all that follows the exploration of a level.
func (g *grid) combine(lists bool) error {
	lists = lists && g.opts.Bitmaps != "dense"
	if err := g.wires[0].gather(g.row, g.outs, g.outParts, lists); err != nil {
		return err
	}
	g.settleRow()
	if g.opts.Predecessors == "level" {
		if err := g.sendPredecessors(); err != nil {
			return err
		}
	}
	mine := g.inParts[g.i]
	piece, _ := g.parts.words(g.comm.Rank())
	from := piece - int64(bitset.Words(int64(g.first)))
	copy(g.in[mine.Lo/8:mine.Hi/8], g.found()[from:])
	lists = g.opts.Bitmaps != "dense" && int64(g.tallies[0].found) <= 64*(mine.Hi-mine.Lo)/8/sparseBelow
	return g.transposeFrontier(lists)
}

// transposeFrontier gathers along the column. Whether as lists, all ranks of it
// must agree.
func (g *grid) transposeFrontier(lists bool) error {
	vote := g.sums[:1]
	if vote[0] = 0; !lists {
		vote[0] = 1
	}
	if err := rank.Reduced(g.column, rank.Max, vote); err != nil {
		return err
	}
	return g.wires[1].gather(g.column, g.in, g.inParts, vote[0] == 0)
}

// found is where settleRow leaves what the row has found: in the last part.
func (g *grid) found() bitset.Set { return g.outs[g.outParts[g.columns-1].Lo/8:] }

// settleRow computes from what all ranks of the row have found which of it falls
// to this one, and all of it, and counts that: the vertices of its own piece, and
// the entries of a sample that it has.
func (g *grid) settleRow() {
	words := len(g.visited)
	lo, hi := g.parts.words(g.comm.Rank())
	base := int64(bitset.Words(int64(g.first)))
	c := &g.tallies[0]
	for i := range words {
		prefix, all := uint64(0), uint64(0)
		for j := range g.columns {
			if j == g.j {
				prefix = all
			}
			all |= g.outs[j*words+i]
		}
		if all == 0 {
			continue
		}
		g.assigned[i] |= g.outs[g.j*words+i] &^ prefix
		g.visited[i] |= all
		if int64(i) >= lo-base && int64(i) < hi-base {
			c.found += int64(bits.OnesCount64(all))
		}
		if i%sampleEvery == 0 || words < 64*sampleEvery {
			g.sample(uint32(i), all, words)
		}
	}
	for i := range words {
		for j := range g.columns - 1 {
			g.outs[(g.columns-1)*words+i] |= g.outs[j*words+i]
		}
	}
}

// sample adds the entries of some vertices that were found.
func (g *grid) sample(word uint32, found uint64, words int) {
	times := int64(sampleEvery)
	if words < 64*sampleEvery {
		times = 1
	}
	for ; found != 0; found &= found - 1 {
		v := word<<6 + uint32(bits.TrailingZeros64(found))
		g.tallies[0].edges += times * int64(len(g.byRow.row(v)))
	}
}

// sendPredecessors tells the owners of the row the parents that this rank has
// found for their vertices.
func (g *grid) sendPredecessors() error {
	out, cuts := g.predecessors[:0], make([]int64, g.columns+1)
	base := int64(bitset.Words(int64(g.first)))
	for j := range g.columns {
		lo, hi := g.parts.words(g.i*g.columns + j)
		for i := lo - base; i < hi-base; i++ {
			for word := g.assigned[i]; word != 0; word &= word - 1 {
				v := uint32(i)<<6 + uint32(bits.TrailingZeros64(word))
				label := g.label(g.marks[v])
				if j == g.j {
					g.tree.SetParent(hops.Vertex(g.first+v), hops.Vertex(label))
				} else {
					out = append(out, uint64(g.first+v)<<32|uint64(label))
				}
			}
			g.assigned[i] = 0
		}
		cuts[j+1] = int64(len(out))
	}
	g.predecessors = out
	if err := g.sending.exchange(out, cuts); err != nil {
		return err
	}
	return g.takePredecessors()
}

func (g *grid) takePredecessors() error {
	first, end := g.parts.rank(g.comm.Rank())
	for j := range g.columns {
		for _, x := range g.sending.from(j, 0) {
			v, u := uint32(x>>32), uint32(x)
			if v < first || v >= end || u >= g.parts.n {
				return &malformed{g.i*g.columns + j, "a parent for a vertex of another rank"}
			}
			g.tree.SetParent(hops.Vertex(v), hops.Vertex(u))
		}
	}
	return nil
}

func (g *grid) settle() error { return g.sendPredecessors() }

func (g *grid) close() {
	if g.sending != nil {
		g.sending.free()
	}
	_ = g.row.Close()
	_ = g.column.Close()
}
