package gpu

import (
	"errors"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// RunBelow implements adaptive.Partner. The pass is told of so many words of labels, and of
// no queue: the summary that would be made of one covers all labels. The bitmap that it leaves
// has what was visited before and what this device found; other vertices are the host's.
func (p *Portable) RunBelow(end hops.Vertex) (visited []uint64, done level.Outcome, err error) {
	if p.shared != nil {
		return nil, done, errors.New("gpu: a level cannot be divided in memory that host and device share")
	}
	if p.uncut {
		if err := p.cut(level.Step{Direction: level.BottomUp}); err != nil {
			return nil, done, err
		}
	}
	words := min(uint32(end/32), p.words())
	if words == 0 {
		return nil, done, nil
	}
	from := p.side
	if err := p.dev.copy(p.visited[from.visited^1], 0, p.visited[from.visited], 0, p.bitmapBytes()); err != nil {
		return nil, done, err
	}
	part, rows := *p.state, *p.graph
	part.graph, rows.n = &rows, words*32
	if err := part.stepFull(from, fullArgs{}); err != nil {
		return nil, done, err
	}
	p.side.visited ^= 1
	p.form, p.listed = formBitmap, false
	if err := p.finishHubRows(from, false); err != nil {
		return nil, done, err
	}
	this, _, err := p.counts()
	if err != nil {
		return nil, done, err
	}
	visited = p.staging[0][:(words+1)/2]
	done = level.Outcome{Examined: int64(this.Examined), Bytes: 4 * int64(words)}
	return visited, done, p.dev.read(bytesOf(visited)[:done.Bytes], p.visited[p.side.visited], 0)
}
