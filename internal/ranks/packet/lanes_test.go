package packet

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops/internal/ranks/partition"
	"github.com/gohops/hops/internal/ranks/rank"
)

// outbox is that of a thread of rank me, with little memory.
func outbox(p *partition.Partition, me int) *Outbox {
	lanes := NewLanes(p, me)
	size := Size{Words: 64, Slots: lanes.Count() + Reserve + 1}
	c := NewCodec("raw", p, make([]bool, p.Workers()/p.Threads)).Clone()
	b := NewOutbox(c, p, lanes, size, make([]uint64, size.Total()))
	return &b
}

// A lane leads to the rank of a vertex, or to its thread in the own rank; and a thread
// has one for each other rank and each thread of its own, no matter how many workers.
func TestLanes(t *testing.T) {
	const ranks, threads, n = 5, 3, 1 << 14
	p := partition.Even(n, ranks*threads, threads)
	for me := range ranks {
		lanes := NewLanes(p, me)
		if lanes.Count() != ranks+threads-1 {
			t.Fatalf("%d lanes", lanes.Count())
		}
		for v := range uint64(n) {
			w := p.Owner(v)
			thread, own := lanes.Thread(lanes.Of(v))
			if own != (w/threads == me) || own && thread != w%threads || !own && lanes.Of(v) != w/threads {
				t.Fatalf("rank %d, vertex %d of worker %d: lane %d", me, v, w, lanes.Of(v))
			}
		}
	}
}

// Each edge of a packet comes to the one thread that owns its vertex, and the slot is
// empty again when all threads have read their shares.
func TestDivide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const ranks, n, me = 3, 1 << 13, 1
		threads := rapid.IntRange(1, 5).Draw(t, "threads")
		p := partition.Even(n, ranks*threads, threads)
		first, end := p.Rank(me)
		b := outbox(p, me)
		edges := make([]uint64, rapid.IntRange(0, b.edges()).Draw(t, "edges"))
		for i := range edges {
			edges[i] = rapid.Uint64Range(0, end-first-1).Draw(t, "vertex")<<32 | uint64(i)
		}
		mine := rapid.IntRange(0, threads-1).Draw(t, "mine")
		var all []uint64
		var given []Share
		take := func(thread int, edges []uint64) {
			for _, e := range edges {
				if w := p.Owner(first + e>>32); w != me*threads+thread {
					t.Fatalf("thread %d got an edge for worker %d", thread, w)
				}
			}
			all = append(all, edges...)
		}
		own, ok := b.Divide(edges, 2, mine, first, uint32(end-first), func(thread int, s Share) {
			if s.From != 2 || thread == mine {
				t.Fatalf("thread %d got a share from rank %d", thread, s.From)
			}
			take(thread, s.Edges)
			given = append(given, s)
		})
		if take(mine, own); !ok || !slices.Equal(slices.Sorted(slices.Values(all)), slices.Sorted(slices.Values(edges))) {
			t.Fatalf("divided %x into %x: %v", edges, all, ok)
		}
		for _, s := range given {
			if _ = b.Reclaim(); b.HasRoom(Reserve) {
				t.Fatal("a slot that is still read was taken back")
			}
			s.Release()
		}
		if _ = b.Reclaim(); !b.HasRoom(Reserve) {
			t.Fatal("the slot was not taken back")
		}
		if _, ok := b.Divide([]uint64{(end - first) << 32}, 2, mine, first, uint32(end-first), nil); ok {
			t.Fatal("divided an edge for a vertex of another rank")
		}
	})
}

// A packet for a rank, and one without edges, arrive as they were posted.
func TestPackets(t *testing.T) {
	const ranks, threads, n = 3, 2, 1 << 12
	p := partition.Even(n, ranks*threads, threads)
	from, to := outbox(p, 0), outbox(p, 2)
	first, end := p.Rank(2)
	sender, _ := p.Rank(0)
	row := []uint32{uint32(first), uint32(end - 1), uint32(first) + 7}
	if n := Pack(from, row, 5); n != len(row) {
		t.Fatalf("packed %d", n)
	}
	of := Limits{Receiver: uint32(end - first), Sender: uint32(p.Cuts[threads] - sender)}
	sealed := from.Seal(Forward, 2, 3)
	edges, err := to.Open(rank.Packet{From: 0, Data: sealed.Bytes}, Forward, 3, of)
	want := []uint64{0<<32 | 5, (end-first-1)<<32 | 5, 7<<32 | 5}
	if err != nil || !slices.Equal(edges, want) {
		t.Errorf("got %x, %v", edges, err)
	}
	empty := from.Answer(nil, 2, 3)
	if edges, err := to.Open(rank.Packet{From: 0, Data: empty.Bytes}, Forward, 3, of); err != nil || len(edges) > 0 {
		t.Errorf("got %x, %v from an empty packet", edges, err)
	}
}
