package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// batchTuples is how many tuples are looked at between two exchanges. A hundred
// thousand questions are some hundred kilobytes for each of a few ranks: enough
// to forget the latency, and little beside the tree.
const batchTuples = 1 << 16

// An asker asks the owners of vertices about them.
type asker struct {
	group  Ranks
	owners []owner // of at least one vertex, ascending
	n      hops.Vertex
	team   *par.Team

	labels []hops.Vertex // room for a batch of questions
	whose  []uint16      // by question: the owner
	order  []uint32      // by question: its place in what goes out
	counts []int64       // of worker w for owner o, at w*len(owners)+o
	cuts   [2][]int64    // of what goes out and of what comes in
	boxes  [4][]uint64   // questions out and in, answers out and in
}

func newAsker(ranks Ranks, owners []owner, team *par.Team) *asker {
	a := &asker{group: ranks, owners: owners, team: team}
	if len(owners) > 0 {
		a.n = owners[len(owners)-1].end
	}
	a.counts = make([]int64, team.Size()*len(owners))
	for i := range a.cuts {
		a.cuts[i] = make([]int64, ranks.Size()+1)
	}
	return a
}

// An owner is a rank and the vertices whose parents it has.
type owner struct {
	first, end hops.Vertex
	rank       int
}

// agreeOnOwners tells the ranks about each other's parts, which must make up the
// tree of one root.
func agreeOnOwners(ranks Ranks, t *hops.Tree, n hops.Vertex) ([]owner, error) {
	size := ranks.Size()
	told := make([]uint64, 3*size)
	me := told[3*ranks.Rank():]
	me[0], me[1], me[2] = uint64(t.First), uint64(t.Len()), uint64(t.Root)
	if err := ranks.Sum(told); err != nil {
		return nil, err
	}
	owners := make([]owner, size)
	for r := range owners {
		first := hops.Vertex(told[3*r])
		owners[r] = owner{first, first + hops.Vertex(told[3*r+1]), r}
		if told[3*r+2] != told[2] {
			return nil, fmt.Errorf("check: rank %d has a tree of root %d, rank 0 one of %d", r, told[3*r+2], told[2])
		}
	}
	if size > math.MaxUint16 {
		return nil, fmt.Errorf("check: %d ranks: want at most %d", size, math.MaxUint16)
	}
	owners = slices.DeleteFunc(owners, func(o owner) bool { return o.first == o.end })
	slices.SortFunc(owners, func(a, b owner) int { return cmp.Compare(a.first, b.first) })
	next := hops.Vertex(0)
	for _, o := range owners {
		if o.first != next {
			return nil, fmt.Errorf("check: rank %d has the vertices from %d on, those before end at %d", o.rank, o.first, next)
		}
		next = o.end
	}
	if next != n {
		return nil, fmt.Errorf("check: the parts of the tree end at %d, the graph has %d vertices", next, n)
	}
	return owners, nil
}

// few owners are looked through one by one.
const few = 8

// ownerOf finds who has a vertex, which must be one.
func (a *asker) ownerOf(v hops.Vertex) int {
	lo, hi := 0, len(a.owners)-1
	for hi-lo >= few {
		if mid := (lo + hi) / 2; v < a.owners[mid].end {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	for v >= a.owners[lo].end {
		lo++
	}
	return lo
}

// inBatches calls f for all of n own things, a batch at a time, and as often on
// every rank: those that are done first take part with nothing.
func (p *partTrial) inBatches(n int, f func(lo, hi int) error) error {
	rounds := []uint64{uint64((n + p.batch - 1) / p.batch)}
	if err := p.ranks.Max(rounds); err != nil {
		return err
	}
	for round := range int(rounds[0]) {
		if err := p.ctx.Err(); err != nil {
			return fmt.Errorf("check: %w", err)
		}
		lo := min(n, round*p.batch)
		if err := f(lo, min(n, lo+p.batch)); err != nil {
			return err
		}
	}
	return nil
}

// An answer is what a vertex is asked for.
type answer interface{ uint32 | uint64 }

// ask asks the owner of every label, and answers what this rank is asked about its
// own vertex i. The result is valid until the next call.
func ask[T answer](a *asker, labels []hops.Vertex, reply func(i uint32) T) ([]T, error) {
	outCuts := a.deal(labels)
	out := room[uint32](&a.boxes[0], len(labels))
	a.each(len(labels), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			out[a.order[i]] = uint32(labels[i] - a.owners[a.whose[i]].first)
		}
	})
	in, inCuts, err := pass[uint32](a, &a.boxes[1], out, outCuts)
	if err != nil {
		return nil, err
	}
	replies := room[T](&a.boxes[2], len(in))
	a.each(len(in), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			replies[i] = reply(in[i])
		}
	})
	heard := room[T](&a.boxes[3], len(labels))
	size := int64(unsafe.Sizeof(*new(T)))
	if err := a.group.Exchange(raw(replies), scaled(inCuts, size), raw(heard), scaled(outCuts, size)); err != nil {
		return nil, err
	}
	// In the order of the questions; the replies have been sent.
	answers := room[T](&a.boxes[2], len(labels))
	a.each(len(labels), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			answers[i] = heard[a.order[i]]
		}
	})
	return answers, nil
}

// tell sends every owner what it should know about its vertices: pairs of the
// vertex's place in its part and something about it. It returns what this rank
// is told.
func (a *asker) tell(labels []hops.Vertex, about []uint64) ([]uint64, error) {
	cuts := a.deal(labels)
	out := room[uint64](&a.boxes[0], 2*len(labels))
	a.each(len(labels), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			place := a.order[i]
			out[2*place], out[2*place+1] = uint64(labels[i]-a.owners[a.whose[i]].first), about[i]
		}
	})
	in, _, err := pass[uint64](a, &a.boxes[1], out, scaled(cuts, 2))
	return in, err
}

// each has the team go over n things.
func (a *asker) each(n int, f func(lo, hi int64)) {
	a.team.For(int64(n), vertexGrain, func(_ int, lo, hi int64) { f(lo, hi) })
}

// deal sorts labels by owner: it notes whose each one is and its place, and returns
// where the places of each rank begin. Workers have ranges of labels, so that the
// order of one owner's is that of the labels.
func (a *asker) deal(labels []hops.Vertex) []int64 {
	a.whose, a.order = grow(a.whose, len(labels)), grow(a.order, len(labels))
	workers := a.team.Size()
	clear(a.counts)
	mine := func(w int) (counts []int64, lo, hi int64) {
		lo, hi = par.Split(int64(len(labels)), 1, w, workers)
		return a.counts[w*len(a.owners):][:len(a.owners)], lo, hi
	}
	a.team.Run(func(w int) {
		counts, lo, hi := mine(w)
		for i := lo; i < hi; i++ {
			o := a.ownerOf(labels[i])
			a.whose[i] = uint16(o)
			counts[o]++
		}
	})
	cuts := a.placeParts()
	a.team.Run(func(w int) {
		next, lo, hi := mine(w)
		for i := lo; i < hi; i++ {
			o := a.whose[i]
			a.order[i] = uint32(next[o])
			next[o]++
		}
	})
	return cuts
}

// placeParts turns the counts into where each worker's labels of each owner begin,
// the owners being in the order of their ranks.
func (a *asker) placeParts() (cuts []int64) {
	cuts = a.cuts[0]
	next := int64(0)
	for r := range a.group.Size() {
		cuts[r] = next
		o := slices.IndexFunc(a.owners, func(o owner) bool { return o.rank == r })
		for i := o; o >= 0 && i < len(a.counts); i += len(a.owners) {
			a.counts[i], next = next, next+a.counts[i]
		}
	}
	cuts[a.group.Size()] = next
	return cuts
}

// pass exchanges numbers of which only the sender knows how many there are.
func pass[T answer](a *asker, box *[]uint64, out []T, outCuts []int64) (in []T, inCuts []int64, err error) {
	size := a.group.Size()
	announced, counts, even := make([]uint64, size), make([]uint64, size), make([]int64, size+1)
	for r := range size {
		announced[r] = uint64(outCuts[r+1] - outCuts[r])
		even[r+1] = int64(8 * (r + 1))
	}
	if err := a.group.Exchange(raw(announced), even, raw(counts), even); err != nil {
		return nil, nil, err
	}
	inCuts = a.cuts[1]
	for r := range size {
		inCuts[r+1] = inCuts[r] + int64(counts[r])
	}
	in = room[T](box, int(inCuts[size]))
	bytes := int64(unsafe.Sizeof(*new(T)))
	return in, inCuts, a.group.Exchange(raw(out), scaled(outCuts, bytes), raw(in), scaled(inCuts, bytes))
}

func scaled(cuts []int64, by int64) []int64 {
	s := make([]int64, len(cuts))
	for i, c := range cuts {
		s[i] = c * by
	}
	return s
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// room returns memory for n numbers in a box, which grows as needed.
func room[T answer](box *[]uint64, n int) []T {
	*box = grow(*box, (n*int(unsafe.Sizeof(*new(T)))+7)/8)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(*box))), n)
}

// raw is the memory of numbers.
func raw[T answer](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}
