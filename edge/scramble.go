package edge

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/mrg"
)

// A scrambler renames the vertices of [0, 2^scale) one to one, to hide the
// pattern that a recursive generator leaves in its labels: two rounds of an odd
// multiplication and a reversal of the low scale bits.
type scrambler struct {
	offset uint64
	first  uint64 // odd
	second uint64 // odd
	shift  uint   // 64 - scale
}

// newScrambler draws its keys from a stream of the seed that no edge reaches.
func newScrambler(seed mrg.State, scale int) scrambler {
	seed.Skip(50, 7, 0)
	key := func() uint64 {
		high := uint64(seed.Next())
		return high*0xFFFFFFFF + uint64(seed.Next())
	}
	key0, key1 := key(), key()
	return scrambler{
		offset: key0 + key1,
		first:  key0 | 0x4519840211493211,
		second: key1 | 0x3050852102C843A5,
		shift:  uint(64 - scale),
	}
}

func (s *scrambler) vertex(v uint64) hops.Vertex {
	v = bits.Reverse64((v+s.offset)*s.first) >> (s.shift & 63)
	return hops.Vertex(bits.Reverse64(v*s.second) >> (s.shift & 63))
}
