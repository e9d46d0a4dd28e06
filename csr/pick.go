package csr

// lanes is the number of edges that a vector has.
const lanes = 8

// pick returns the ends of edges that belong to this round, in any order.
func (w *binner) pick(pairs []uint64) []uint64 {
	if !haveVectors {
		return w.picked[:w.pickEach(pairs, 0)]
	}
	whole := len(pairs) / lanes * lanes
	n := 0
	if whole > 0 {
		n = pickAVX512(&pairs[0], whole, w.first, w.span, w.b.sides.ends(), &w.picked[0])
	}
	return w.picked[:w.pickEach(pairs[whole:], n)]
}

// pickEach picks ends of edges, behind n others, and returns the number of all. Whether one
// belongs to the round is as good as random, so that every end is written and only the
// count depends on it.
func (w *binner) pickEach(pairs []uint64, n int) int {
	ofU, ofV := w.b.sides != into, w.b.sides != outOf
	for _, p := range pairs {
		u, v := uint32(p), uint32(p>>32)
		if ofU {
			w.picked[n] = pick(u-w.first, v)
			n += below(u-w.first, w.span) & differ(u, v)
		}
		if ofV {
			w.picked[n] = pick(v-w.first, u)
			n += below(v-w.first, w.span) & differ(u, v)
		}
	}
	return n
}

// pickWeighted is pick for edges with weights, and puts the weight of every pick beside it.
func (w *binner) pickWeighted(some block) []uint64 {
	n, ofU, ofV := 0, w.b.sides != into, w.b.sides != outOf
	picked, weights, own := w.picked, w.weights[:len(w.picked)], some.weights[:len(some.pairs)]
	for i, p := range some.pairs {
		u, v := uint32(p), uint32(p>>32)
		if ofU {
			picked[n], weights[n] = pick(u-w.first, v), own[i]
			n += below(u-w.first, w.span) & differ(u, v)
		}
		if ofV {
			picked[n], weights[n] = pick(v-w.first, u), own[i]
			n += below(v-w.first, w.span) & differ(u, v)
		}
	}
	return picked[:n]
}

// below is 1 if a < b, else 0, without a branch.
func below(a, b uint32) int { return int((uint64(a) - uint64(b)) >> 63) }

// differ is 1 if a ≠ b, else 0, without a branch.
func differ(a, b uint32) int { return int((uint64(a^b) + 1<<32 - 1) >> 32) }
