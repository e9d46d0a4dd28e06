package format

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// oddities are what a reader does with lines that people may not expect. Each is counted, and
// the first is shown.
type oddities struct {
	comments int64  // lines that were left out as comments
	comment  string // the first
	rounded  int64  // integer weights that 32-bit floating point does not hold
	weight   string // the first, and what it became
}

// add counts those of a later part of the file.
func (o *oddities) add(later oddities) {
	if o.comments == 0 {
		o.comment = later.comment
	}
	if o.rounded == 0 {
		o.weight = later.weight
	}
	o.comments += later.comments
	o.rounded += later.rounded
}

// leftOut notes a comment.
func (o *oddities) leftOut(line []byte) {
	if o.comments++; o.comments == 1 {
		o.comment = quoted(trimBlanks(line))
	}
}

// exactIntegers is the number up to which 32-bit floating point holds all integers.
const exactIntegers = 1 << 24

// taken notes a weight if it is an integer that it is not the value of. The field is how the
// weight is written.
func (o *oddities) taken(field []byte, weight float32) {
	if weight < exactIntegers && weight > -exactIntegers {
		return
	}
	if whole, length := number(field); length == len(field) {
		if bits.Len64(whole)-bits.TrailingZeros64(whole) <= bits.Len(exactIntegers-1) {
			return
		}
	} else if x, err := strconv.ParseFloat(string(field), 64); err != nil || !isRounded(x, weight) || bytes.ContainsAny(field, "eE") {
		return // an exponent is the notation of what is not exact
	}
	o.roundedTo(string(field), weight)
}

// takenNumber is taken for the weights of binary files.
func (o *oddities) takenNumber(x float64, weight float32) {
	if isRounded(x, weight) {
		o.roundedTo(strconv.FormatFloat(x, 'f', -1, 64), weight)
	}
}

func isRounded(x float64, weight float32) bool {
	return float64(weight) != x && math.Trunc(x) == x
}

func (o *oddities) roundedTo(field string, weight float32) {
	if o.rounded++; o.rounded == 1 {
		o.weight = field + " is " + strconv.FormatFloat(float64(weight), 'f', 0, 64)
	}
}

// notes says what is odd in a list, in the order of the file.
func (l *list) notes(opts *Options) (all []string) {
	o := l.head
	for i := range l.segments {
		o.add(l.segments[i].oddities)
	}
	if o.comments > 0 {
		all = append(all, fmt.Sprintf("comments left out: %d, the first is %s; --comment none reads them", o.comments, o.comment))
	}
	if o.rounded > 0 && !opts.DropWeights {
		all = append(all, fmt.Sprintf("weights rounded to 32-bit floating point, which holds integers up to 16777216: %d, the first, %s", o.rounded, o.weight))
	}
	return all
}
