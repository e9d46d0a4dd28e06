package format

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Weights that take a division alone are the same, bit for bit, as those of strconv.
func TestPlainWeights(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := drawDecimal(rt)
		line := []byte(text + "\n" + strings.Repeat(" ", maxPlain))
		got, end := plainWeight(line, 0, true)
		if end < 0 {
			return
		}
		want, err := strconv.ParseFloat(text, 32)
		if err != nil || end != len(text) || math.Float32bits(got) != math.Float32bits(float32(want)) {
			rt.Fatalf("%s is %v up to %d, want %v (%v)", text, got, end, float32(want), err)
		}
	})
}

// Whole numbers of any length are what strconv says, wherever in a line they are.
func TestPlainNumbers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`[0-9]{1,22}`).Draw(rt, "number")
		at := rapid.IntRange(0, maxPlain-len(text)-1).Draw(rt, "at")
		line := []byte(strings.Repeat("7", at) + text + strings.Repeat("\n", maxPlain-at-len(text)))
		got, end := plainNumber(line, at)
		want, err := strconv.ParseUint(text, 10, 64)
		switch plain := err == nil && len(text) <= maxDigits; {
		case !plain && end >= 0:
			rt.Fatalf("%s is %d up to %d", text, got, end)
		case plain && (got != want || end != at+len(text)):
			rt.Fatalf("%s at %d is %d up to %d", text, at, got, end)
		}
	})
}

// Vectors read the lines that are read one by one, up to the same one, as the same.
func TestPlainLinesByVectors(t *testing.T) {
	if !haveVectors {
		t.Skip("no AVX-512")
	}
	rapid.Check(t, func(rt *rapid.T) {
		plain := drawPlain(rt)
		text := drawLines(rt, plain)
		var got, want batch
		pos := rapid.IntRange(0, 1).Draw(rt, "whole line") * (bytes.IndexByte(text, '\n') + 1)
		gotEnd, wantEnd := plain.parse(text, pos, &got), plain.oneByOne(text, pos, math.MaxInt, &want)
		if gotEnd != wantEnd || !slices.Equal(got.edges, want.edges) || !slices.Equal(got.weights, want.weights) {
			rt.Fatalf("%+v, %q from %d on: %v %v up to %d; one by one %v %v up to %d",
				plain, text, pos, got.edges, got.weights, gotEnd, want.edges, want.weights, wantEnd)
		}
	})
}

// Vectors read nearly all lines, and leave those of which they cannot say what is right.
func TestLinesForVectors(t *testing.T) {
	if !haveVectors {
		t.Skip("no AVX-512")
	}
	rest := strings.Repeat("1 2 3\n", vectorSize)
	weights := plainLines{delimiter: ' ', weighted: true, fractions: true}
	for _, c := range []struct {
		plain plainLines
		line  string
		read  bool
	}{
		{plainLines{delimiter: ' '}, "1 2\n", true},
		{plainLines{delimiter: ' '}, "1234567890123456\t9999999999999999\n", true},
		{plainLines{delimiter: ' '}, "1234567890123456\t99999999999999999\n", false},
		{plainLines{delimiter: ','}, "0,00000000\r\n", true},
		{plainLines{delimiter: ' ', weighted: true}, "17 123456789 65536\n", true},
		{plainLines{delimiter: ' ', weighted: true, letter: 'a'}, "a 4 5 803\n", true},
		{weights, "4\t5 0.810997128\n", true},
		{weights, "4 5 123456.123456789\n", true},
		{weights, "4 5 123456.1234567890\n", false},
		{weights, "4 5 131072.0078124\n", true},
		{weights, "4 5 131072.0078125\n", false}, // in the middle between two of 32 bits
		{weights, "4 5 -1\n", false},
		{weights, "4 5 1e3\n", false},
	} {
		var out batch
		if end := c.plain.byVectors([]byte(c.line+rest), 0, &out); end >= len(c.line) != c.read {
			t.Errorf("%q is read up to %d, want read: %v", c.line, end, c.read)
		}
	}
}

// drawPlain draws what lines are like.
func drawPlain(t *rapid.T) plainLines {
	return plainLines{
		delimiter: rapid.SampledFrom([]byte(" ,\t;")).Draw(t, "delimiter"),
		weighted:  rapid.Bool().Draw(t, "weighted"),
		fractions: rapid.Bool().Draw(t, "fractions"),
		letter:    rapid.SampledFrom([]byte{0, 'a'}).Draw(t, "letter"),
	}
}

// drawLines draws text of which most lines are so, and none or one of the first has another byte somewhere, with a
// line behind them that is no edge.
func drawLines(t *rapid.T, plain plainLines) []byte {
	var text []byte
	for range rapid.IntRange(1, 6).Draw(t, "lines") {
		text = append(text, drawLine(t, plain)...)
	}
	if rapid.Bool().Draw(t, "other byte") {
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text[at] = rapid.SampledFrom([]byte(" \t,.\r\n-+e0/:a\x00\xff")).Draw(t, "byte")
	}
	for range rapid.IntRange(0, 20).Draw(t, "more lines") {
		text = append(text, drawLine(t, plain)...)
	}
	return append(text, strings.Repeat("#", maxPlain)...)
}

func drawLine(t *rapid.T, plain plainLines) string {
	number := rapid.StringMatching(`[0-9]{1,9}|[0-9]{1,20}|[0-9]{40,70}`)
	fields := []string{number.Draw(t, "from"), number.Draw(t, "to")}
	if plain.letter != 0 {
		fields = append([]string{string(plain.letter)}, fields...)
	}
	if plain.weighted {
		fields = append(fields, drawWeight(t))
	}
	return strings.Join(fields, string(plain.delimiter)) + rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"}).Draw(t, "end")
}

// drawWeight draws a whole number, or one with a point, of which every other one has about as many digits as are exact.
func drawWeight(t *rapid.T) string {
	whole := rapid.StringMatching(`[0-9]{1,3}|[0-9]{1,17}`).Draw(t, "whole")
	if rapid.Bool().Draw(t, "no point") {
		return whole
	}
	if rapid.Bool().Draw(t, "any") {
		return drawDecimal(t)
	}
	digits := max(0, rapid.IntRange(14, 17).Draw(t, "digits")-len(whole))
	return whole + "." + rapid.StringMatching(fmt.Sprintf("[0-9]{%d}", digits)).Draw(t, "fraction")
}

// drawDecimal draws digits with a point, every other time beside the middle between two numbers of 32 bits.
func drawDecimal(t *rapid.T) string {
	if rapid.Bool().Draw(t, "any") {
		return rapid.StringMatching(`[0-9]{1,12}\.[0-9]{1,12}`).Draw(t, "decimal")
	}
	low := math.Abs(float64(rapid.Float32Range(1e-3, 1e6).Draw(t, "low")))
	high := float64(math.Nextafter32(float32(low), math.MaxFloat32))
	digits := rapid.IntRange(1, 17).Draw(t, "digits")
	return strconv.FormatFloat((low+high)/2, 'f', digits, 64)
}

// Nearly all decimals that people write take a division alone.
func TestPlainWeightsAreCommon(t *testing.T) {
	for text, plain := range map[string]bool{
		"0.5": true, "0.810997128": true, "12.25": true, "3.0": true, "1": true, "123456789.125": true, "0.8109971284866333": true, "0.000000000000001": true,
		"16777217.0": false, "1.": false, ".5": false, "0.12345678901234567": false, "9007199254740993.5": false, "": false, "-1.5": false, "1e3": true,
	} {
		line := []byte(text + "\n" + strings.Repeat(" ", maxPlain))
		if _, end := plainWeight(line, 0, true); (end > 0) != plain {
			t.Errorf("%q is read up to %d, plain: %v", text, end, plain)
		}
	}
	if w, end := plainWeight([]byte("1.5\n"+strings.Repeat(" ", maxPlain)), 0, false); w != 1 || end != 1 {
		t.Errorf("without fractions 1.5 is %v up to %d", w, end)
	}
}
