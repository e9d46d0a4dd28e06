// Package spell finds the word that someone may have meant.
package spell

import (
	"fmt"
	"iter"
	"strings"
)

// most is how many words are compared: a few hundred milliseconds of names.
const most = 2 << 20

// Suggest returns `; did you mean "x"?` with the word that is nearest to the given
// one, or "" if none is near. Case does not count. A third of the letters may differ.
func Suggest(word string, words iter.Seq[string]) string {
	best, distance, seen := "", len(word)/3+1, 0
	lower := strings.ToLower(word)
	for w := range words {
		if seen++; seen > most {
			break
		}
		if d := len(w) - len(word); d >= distance || -d >= distance {
			continue
		}
		if d := edits(lower, strings.ToLower(w), distance); d < distance {
			best, distance = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// edits is how many characters must be inserted, removed, replaced or swapped with the
// next to make one word of the other, or any number from limit on if as many are needed.
func edits(a, b string, limit int) int {
	earlier, before, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			replaced := before[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, before[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], earlier[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least >= limit && i > 0 {
			return limit
		}
		earlier, before, row = before, row, earlier
	}
	return before[len(b)]
}
