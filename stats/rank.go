package stats

import (
	"cmp"
	"math"
	"slices"
)

// MannWhitney tells whether two samples may come from one distribution, with
// nothing assumed about it: times of searches are anything but normal.
//
// u is how many pairs of a value of a and a value of b have the larger one in a;
// ties count a half. p is the probability of a u at least that far from the middle
// if there is no difference. Without ties in samples of up to exactLimit values p
// is exact, otherwise it is that of the normal distribution, corrected for ties
// and for u being a whole number. Without values there is no difference to be
// seen: p is 1.
func MannWhitney(a, b []float64) (u, p float64) {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return 0, 1
	}
	ranks, ties := rankSum(a, b)
	u = ranks - float64(n*(n+1))/2
	if ties == 0 && n <= exactLimit && m <= exactLimit {
		return u, exactP(n, m, int(u))
	}
	return u, normalP(float64(n), float64(m), u, ties)
}

// exactLimit is the size up to which probabilities are counted out. Beyond, the
// normal distribution differs in the third digit only.
const exactLimit = 20

// rankSum is the sum of the ranks, from 1, of the values of a among all. Equal
// values share the mean of their ranks; ties is the sum of t³-t over all groups of
// t of them.
func rankSum(a, b []float64) (sum, ties float64) {
	type value struct {
		x     float64
		fromA bool
	}
	all := make([]value, 0, len(a)+len(b))
	for _, x := range a {
		all = append(all, value{x, true})
	}
	for _, x := range b {
		all = append(all, value{x, false})
	}
	slices.SortFunc(all, func(v, w value) int { return cmp.Compare(v.x, w.x) })
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].x == all[i].x {
			j++
		}
		t := float64(j - i)
		ties += t*t*t - t
		for ; i < j; i++ {
			if all[i].fromA {
				sum += float64(j) - (t-1)/2
			}
		}
	}
	return sum, ties
}

// exactP is the probability of a u as far out, on either side: the share of all choices of
// n ranks whose sum is that small, twice. ways[k][s] is the number of choices of k ranks,
// of those considered so far, with the sum s.
func exactP(n, m, u int) float64 {
	least := n * (n + 1) / 2 // sum of the n smallest ranks
	ways := make([][]float64, n+1)
	for k := range ways {
		ways[k] = make([]float64, least+n*m+1)
	}
	ways[0][0] = 1
	for rank := 1; rank <= n+m; rank++ {
		for k := min(rank, n); k > 0; k-- {
			for s := rank; s < len(ways[k]); s++ {
				ways[k][s] += ways[k-1][s-rank]
			}
		}
	}
	var tail, all float64
	for s, w := range ways[n] {
		all += w
		if s-least <= min(u, n*m-u) {
			tail += w
		}
	}
	return min(1, 2*tail/all)
}

func normalP(n, m, u, ties float64) float64 {
	total := n + m
	variance := n * m / 12 * (total + 1 - ties/(total*(total-1)))
	distance := max(0, math.Abs(u-n*m/2)-0.5)
	if variance <= 0 || distance == 0 {
		return 1
	}
	return math.Erfc(distance / math.Sqrt(2*variance))
}
