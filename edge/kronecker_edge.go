package edge

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
)

// How edge i is made.
//
//  1. Its own random stream: the seed advanced by i·2⁶⁴ steps. Along a block of
//     edges that is one constant jump from each edge to the next.
//
//  2. For every level, from the most significant bit down, a draw modulo 10,000
//     picks one quadrant of the matrix, and with it a bit of each end:
//
//     remainder       quadrant  bits of U, V
//     0 …  1899       B         0 1
//     1900 …  3799    C         1 0
//     3800 …  9499    A         0 0
//     9500 …  9999    D         1 1
//
//  3. Clip and flip: where the two labels first differ, V gets the 1, so that all
//     edges lie above the diagonal.
//
//  4. Both labels are scrambled.
//
// The reference divides, branches on the quadrant and decides about flipping at
// every level. None of these is needed. With c = ⌈2⁶³/10000⌉ the low 63 bits of
// c·r are the remainder scaled to that range, up to an error that is smaller than
// c (Lemire, Kaser and Kurz 2019), so it is compared with scaled bounds: the sign
// of a difference. The signs are shifted into one word for each bound, from which
// the labels follow by a few operations on whole words; and flipping is one
// exchange of the highest bit that differs, done once at the end.
const (
	denominator = 10_000
	belowB      = 1_900
	belowC      = 3_800
	belowA      = 9_500

	sign = 1 << 63
	unit = sign/denominator + 1 // a remainder of 1 in the scaled range
)

// generate makes the edges off, off+1, … and, unless draws is nil, the draw that
// follows each of them in its stream: that of its weight.
func (k *Kronecker) generate(dst []hops.Edge, draws []uint32, off int64) {
	if len(dst) == 0 {
		return
	}
	first := k.seed
	first.Skip(0, uint64(off), 0)
	if k.bulk != nil {
		k.bulk.generate(k, dst, draws, first)
	} else {
		k.serial(dst, draws, first)
	}
}

// makesPairs tells whether pairs can be made without edges.
func (k *Kronecker) makesPairs() bool { return k.bulk != nil && k.bulk.makesPairs(k.scale) }

// pairs makes the edges off, off+1, … as pairs.
func (k *Kronecker) pairs(dst []uint64, off int64) {
	first := k.seed
	first.Skip(0, uint64(off), 0)
	k.bulk.pairs(k, dst, first)
}

// serial makes edges one by one, the first of them from the given stream, and
// returns the stream of the edge that follows the last.
func (k *Kronecker) serial(dst []hops.Edge, draws []uint32, next mrg.State) mrg.State {
	for i := range dst {
		stream := next
		dst[i] = k.edge(&stream)
		if draws != nil {
			draws[i] = stream.Next()
		}
		next = k.stride.Apply(&next)
	}
	return next
}

// edge makes one edge from its stream.
func (k *Kronecker) edge(stream *mrg.State) hops.Edge {
	var inB, inBC, notD uint64
	z1, z2, z3, z4, z5 := uint64(stream[0]), uint64(stream[1]), uint64(stream[2]), uint64(stream[3]), uint64(stream[4])
	for level := k.scale; level > 0; {
		x := mrg.FactorNewest*z1 + mrg.FactorOldest*z5
		x = x&mrg.Modulus + x>>31
		draw := min(uint32(x), uint32(x)-mrg.Modulus)
		z1, z2, z3, z4, z5 = uint64(draw), z1, z2, z3, z4
		if draw < k.limit {
			continue
		}
		scaled := uint64(draw) * unit &^ sign
		inB += inB + (scaled-belowB*unit)>>63
		inBC += inBC + (scaled-belowC*unit)>>63
		notD += notD + (scaled-belowA*unit)>>63
		level--
	}
	*stream = mrg.State{uint32(z1), uint32(z2), uint32(z3), uint32(z4), uint32(z5)}
	return k.join(inB, inBC, notD)
}

// join makes the labels of the quadrants: one bit a level in each word, set
// where the draw fell into B, into B or C, and anywhere but into D.
func (k *Kronecker) join(inB, inBC, notD uint64) hops.Edge {
	inD := notD ^ (1<<k.scale - 1)
	u := inBC&^inB | inD
	v := inB | inD
	if u > v {
		flip := uint64(1) << (bits.Len64(u^v) - 1)
		u, v = u^flip, v^flip
	}
	return hops.Edge{U: k.scramble.vertex(u), V: k.scramble.vertex(v)}
}
