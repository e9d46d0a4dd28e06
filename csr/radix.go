package csr

import "math/bits"

// sort returns entries in the order of their ranks, with their weights if there are any.
func (d *dealer) sort(from entries) (words []uint64, weights []float32) {
	width := bits.Len(uint(d.b.n - 1))
	passes := max((width+digitBits-1)/digitBits, 1)
	width = (width + passes - 1) / passes
	d.countDigits(from.ranks, passes, width)
	d.firstPass(from, width)
	now := 0
	for p := 1; p < passes; p++ {
		d.pass(now, p*width, d.next[p][:1<<width])
		now = 1 - now
	}
	return d.words[now], d.moved[now]
}

// countDigits sets next to where the entries with each digit start, in every pass.
func (d *dealer) countDigits(ranks []uint32, passes, width int) {
	mask := uint32(1)<<width - 1
	for p := range passes {
		clear(d.next[p][:mask+1])
	}
	switch passes {
	case 1:
		for _, r := range ranks {
			d.next[0][r&mask]++
		}
	case 2:
		if haveShifts && len(ranks) > 0 {
			countAMD64(&ranks[0], len(ranks), &d.next[0][0], &d.next[1][0], uint64(width))
			break
		}
		for _, r := range ranks {
			d.next[0][r&mask%digits]++
			d.next[1][r>>width%digits]++
		}
	default:
		for _, r := range ranks {
			d.next[0][r&mask%digits]++
			d.next[1][r>>width&mask%digits]++
			d.next[2][r>>(2*width)%digits]++
		}
	}
	for p := range passes {
		sum := uint32(0)
		for digit, n := range d.next[p][:mask+1] {
			d.next[p][digit], sum = sum, sum+n
		}
	}
}

// firstPass sorts by the lowest digit.
func (d *dealer) firstPass(from entries, width int) {
	to, next, mask := d.words[0], &d.next[0], uint32(1)<<width-1
	if haveShifts && from.weights == nil && len(to) > 0 {
		firstAMD64(&from.rowOf[0], &from.ranks[0], len(to), &to[0], &next[0], uint64(mask))
		return
	}
	for i, rank := range from.ranks {
		at := &next[rank&mask%digits]
		to[*at] = uint64(from.rowOf[i])<<32 | uint64(rank)
		if from.weights != nil {
			d.moved[0][*at] = from.weights[i]
		}
		*at++
	}
}

// pass sorts by the digit from a bit on that next has a place for each value of.
func (d *dealer) pass(now, shift int, next []uint32) {
	from, to := d.words[now], d.words[1-now]
	mask := uint64(len(next) - 1)
	if haveShifts && d.b.weighted == nil && len(to) > 0 {
		passAMD64(&from[0], len(from), &to[0], &next[0], uint64(shift), mask)
		return
	}
	for i, w := range from {
		at := &next[w>>shift&mask]
		to[*at] = w
		if d.b.weighted != nil {
			d.moved[1-now][*at] = d.moved[now][i]
		}
		*at++
	}
}
