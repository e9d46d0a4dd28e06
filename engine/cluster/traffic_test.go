package cluster

import (
	"errors"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/packet"
	"github.com/gohops/hops/internal/ranks/rank"
)

func kronecker(t testing.TB, scale int) hops.Source {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func mustBuild(t testing.TB, src hops.Source, o Options) *distributed.Searcher {
	t.Helper()
	s, err := distributed.Build(t.Context(), src, o.layout(), o.engine())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// newTree is a tree for all ranks.
func newTree(s *distributed.Searcher) *hops.Tree {
	t, _ := s.NewTree() // which cannot fail
	return t
}

// machineOf is the machine of a rank.
func machineOf(s *distributed.Searcher, rank int) *machine[uint32] {
	return s.Ranks[rank].Machine.(*machine[uint32])
}

// gathered is the traffic of one gathering of the frontier, all ranks together.
func gathered(t *testing.T, o Options) (sum rank.Traffic) {
	t.Helper()
	o.Exchange, o.Threads, o.Bitmaps = "allgather", 1, "dense"
	s := mustBuild(t, kronecker(t, 12), o)
	tree := newTree(s)
	if _, err := s.Search(t.Context(), 3, tree); err != nil {
		t.Fatal(err)
	}
	before := make([]rank.Traffic, len(s.Ranks))
	err := s.Together(func(r int) error {
		m := machineOf(s, r)
		before[r] = m.Comm.Traffic()
		m.frontier.gathered, m.frontier.hasBitmap = false, true
		return m.gather()
	})
	if err != nil {
		t.Fatal(err)
	}
	for r := range s.Ranks {
		sent := s.Ranks[r].Comm.Traffic().Minus(before[r])
		sum.Bytes += sent.Bytes
		sum.HostBytes += sent.HostBytes
	}
	return sum
}

// The formulas (1) and (2) of Cui et al., to the byte.
func TestGatheredBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("counts the same in any build")
	}
	size := int64(8 * bitset.Words(1<<12))
	for _, x := range []struct{ ranks, hosts int }{{8, 2}, {6, 3}, {7, 2}, {4, 4}} {
		o := Options{Ranks: x.ranks, Hosts: x.hosts, Gather: "per-rank"}
		if got, want := gathered(t, o).Bytes, size*int64(x.ranks-1); got != want {
			t.Errorf("plain, %d ranks: %d bytes, formula (1) says %d", x.ranks, got, want)
		}
		o.Gather = ""
		if got, want := gathered(t, o), size*int64(x.hosts-1); got.Bytes != want || got.HostBytes != want {
			t.Errorf("shared, %d ranks on %d hosts: %+v, formula (2) says %d bytes", x.ranks, x.hosts, got, want)
		}
		// The leader collects, the leaders gather, and each tells its host.
		o.Gather = "leader"
		if got, want := gathered(t, o).HostBytes, size*int64(x.hosts-1); got != want {
			t.Errorf("leader, %d hosts: %d bytes between hosts, want %d", x.hosts, got, want)
		}
	}
	plain := gathered(t, Options{Ranks: 8, Hosts: 2, Gather: "per-rank"})
	shared := gathered(t, Options{Ranks: 8, Hosts: 2})
	if 4*shared.Bytes > plain.Bytes {
		t.Errorf("shared moves %d bytes, more than a quarter of %d", shared.Bytes, plain.Bytes)
	}
	all, in := gathered(t, Options{Ranks: 8, Hosts: 2, Gather: "share-all"}), gathered(t, Options{Ranks: 8, Hosts: 2, Gather: "share-in-queue"})
	if all.HostBytes != shared.HostBytes || in.HostBytes != shared.HostBytes {
		t.Errorf("%d and %d bytes between hosts, want %d whatever is shared", all.HostBytes, in.HostBytes, shared.HostBytes)
	}
	if parts := in.Bytes - all.Bytes; parts <= 0 || parts >= all.HostBytes {
		t.Errorf("collecting the parts of hosts moves %d bytes, want some of %d", parts, all.HostBytes)
	}
}

// Direction and heavy vertices save messages: at least 20 times fewer than plain
// top-down.
func TestMessagesSaved(t *testing.T) {
	if testing.Short() {
		t.Skip("counts the same in any build")
	}
	src := kronecker(t, 13)
	messages := func(o Options) (sum int64) {
		o.Ranks, o.Threads = 4, 1
		s := mustBuild(t, src, o)
		tree := newTree(s)
		for root := hops.Vertex(1); root < 60; root += 13 {
			tree.Reset()
			trace, err := s.Search(t.Context(), root, tree)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range trace.Levels {
				sum += l.Messages
			}
		}
		return sum
	}
	all := messages(Options{Exchange: "messages", Light: true})
	if some := messages(Options{Exchange: "probe"}); 20*some > all {
		t.Errorf("%d messages by probes, %d plain", some, all)
	}
	if few := messages(Options{Exchange: "allgather"}); 20*few > all {
		t.Errorf("%d messages beside gathered bitmaps, %d plain", few, all)
	}
}

// Packed edges take less than 3 bytes in the levels that have most of them.
func TestBytesPerEdge(t *testing.T) {
	if testing.Short() {
		t.Skip("counts the same in any build")
	}
	s := mustBuild(t, kronecker(t, 16), Options{Ranks: 4, Threads: 1, Exchange: "messages", Encoding: "packed", Light: true})
	tree := newTree(s)
	trace, err := s.Search(t.Context(), 1, tree)
	if err != nil {
		t.Fatal(err)
	}
	var most *hops.Exchange
	for _, l := range trace.Levels {
		if most == nil || l.Exchange.Forward > most.Forward {
			most = l.Exchange
		}
	}
	if perEdge := float64(most.Encoded) / float64(most.Forward); perEdge >= 3 || most.Forward < 1000 {
		t.Errorf("%.2f bytes for each of %d edges", perEdge, most.Forward)
	}
}

// tampering is a Comm that changes packets on their way.
type tampering struct {
	rank.Comm
	change func(p []byte) []byte
}

func (c tampering) Send(to, channel int, p []byte) (rank.Pending, error) {
	if to != c.Rank() && c.Rank() == 1 {
		p = c.change(p)
	}
	return c.Comm.Send(to, channel, p)
}

// Malformed packets are errors that name the sender, whatever is wrong.
func TestMalformedPackets(t *testing.T) {
	for name, change := range map[string]func(p []byte) []byte{
		"empty":     func(p []byte) []byte { return p[:0] },
		"short":     func(p []byte) []byte { return p[:len(p)-1] },
		"long":      func(p []byte) []byte { return append(p[:len(p):len(p)], 0) },
		"count":     func(p []byte) []byte { p[4]++; return p },
		"level":     func(p []byte) []byte { p[0] ^= 0x40; return p },
		"kind":      func(p []byte) []byte { p[6] ^= 1; return p },
		"encoding":  func(p []byte) []byte { p[7] = 77; return p },
		"vertex":    func(p []byte) []byte { p[packet.HeaderSize+2] = 0xff; return p },
		"ownVertex": func(p []byte) []byte { p[packet.HeaderSize+5] = 0xff; return p },
	} {
		t.Run(name, func(t *testing.T) {
			s := mustBuild(t, kronecker(t, 10), Options{Ranks: 3, Threads: 1, Exchange: "messages", Encoding: "raw"})
			for r := range s.Ranks {
				a := machineOf(s, r).delivery.(*asynchronous[uint32])
				a.mail = tampering{a.mail, change}
			}
			var err error
			for root := hops.Vertex(0); root < 30 && err == nil; root++ { // some are isolated
				_, err = s.Search(t.Context(), root, newTree(s))
			}
			bad := (*packet.Malformed)(nil)
			if !errors.As(err, &bad) || bad.From != 1 || !strings.Contains(err.Error(), "from rank 1") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// What all ranks hold together while the graph is built is not much more than
// one process holds.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("counts the same in any build")
	}
	src := kronecker(t, 18)
	one := mustBuild(t, src, Options{Ranks: 1, Threads: 1})
	_, alone := one.Memory()
	for _, ranks := range []int{2, 4, 16} {
		_, peak := mustBuild(t, src, Options{Ranks: ranks, Threads: 1}).Memory()
		if float64(peak) > 1.15*float64(alone) {
			t.Errorf("%d ranks need %d bytes together, one needs %d", ranks, peak, alone)
		}
	}
}

// With memory for a single packet all workers wait for each other all the time, and
// read meanwhile.
func TestFewPackets(t *testing.T) {
	src := kronecker(t, 10)
	for _, o := range []Options{
		{Ranks: 3, Threads: 1, Exchange: "messages"},
		{Ranks: 3, Threads: 1, Exchange: "probe"},
		{Ranks: 2, Threads: 3, Exchange: "messages"},
		{Ranks: 2, Threads: 3, Exchange: "probe"},
	} {
		o.Light = true
		s := mustBuild(t, src, o)
		for r := range s.Ranks {
			a := machineOf(s, r).delivery.(*asynchronous[uint32])
			slots := a.lanes.Count() + packet.Reserve + 1
			if err := a.layOutboxes(a.boxes[0].Codec, packet.Size{Words: 16, Slots: slots}); err != nil {
				t.Fatal(err)
			}
		}
		tree := newTree(s)
		for root := hops.Vertex(0); root < 4; root++ {
			tree.Reset()
			if _, err := s.Search(t.Context(), root, tree); err != nil {
				t.Fatal(err)
			}
			validate(t, s, src, tree)
		}
	}
}

// In bulk every row is read twice, to count its edges and to list them, and a vertex
// probes all of its neighbours in one pass.
func TestBulkReadsRowsTwice(t *testing.T) {
	examined := func(o Options) (sum, probes int64) {
		o.Ranks, o.Threads, o.Light = 3, 1, true
		s := mustBuild(t, kronecker(t, 10), o)
		trace, err := s.Search(t.Context(), 3, newTree(s))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range trace.Levels {
			sum += l.Examined
			probes += l.Exchange.Probes
		}
		return sum, probes
	}
	once, _ := examined(Options{Exchange: "messages"})
	twice, _ := examined(Options{Exchange: "messages", Sync: "bulk"})
	if once == 0 || twice != 2*once {
		t.Errorf("bulk examined %d entries, want twice %d", twice, once)
	}
	_, staggered := examined(Options{Exchange: "probe"})
	_, all := examined(Options{Exchange: "probe", Sync: "bulk"})
	if staggered == 0 || all <= staggered {
		t.Errorf("bulk sent %d probes, staggered ones were %d: want more", all, staggered)
	}
}

// The need of wide labels counts the four bytes more of every entry, and holds what
// their construction takes.
func TestNeedOfWideLabels(t *testing.T) {
	src := kronecker(t, 12)
	n, m := src.NumVertices(), src.NumEdges()
	narrow, wide := Options{Ranks: 3, Threads: 1}, Options{Ranks: 3, Threads: 1, Labels: "wide"}
	if more := wide.Need(n, m) - narrow.Need(n, m); more < 4*2*m {
		t.Errorf("%d bytes more for %d entries", more, 2*m)
	}
	s := mustBuild(t, src, wide)
	if finished, peak := s.Memory(); peak > wide.Need(n, m) || finished > wide.NeedFinished(n, m) {
		t.Errorf("%d and %d bytes, %d and %d were expected", peak, finished, wide.Need(n, m), wide.NeedFinished(n, m))
	}
	tree := newTree(s)
	if _, err := s.Search(t.Context(), 1, tree); err != nil || tree.Wide == nil {
		t.Errorf("%v; the tree is not wide: %t", err, tree.Wide == nil)
	}
	validate(t, s, src, tree)
}

// Graphs of fewer edges than vertices take what their counts take and, when they are built,
// bits for most vertices.
func TestNeedOfSparseGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("counts the same in any build")
	}
	const scale = 18
	for _, m := range []int64{1 << 10, 1 << (scale - 5), 1 << (scale - 1), 1 << (scale + 1)} {
		src, err := edge.NewKroneckerOf(scale, m, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, ranks := range []int{1, 2, 16} {
			o := Options{Ranks: ranks, Threads: 1, Labels: "wide"}
			s := mustBuild(t, src, o)
			if _, err := s.Search(t.Context(), 1, newTree(s)); err != nil {
				t.Fatal(err)
			}
			// The rest of what is granted to ranks and pages would hide that too little was counted.
			spare := o.layout().Need(1) + slack - int64(ranks)<<16
			finished, peak := s.Memory()
			if need, needFinished := o.Need(1<<scale, m)-spare, o.NeedFinished(1<<scale, m)-spare; peak > need || finished > needFinished {
				t.Errorf("%d edges, %d ranks: %d and %d bytes, %d and %d were expected", m, ranks, peak, finished, need, needFinished)
			}
		}
	}
	o := Options{Ranks: 16, Threads: 1}
	if need, after := o.Need(1<<33, 1<<28), o.NeedFinished(1<<33, 1<<28); need > 100<<30 || after > 32<<30 {
		t.Errorf("%d and %d bytes for 2^33 vertices and 2^28 edges", need, after)
	}
}
