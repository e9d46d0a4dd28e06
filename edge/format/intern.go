package format

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"sync"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// Text names get a number each, the same whatever the number of workers and the
// size of blocks: vertex 0 is the name that comes first in the file.
//
//  1. A worker that has parsed a block hashes its names and sorts them by shard,
//     which is the top bits of the hash.
//  2. Shard by shard, it locks the shard and looks the names up: one lock for
//     some hundred names. A shard is a hash table over one array of bytes; it
//     numbers names as they come and keeps where in the file each one is first.
//     Edges are stored with these numbers.
//  3. At the end names are sorted by where they are first, numbered again, and
//     edges renumbered.
//
// Each name is kept once. No name is ever a Go string of its own.

const (
	shardBits = 8
	shards    = 1 << shardBits
)

// An occurrence is a name in a block that is being parsed.
type occurrence struct {
	hash uint64
	text []byte
}

// An interner numbers text names.
type interner struct {
	seed   maphash.Seed
	shards [shards]shard
}

func newInterner() *interner { return &interner{seed: maphash.MakeSeed()} }

// A shard holds the names whose hashes begin with the same bits.
type shard struct {
	mu      sync.Mutex
	slots   []slot
	entries []entry
	bytes   []byte
	final   []uint32 // vertices of the names, in the end
	_       [64]byte // shards are locked by different workers
}

// A slot is free if it is 0. Else its lower half is the number of a name and one
// more, and its upper half that of the hash, so that hardly another name is ever
// looked at: 1½ slots are, on average, in a table that is half full.
type slot uint64

func slotOf(hash uint64, number int) slot { return slot(hash&^math.MaxUint32) | slot(number+1) }

func (s slot) number() uint32 { return uint32(s) - 1 }

func (s slot) may(hash uint64) bool { return (uint64(s)^hash)>>32 == 0 }

// An entry is one name.
type entry struct {
	hash  uint64
	start uint64 // of its bytes in the shard; it ends where the next one starts
	first position
}

// A position is where a name stands in the file: the block in the upper 32 bits,
// the number of the name in the block in the lower.
type position uint64

func positionOf(block int64, i int) position { return position(block)<<32 | position(uint32(i)) }

// hash prepares a name for intern.
func (in *interner) hash(name []byte) occurrence {
	return occurrence{maphash.Bytes(in.seed, name), name}
}

// has tells whether a name has been seen.
func (in *interner) has(name string) bool {
	hash := maphash.String(in.seed, name)
	s := &in.shards[hash>>(64-shardBits)]
	if len(s.slots) == 0 {
		return false
	}
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if at := s.slots[i]; at.may(hash) && string(s.name(at.number())) == name {
			return true
		}
	}
	return false
}

// intern turns the names of a block, two for each edge, into edges.
func (in *interner) intern(out *batch) {
	order := &out.order
	order.sort(out.names)
	out.edges = slices.Grow(out.edges[:0], len(out.names)/2)[:len(out.names)/2]
	for k := range shards {
		k = (k + 67*out.worker) % shards // workers start at different shards
		run := order.run(k)
		if len(run) == 0 {
			continue
		}
		s := &in.shards[k]
		s.mu.Lock()
		first := order.firstSlots(s, out.names, run)
		for j, i := range run {
			number := s.number(out.names[i], first[j], positionOf(out.block, int(i)))
			id := hops.Vertex(number)<<shardBits | hops.Vertex(k)
			if e := &out.edges[i/2]; i%2 == 0 {
				e.U = id
			} else {
				e.V = id
			}
		}
		s.mu.Unlock()
	}
}

// shardOrder is the names of a block sorted by shard.
type shardOrder struct {
	ends  [shards + 1]uint32 // run k is what lies between ends k and k+1
	index []uint32
	first []slot // of the names of one run
}

func (o *shardOrder) sort(names []occurrence) {
	clear(o.ends[:])
	for i := range names {
		o.ends[names[i].hash>>(64-shardBits)]++
	}
	sum := uint32(0)
	for k := range shards {
		sum, o.ends[k] = sum+o.ends[k], sum
	}
	o.index = slices.Grow(o.index[:0], len(names))[:len(names)]
	for i := range names {
		k := names[i].hash >> (64 - shardBits)
		o.index[o.ends[k]] = uint32(i)
		o.ends[k]++
	}
}

// run returns the names of shard k: filling has moved each start to the next.
func (o *shardOrder) run(k int) []uint32 {
	start := uint32(0)
	if k > 0 {
		start = o.ends[k-1]
	}
	return o.index[start:o.ends[k]]
}

// firstSlots makes room for the names of a run and returns what is in the first
// slot of each. None of these reads waits for another, as those of the texts do.
func (o *shardOrder) firstSlots(s *shard, names []occurrence, run []uint32) []slot {
	for 2*(len(s.entries)+len(run)) > len(s.slots) {
		s.grow()
	}
	o.first = slices.Grow(o.first[:0], len(run))[:len(run)]
	mask := uint64(len(s.slots) - 1)
	for j, i := range run {
		o.first[j] = s.slots[names[i].hash&mask]
	}
	return o.first
}

// number returns the number of a name in the shard. Its first slot is given as
// it was a moment ago.
func (s *shard) number(n occurrence, first slot, where position) uint32 {
	if first != 0 && first.may(n.hash) && s.is(first, n, where) {
		return first.number()
	}
	mask := uint64(len(s.slots) - 1)
	for i := n.hash & mask; ; i = (i + 1) & mask {
		at := s.slots[i]
		if at == 0 {
			s.slots[i] = slotOf(n.hash, len(s.entries))
			s.entries = append(s.entries, entry{n.hash, uint64(len(s.bytes)), where})
			s.bytes = append(s.bytes, n.text...)
			return uint32(len(s.entries)) - 1
		}
		if at.may(n.hash) && s.is(at, n, where) {
			return at.number()
		}
	}
}

// is tells whether the name in a slot is the given one, which has been seen.
func (s *shard) is(at slot, n occurrence, where position) bool {
	if string(s.name(at.number())) != string(n.text) {
		return false
	}
	e := &s.entries[at.number()]
	e.first = min(e.first, where)
	return true
}

func (s *shard) name(i uint32) []byte {
	end := uint64(len(s.bytes))
	if int(i)+1 < len(s.entries) {
		end = s.entries[i+1].start
	}
	return s.bytes[s.entries[i].start:end]
}

func (s *shard) grow() {
	s.slots = make([]slot, max(16, 2*len(s.slots)))
	mask := uint64(len(s.slots) - 1)
	for number := range s.entries {
		i := s.entries[number].hash & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = slotOf(s.entries[number].hash, number)
	}
}

// A seen name is one that is being put in order.
type seen struct {
	first position
	id    uint64 // number and shard
}

// finish numbers the names in the order of the file and the ends of edges with
// them.
func (in *interner) finish(l *list, team *par.Team) (*graph.Names, error) {
	order := in.inOrder(team)
	if uint64(len(order)) >= hops.NarrowLimit {
		return nil, errTooMany
	}
	bytes := 0
	for k := range in.shards {
		s := &in.shards[k]
		s.final = make([]uint32, len(s.entries))
		s.slots = nil
		bytes += len(s.bytes)
	}
	text, ends := make([]byte, 0, bytes), make([]uint64, len(order))
	for v, x := range order {
		s := &in.shards[x.id%shards]
		text = append(text, s.name(uint32(x.id>>shardBits))...)
		ends[v] = uint64(len(text))
		s.final[x.id>>shardBits] = uint32(v)
	}
	l.each(team, func(s *segment) {
		s.replaceEnds(func(id uint64) uint32 { return in.shards[id%shards].final[id>>shardBits] })
	})
	l.vertices = hops.Vertex(len(order))
	return graph.TextNames(text, ends)
}

// inOrder returns all names by where they are first. Names of one stretch of
// blocks are brought together, and then sorted by themselves.
func (in *interner) inOrder(team *par.Team) []seen {
	const stretches = 1 << 10
	var latest position
	total := 0
	for k := range in.shards {
		total += len(in.shards[k].entries)
		for i := range in.shards[k].entries {
			latest = max(latest, in.shards[k].entries[i].first)
		}
	}
	width := latest/stretches + 1
	var ends [stretches + 1]int
	in.each(func(x seen) { ends[x.first/width+1]++ })
	for i := range stretches {
		ends[i+1] += ends[i]
	}
	order, next := make([]seen, total), ends
	in.each(func(x seen) {
		i := x.first / width
		order[next[i]] = x
		next[i]++
	})
	team.For(stretches, 1, func(_ int, i, _ int64) {
		slices.SortFunc(order[ends[i]:ends[i+1]], func(a, b seen) int { return cmp.Compare(a.first, b.first) })
	})
	return order
}

func (in *interner) each(use func(seen)) {
	for k := range in.shards {
		for i, e := range in.shards[k].entries {
			use(seen{e.first, uint64(i)<<shardBits | uint64(k)})
		}
	}
}
