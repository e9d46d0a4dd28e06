package edge

import (
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
	"golang.org/x/sys/cpu"
)

// Vector kernels make 16 edges at once, one in each lane, and follow
// kronecker_edge.go step by step. They differ from it in three points.
//
//   - Words of a state may exceed the modulus a little as long as they fit in 32
//     bits; only the draws are reduced in full.
//   - Remainders are scaled to 45 bits and not to 63, so that the factor fits in
//     the 32 bits of a vector multiplication. That is exact for draws of 31 bits.
//   - They do not reject. A group of edges with a draw below the limit, one in
//     1,800 at scale 20, is left to the serial code.
//
// Two half groups in turn hide the latency of the recurrence in the AVX-512
// kernel: 65 million edges a second in place of 50 on one core of an Emerald
// Rapids at scale 20.
const (
	groupEdges = 16

	unit45 = 1<<45/denominator + 1 // a remainder of 1 in the scaled range
)

// lanes holds the streams of 16 successive edges, word by word.
type lanes [5][groupEdges]uint64

// constants is what a kernel reads; the assembly knows the fields by name.
type constants struct {
	newest, oldest, modulus uint64       // of the recurrence
	stride                  [5][5]uint64 // jump from one group to the next

	scale    uint64
	ones     uint64  // as many as the scale
	topBit   *uint64 // first of the powers of two from 2^(scale-1) down
	limit    uint64  // of rejected draws
	unit     uint64
	fraction uint64 // mask of a scaled remainder
	lastB    uint64 // largest scaled remainder in quadrant B
	lastC    uint64 // … in B or C
	lastA    uint64 // … not in D

	offset, first, second, shift uint64 // the scrambler's

	// Of pairs, by the upper 32 bits of scaled remainders.
	belowC, fromD uint64 // the first that is not in B or C, and the first in D
	belowV        uint64 // those in D or B are less than this from fromD on
	shift32       uint64 // the scrambler's shift of words of 32 bits
}

// A kernel makes groups of edges, and their weights' draws unless that pointer
// is nil, and advances the lanes. It returns the number of groups made, which is
// less than asked for if a draw of the next one was rejected.
type kernel func(c *constants, next *lanes, dst *hops.Edge, draws *uint32, groups int) (done int)

// bulk is a kernel with its constants.
type bulk struct {
	constants
	run kernel
}

// kernels are those that this CPU can run, the fastest first.
var kernels = func() (runnable []kernel) {
	x := &cpu.X86
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ {
		runnable = append(runnable, edgesAVX512)
	}
	if x.HasAVX2 {
		runnable = append(runnable, edgesAVX2)
	}
	return runnable
}()

// havePairs tells whether this CPU can run the kernel of pairs.
var havePairs = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD && cpu.X86.HasAVX512DQ

// newBulk prepares the best kernel, or returns nil if there is none.
func newBulk(k *Kronecker) *bulk {
	if len(kernels) == 0 {
		return nil
	}
	return newBulkWith(kernels[0], k)
}

func newBulkWith(run kernel, k *Kronecker) *bulk {
	b := &bulk{run: run, constants: constants{
		newest: mrg.FactorNewest, oldest: mrg.FactorOldest, modulus: mrg.Modulus,
		scale: uint64(k.scale), ones: 1<<k.scale - 1, limit: uint64(k.limit),
		unit: unit45, fraction: 1<<45 - 1,
		lastB: belowB*unit45 - 1, lastC: belowC*unit45 - 1, lastA: belowA*unit45 - 1,
		offset: k.scramble.offset, first: k.scramble.first, second: k.scramble.second,
		shift: uint64(k.scramble.shift),
	}}
	for r, row := range mrg.Ahead(0, groupEdges, 0) {
		for c := range row {
			b.stride[r][c] = uint64(row[c])
		}
	}
	b.setPairs(k.scale)
	bits := make([]uint64, k.scale)
	for i := range bits {
		bits[i] = 1 << (k.scale - 1 - i)
	}
	b.topBit = &bits[0]
	return b
}

// generate makes edges from the stream of the first one on, in whole groups as
// far as possible.
func (b *bulk) generate(k *Kronecker, dst []hops.Edge, draws []uint32, next mrg.State) {
	made := 0
	for groups := len(dst) / groupEdges; groups > 0; groups-- {
		streams := spread(k, next)
		done := b.run(&b.constants, &streams, &dst[made], unsafe.SliceData(part(draws, made, len(draws))), groups)
		made += done * groupEdges
		next = streams.first()
		if groups -= done; groups == 0 {
			break
		}
		next = k.serial(dst[made:made+groupEdges], part(draws, made, made+groupEdges), next)
		made += groupEdges
	}
	k.serial(dst[made:], part(draws, made, len(draws)), next)
}

// setPairs sets what the kernel of pairs reads.
func (b *bulk) setPairs(scale int) {
	const dropped = 45 - 32
	b.belowC, b.fromD = belowC*unit45>>dropped, belowA*unit45>>dropped
	b.belowV = 1<<32 - b.fromD + belowB*unit45>>dropped
	b.shift32 = uint64(32 - scale)
}

// makesPairs tells whether there is a kernel for pairs with labels of so many bits.
func (b *bulk) makesPairs(scale int) bool { return havePairs && scale < 32 }

// pairs is generate for pairs.
func (b *bulk) pairs(k *Kronecker, dst []uint64, next mrg.State) {
	var edges [groupEdges]hops.Edge
	for len(dst) > 0 {
		if groups := len(dst) / groupEdges; groups > 0 {
			streams := spread(k, next)
			done := pairsAVX512(&b.constants, &streams, &dst[0], groups)
			next, dst = streams.first(), dst[done*groupEdges:]
		}
		some := edges[:min(len(dst), groupEdges)] // a group with a rejected draw, or the last edges
		next = k.serial(some, nil, next)
		for i, e := range some {
			dst[i] = pair(e)
		}
		dst = dst[len(some):]
	}
}

// part returns draws[from:to] if there are draws.
func part(draws []uint32, from, to int) []uint32 {
	if draws == nil {
		return nil
	}
	return draws[from:to]
}

// spread returns the streams of a group that starts with the given one.
func spread(k *Kronecker, stream mrg.State) lanes {
	var l lanes
	for i := range groupEdges {
		for word := range stream {
			l[word][i] = uint64(stream[word])
		}
		stream = k.stride.Apply(&stream)
	}
	return l
}

// first returns the first stream of a group.
func (l *lanes) first() mrg.State {
	var s mrg.State
	for word := range s {
		s[word] = uint32(l[word][0] % mrg.Modulus)
	}
	return s
}

//go:noescape
func edgesAVX512(c *constants, next *lanes, dst *hops.Edge, draws *uint32, groups int) (done int)

//go:noescape
func edgesAVX2(c *constants, next *lanes, dst *hops.Edge, draws *uint32, groups int) (done int)

//go:noescape
func pairsAVX512(c *constants, next *lanes, dst *uint64, groups int) (done int)
