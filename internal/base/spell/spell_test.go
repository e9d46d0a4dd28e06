package spell

import (
	"slices"
	"testing"
)

func TestSuggestsTheNearestWord(t *testing.T) {
	words := []string{"source", "target", "weight", "Medici", "Peruzzi"}
	for word, want := range map[string]string{
		"sorce": `; did you mean "source"?`, "Traget": `; did you mean "target"?`, "medici": `; did you mean "Medici"?`,
		"Pucci": "", "": "", "x": "",
	} {
		if got := Suggest(word, slices.Values(words)); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"form", "from", 1}, {"ab", "ba", 1}, {"", "abc", 3}, {"abc", "abc", 0}} {
		if got := edits(c.a, c.b, 99); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
