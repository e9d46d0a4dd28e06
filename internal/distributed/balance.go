package distributed

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/rank"
)

// A Balance finds the least and the most of what ranks have done in a level. Its one
// reduction overlaps with that of the sums.
type Balance struct {
	extremes []uint64 // of each number, the most, and the complement of the least
}

// NewBalance makes room for some numbers.
func NewBalance(mem *arena.Arena, numbers int) (b Balance, err error) {
	b.extremes, err = arena.Make[uint64](mem, 2*numbers)
	return b, err
}

// Find starts looking for the extremes of numbers over all ranks.
func (b *Balance) Find(c rank.Comm, numbers ...int64) (rank.Pending, error) {
	for i, n := range numbers {
		b.extremes[2*i], b.extremes[2*i+1] = uint64(n), ^uint64(n)
	}
	return c.Reduce(rank.Max, b.extremes)
}

// Least is the least of a number.
func (b *Balance) Least(number int) int64 { return int64(^b.extremes[2*number+1]) }

// Spread is the spread of a number over so many ranks, by its sum.
func (b *Balance) Spread(number int, sum int64, ranks int) hops.Spread {
	return hops.Spread{Least: b.Least(number), Mean: sum / int64(ranks), Most: int64(b.extremes[2*number])}
}
