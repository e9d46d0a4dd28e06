package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/base/bitset"
)

// randomWords have each bit with a probability that differs from word to word, and
// some have none or all.
func randomWords(r *rand.Rand, n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		switch r.IntN(4) {
		case 0:
		case 1:
			words[i] = ^uint64(0)
		case 2:
			words[i] = r.Uint64() & r.Uint64() & r.Uint64()
		default:
			words[i] = r.Uint64() | r.Uint64() | r.Uint64()
		}
	}
	return words
}

// An asked is all that the kernels of searches from many roots write.
type asked struct {
	Now, Missing, Levels []uint64
	Misses               []uint32
	Closed, Fresh        bitset.Set
	Reached              uint64
	Heads, Rows          int64
}

func TestVectorWordsMatchTheReference(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512: there is only the reference")
	}
	g := testGraph(t, 9)
	n := int(g.NumVertices())
	r := rand.New(rand.NewPCG(7, 1))
	for range 60 {
		seen, before, levels := randomWords(r, n), randomWords(r, n), randomWords(r, n)
		closed := randomSet(r, n, r.Float64())
		wanted := randomWords(r, 1)[0]
		keep := -uint64(r.IntN(2))
		lo := r.IntN(n / 64)
		hi := lo + 1 + r.IntN(n/64-lo)
		ask := func(k Kernels) asked {
			a := asked{
				Now: slices.Clone(before), Missing: make([]uint64, n+Slack), Misses: make([]uint32, n+Slack), Levels: slices.Clone(levels),
				Closed: slices.Clone(closed), Fresh: bitset.New(int64(n)),
			}
			h := HeadAsk{
				Closed: &a.Closed[lo], More: &g.Parents.More[lo], Head: &g.Parents.Head[lo*64], Seen: &seen[0], Now: &a.Now[lo*64],
				Misses: &a.Misses[0], Missing: &a.Missing[0], Wanted: wanted, Keep: keep, Words: int64(hi - lo), First: uint64(lo * 64),
			}
			k.AskHeads(&h)
			rows := RowAsk{
				Vertices: &a.Misses[0], Missing: &a.Missing[0], Count: h.Missed,
				Offsets: &g.In.Offsets[0], Neighbors: &g.In.Neighbors[0], Seen: &seen[0], Now: &a.Now[0],
			}
			k.AskRows(&rows)
			s := Comparison{
				Seen: &seen[lo*64], Now: &a.Now[lo*64], Closed: &a.Closed[lo], Fresh: &a.Fresh[lo], Words: int64(hi - lo), Active: wanted,
			}
			k.Compare(&s)
			k.Mark(a.Levels[lo*64:hi*64], a.Now[lo*64:hi*64], seen[lo*64:hi*64])
			a.Misses, a.Missing = a.Misses[:h.Missed], a.Missing[:h.Missed]
			a.Heads, a.Rows, a.Reached = h.Examined, rows.Examined, s.Reached
			return a
		}
		if diff := cmp.Diff(ask(Kernels{}), ask(Kernels{vectors: true})); diff != "" {
			t.Fatalf("words %d–%d, wanted %x: %s", lo, hi, wanted, diff)
		}
	}
}

func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	src := randomWords(r, 100)
	for n := range 50 {
		from := make([]uint32, n)
		for i := range from {
			from[i] = uint32(r.IntN(len(src)))
		}
		for shift := range 9 { // of what is aligned somewhere
			for _, k := range []Kernels{{}, {vectors: haveVectors}} {
				dst := make([]uint64, n+shift)[shift:]
				k.Pick(dst, src, from)
				for i, word := range dst {
					if word != src[from[i]] {
						t.Fatalf("%d words, %d: picked %x, want %x", n, i, word, src[from[i]])
					}
				}
			}
		}
	}
}
