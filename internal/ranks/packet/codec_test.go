package packet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops/internal/ranks/partition"
)

var forms = []string{"raw", "differential", "packed"}

// twoWorkers is a partition of two workers of the given sizes.
func twoWorkers(a, b uint32) *partition.Partition {
	return &partition.Partition{N: uint64(a) + uint64(b), Threads: 1, Cuts: []uint64{0, uint64(a), uint64(a) + uint64(b)}}
}

// Whatever is encoded is decoded, but that the packed form may drop further
// parents for the same vertex.
func TestCodecsKeepEdges(t *testing.T) {
	for _, name := range forms {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				sizes := rapid.SampledFrom([]uint32{1, 2, 100, 1 << 16, 1 << 23, 1<<23 + 1, 1<<24 + 1, 1 << 31})
				sender, receiver := sizes.Draw(t, "sender"), sizes.Draw(t, "receiver")
				p := twoWorkers(sender, receiver)
				if err := Fits(name, p); err != nil {
					if name != "differential" || max(sender, receiver) <= 1<<23 {
						t.Fatal(err)
					}
					return
				} else if name == "differential" && max(sender, receiver) > 1<<23 {
					t.Fatalf("differential edges of %d and %d vertices are not refused", sender, receiver)
				}
				k := Kind(rapid.IntRange(0, 1).Draw(t, "kind"))
				edges := make([]uint64, rapid.IntRange(1, 600).Draw(t, "edges"))
				r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
				for i := range edges {
					edges[i] = uint64(r.Uint32N(receiver))<<32 | uint64(r.Uint32N(sender))
				}
				c := NewCodec(name, p, []bool{true, true}).Clone()
				out := make([]byte, 8*len(edges)) // as in a slot, and nothing beyond
				f, count, size := c.encode(out, slices.Clone(edges), c.choose(len(edges), 1), k, 1)
				got, ok := c.decode(f, out[:size], int(count), nil, Limits{receiver, sender})
				if !ok || len(got) != int(count) {
					t.Fatalf("%d of %d edges, in order: %v", len(got), count, ok)
				}
				checkEdges(t, edges, got, k == Forward && f == packed)
			})
		})
	}
}

func checkEdges(t *rapid.T, want, got []uint64, unique bool) {
	want, got = slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))
	if !unique {
		if !slices.Equal(want, got) {
			t.Fatalf("got %x, want %x", got, want)
		}
		return
	}
	vertices := map[uint64]bool{}
	for _, e := range got {
		if _, ok := slices.BinarySearch(want, e); !ok || vertices[e>>32] {
			t.Fatalf("edge %x was not sent, or its vertex twice", e)
		}
		vertices[e>>32] = true
	}
	for _, e := range want {
		if !vertices[e>>32] {
			t.Fatalf("nothing for the vertex of edge %x", e)
		}
	}
}

// spread has edges to every vertex of a receiver, from three vertices of a sender with as many.
func spread(vertices uint64) (edges []uint64) {
	for v := range vertices {
		edges = append(edges, v<<32|min(v/40*50, vertices-1))
	}
	return edges
}

// A packet that is too long, too short, or has vertices that are not there is refused.
func TestDamagedPackets(t *testing.T) {
	const vertices = 100
	for f := plain; f <= packed; f++ {
		c := NewCodec("packed", twoWorkers(vertices, vertices), []bool{true, true}).Clone()
		out := make([]byte, 8*vertices+1)
		f, count, size := c.encode(out, spread(vertices), f, Forward, 1)
		all := Limits{Receiver: vertices, Sender: vertices}
		if _, ok := c.decode(f, out[:size], int(count), nil, all); !ok {
			t.Fatalf("form %d: not decoded", f)
		}
		for _, wrong := range []struct{ bytes, count int }{{1, 0}, {-1, 0}, {0, -1}, {0, 1}} {
			if _, ok := c.decode(f, out[:size+wrong.bytes], int(count)+wrong.count, nil, all); ok {
				t.Errorf("form %d: decoded with %+v more", f, wrong)
			}
		}
		for _, fewer := range []Limits{{Receiver: vertices - 1, Sender: vertices}, {Receiver: vertices, Sender: vertices - 1}} {
			if edges, ok := c.decode(f, out[:size], int(count), nil, fewer); ok && Exist(edges, fewer) {
				t.Errorf("form %d: edges of %+v exist in %+v", f, all, fewer)
			} else if ok && f == packed {
				t.Errorf("packed edges of %+v were decoded for %+v", all, fewer)
			}
		}
		for bit := range 8 * size {
			damaged := slices.Clone(out[:size])
			damaged[bit/8] ^= 1 << (bit % 8)
			if edges, ok := c.decode(f, damaged, int(count), nil, all); ok && f == packed && !Exist(edges, all) {
				t.Errorf("bit %d: edges that do not exist", bit)
			}
		}
	}
}

func TestExist(t *testing.T) {
	for want, edges := range map[bool][][]uint64{
		true:  {nil, {0}, {9<<32 | 4}, {0, 9<<32 | 4, 3 << 32}},
		false: {{10 << 32}, {5}, {0, 10<<32 | 4}, {9<<32 | 5}, {1<<63 | 1}},
	} {
		for _, e := range edges {
			if got := Exist(e, Limits{Receiver: 10, Sender: 5}); got != want {
				t.Errorf("%x exist: %v", e, got)
			}
		}
	}
}

// No data makes decoding read or write where it should not.
func FuzzDecode(f *testing.F) {
	edges := make([]uint64, 2*fewEdges)
	for i := range edges {
		edges[i] = uint64(i*7)<<32 | uint64(i/3*11)
	}
	c := NewCodec("packed", twoWorkers(1000, 1000), []bool{true, true}).Clone()
	out := make([]byte, 8*len(edges))
	_, count, size := c.encode(out, edges, packed, Forward, 1)
	f.Add(uint8(packed), uint16(count), out[:size])
	f.Add(uint8(differential), uint16(1), []byte{0x80, 1, 2, 3})
	f.Fuzz(func(t *testing.T, form8 uint8, count uint16, data []byte) {
		edges, ok := c.decode(form(form8), data, int(count), nil, Limits{1000, 1000})
		if ok && len(edges) != int(count) {
			t.Errorf("%d edges instead of %d", len(edges), count)
		}
	})
}

// Full packets of a few ranks, and those of hundreds of ranks, whose slots are short.
func BenchmarkCodec(b *testing.B) {
	for _, size := range []struct{ words, vertices int }{{slotWords, 1 << 20}, {leastWords, 1 << 12}} {
		p := twoWorkers(uint32(size.vertices), uint32(size.vertices))
		r := rand.New(rand.NewPCG(3, 4))
		edges := make([]uint64, size.words-headerWords)
		for i := range edges { // eight edges of each sender
			edges[i] = uint64(r.Uint32N(uint32(size.vertices)))<<32 | uint64(i/8*3)
		}
		limits := Limits{uint32(size.vertices), uint32(size.vertices)}
		for _, name := range forms {
			b.Run(fmt.Sprintf("%s/%d", name, len(edges)), func(b *testing.B) {
				c := NewCodec(name, p, []bool{true, true}).Clone()
				out, work, read := make([]byte, 8*len(edges)), make([]uint64, len(edges)), make([]uint64, 0, len(edges))
				size := 0
				b.ReportAllocs()
				for b.Loop() {
					copy(work, edges)
					f, count, n := c.encode(out, work, c.choose(len(edges), 1), Forward, 1)
					if _, ok := c.decode(f, out[:n], int(count), read, limits); !ok {
						b.Fatal("not decoded")
					}
					size = n
				}
				b.ReportMetric(float64(size)/float64(len(edges)), "bytes/edge")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(edges)), "ns/edge")
			})
		}
	}
}
