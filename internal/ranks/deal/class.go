package deal

import (
	"math/bits"
	"slices"
)

const (
	// Classes is the number of classes of vertices.
	Classes = 256
	// classSteps is the number of classes for each doubling of a degree.
	classSteps = 8
)

// ClassOf is the logarithm of a degree in eighths. Rows are ordered by it: the
// neighbour of the highest degree, within 9 %, comes first.
func ClassOf(degree uint32) uint8 {
	if degree == 0 {
		return 0
	}
	exponent := bits.Len32(degree) - 1
	fraction := uint64(degree)<<3>>exponent - classSteps
	return uint8(min(exponent*classSteps+int(fraction)+1, Classes-1))
}

// LeastOf is the least degree of a class.
func LeastOf(class int) uint64 {
	if class == 0 {
		return 0
	}
	exponent, fraction := (class-1)/classSteps, (class-1)%classSteps
	return uint64(classSteps+fraction) << exponent / classSteps
}

// A Label names a vertex in a row: in 32 bits while that is enough for all that may
// stand there, and else in 64, of which 56 are used.
type Label interface{ ~uint32 | ~uint64 }

// keyShift is the bit from which a key has the class, falling; below is the label.
const keyShift = 56

func key(label uint64, class uint8) uint64 { return uint64(Classes-1-int(class))<<keyShift | label }

func labelOf(key uint64) uint64 { return key & (1<<keyShift - 1) }

func classOf(key uint64) uint8 { return uint8(Classes - 1 - key>>keyShift) }

// A rowSorter sorts keys; it keeps its scratch space.
type rowSorter struct {
	spare []uint64
	label uint // bits of a label
}

const (
	radixFrom = 256 // the length from which rows are sorted by digits
	digitBits = 10
)

// sort sorts the keys of a row and takes duplicates out.
func (s *rowSorter) sort(keys []uint64) []uint64 {
	if len(keys) < radixFrom {
		slices.Sort(keys)
	} else {
		s.radix(keys)
	}
	return slices.Compact(keys)
}

// radix sorts keys by the digits of the labels, and then by class.
func (s *rowSorter) radix(keys []uint64) {
	s.spare = slices.Grow(s.spare[:0], len(keys))[:len(keys)]
	from, to := keys, s.spare
	for shift := uint(0); shift < s.label; shift += digitBits {
		scatter(from, to, shift)
		from, to = to, from
	}
	scatter(from, to, keyShift)
	copy(keys, to)
}

// scatter puts keys in the order of the digit at shift.
func scatter(from, to []uint64, shift uint) {
	var next [1 << digitBits]int
	for _, k := range from {
		next[k>>shift%(1<<digitBits)]++
	}
	at := 0
	for d, n := range next {
		next[d] = at
		at += n
	}
	for _, k := range from {
		d := k >> shift % (1 << digitBits)
		to[next[d]] = k
		next[d]++
	}
}
