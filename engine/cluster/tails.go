package cluster

import (
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/kernel"
)

const (
	// blockWords is the unit in which a gathered bottom-up level is handed out:
	// 64 words of the bitmaps, 4,096 vertices, 16 KiB of heads.
	blockWords = 64
	blockShift = 12
	// longestTail is how many neighbours after the head a tail holds. A block of
	// them must be indexed by 16 bits.
	longestTail = 15
)

// tails are the neighbours that follow the head of each row, once more and in an
// array of their own, block by block, so that a bottom-up level that looks at
// many of them reads memory nearly in order.
type tails struct {
	entries []uint32
	base    []int64 // where each block starts in entries
	// pos is where the tail of each vertex starts in its block. A block has one
	// more than it has vertices; the entry of v is at v + v>>blockShift.
	pos []uint16
}

// newTails makes the tails of count rows.
func newTails(of rows, count uint32, mem *arena.Arena) (t tails, err error) {
	blocks := (count + 1<<blockShift - 1) >> blockShift
	if t.pos, err = arena.Make[uint16](mem, int(count+blocks)); err != nil {
		return t, err
	}
	t.base = make([]int64, blocks+1)
	for b := range blocks {
		sum, v := 0, b<<blockShift
		for ; v < min((b+1)<<blockShift, count); v++ {
			t.pos[v+b] = uint16(sum)
			sum += len(tail(of.row(v)))
		}
		t.pos[v+b] = uint16(sum)
		t.base[b+1] = t.base[b] + int64(sum)
	}
	if t.entries, err = arena.Make[uint32](mem, int(t.base[blocks])+kernel.Slack); err != nil {
		return t, err
	}
	out := t.entries
	for v := range count {
		out = out[copy(out, tail(of.row(v))):]
	}
	return t, nil
}

// tail is what follows the head of a row, cut off where it gets long.
func tail(row []uint32) []uint32 {
	if len(row) == 0 {
		return nil
	}
	return row[1:min(len(row), 1+longestTail)]
}

// scratch is room for the lists of one block.
type scratch struct {
	vertices, pos, end, hits, long []uint32
}

func newScratch() (s scratch) {
	const room = blockWords*64 + kernel.Slack
	for _, list := range []*[]uint32{&s.vertices, &s.pos, &s.end, &s.hits, &s.long} {
		*list = make([]uint32, room)
	}
	return s
}
