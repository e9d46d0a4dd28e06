package format

import (
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/guardtest"
)

// The kernel reads no byte beside the text, and writes nothing beside its arrays.
func TestPlainLinesStayInBounds(t *testing.T) {
	if !haveVectors {
		t.Skip("no AVX-512")
	}
	const line = "12 345 0.5\n"
	for _, side := range guardtest.Sides {
		blank := guardtest.Copy(t, side, []byte("\n"+strings.Repeat(line, vectorSize)))
		var edge hops.Edge
		s := lineScan{text: &blank[0], last: &blank[0], edges: &edge, room: 1, first: 1, separator: ' ', other: ' '}
		if plainAVX512(&s); s.lines != 0 || s.bytes != 0 {
			t.Errorf("%d edges and %d bytes of a blank line", s.lines, s.bytes)
		}
		for lines := (vectorSize + len(line) - 1) / len(line); lines < 40; lines++ {
			text := guardtest.Copy(t, side, []byte(strings.Repeat(line, lines)))
			for _, room := range []int{1, lines / 2, lines} {
				edges, weights := guardtest.Make[hops.Edge](t, side, room), guardtest.Make[float32](t, side, room)
				s := lineScan{
					text: &text[0], last: &text[len(text)-vectorSize], edges: &edges[0], weights: &weights[0], room: room,
					first: 1, separator: ' ', other: '\t', fractions: true,
				}
				plainAVX512(&s)
				want := min(room, (len(text)-vectorSize)/len(line)+1)
				if s.lines != want || s.bytes != want*len(line) {
					t.Errorf("%d lines, %d bytes of %d lines with room for %d, want %d", s.lines, s.bytes, lines, room, want)
				}
				for i := range want {
					if edges[i] != (hops.Edge{U: 12, V: 345}) || weights[i] != 0.5 {
						t.Fatalf("line %d is read as %v, %v", i, edges[i], weights[i])
					}
				}
			}
		}
	}
}
