package format

import (
	"math"
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
