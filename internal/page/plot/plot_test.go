package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// number draws what data may hold, and what they should not.
func number() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Float64Range(-10, 1000),
		rapid.Float64Range(0, 1),
		rapid.Float64(),
		rapid.SampledFrom([]float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e15, 1e15 + 1}),
	)
}

func words() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "time", "cpu:threads=2", "<script>alert(1)</script>", "a\nb", "a very long name indeed of a thing without an end", "\x00\xff", "日本"}),
		rapid.StringN(0, 40, 200),
	)
}

func someSeries() *rapid.Generator[Series] {
	return rapid.Custom(func(t *rapid.T) Series {
		values := rapid.SliceOfN(number(), 0, 12)
		s := Series{Name: words().Draw(t, "name"), Kind: Kind(rapid.IntRange(0, int(Box)).Draw(t, "kind")), Y: values.Draw(t, "y")}
		if rapid.Bool().Draw(t, "has x") {
			s.X = values.Draw(t, "x")
		}
		if rapid.Bool().Draw(t, "has spread") {
			s.Low, s.High = values.Draw(t, "low"), values.Draw(t, "high")
		}
		if s.Kind == Box {
			s.Samples = rapid.SliceOfN(values, 0, 6).Draw(t, "samples")
		}
		s.Style = rapid.IntRange(0, 20).Draw(t, "style")
		return s
	})
}

func anAxis() *rapid.Generator[Axis] {
	return rapid.Custom(func(t *rapid.T) Axis {
		return Axis{
			Label: words().Draw(t, "label"), Unit: rapid.SampledFrom([]string{"", "s", "B", "TEPS", "edges", "%"}).Draw(t, "unit"),
			Scale: Scale(rapid.IntRange(0, int(Log2)).Draw(t, "scale")), Zero: rapid.Bool().Draw(t, "zero"),
		}
	})
}

func aPlot() *rapid.Generator[*Plot] {
	return rapid.Custom(func(t *rapid.T) *Plot {
		p := &Plot{
			Title: words().Draw(t, "title"), Note: words().Draw(t, "note"),
			X: anAxis().Draw(t, "x axis"), Y: anAxis().Draw(t, "y axis"),
			Series: rapid.SliceOfN(someSeries(), 0, 9).Draw(t, "series"),
		}
		if rapid.Bool().Draw(t, "named places") {
			p.X.Categories = rapid.SliceOfN(words(), 0, 20).Draw(t, "places")
		}
		return p
	})
}

func overlap(a, b box) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// Whatever the data, nothing leaves the canvas and no two texts touch.
func TestEverythingHasItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := aPlot().Draw(t, "plot").layout()
		canvas := box{0, 0, d.width, d.height}
		var texts []text
		for _, m := range d.marks {
			for _, line := range m.path.lines {
				for _, p := range line {
					if !(p.x >= 0 && p.x <= d.width && p.y >= 0 && p.y <= d.height) {
						t.Fatalf("%v is outside of %v", p, canvas)
					}
				}
			}
			if m.text.string == "" {
				continue
			}
			b := m.text.bounds()
			if !(b.left >= -0.5 && b.right <= d.width+0.5 && b.top >= -0.5 && b.bottom <= d.height+0.5) {
				t.Fatalf("%q at %v is outside of %v", m.text.string, b, canvas)
			}
			for _, other := range texts {
				if overlap(b, other.bounds()) {
					t.Fatalf("%q at %v overlaps %q at %v", m.text.string, b, other.string, other.bounds())
				}
			}
			texts = append(texts, m.text)
		}
	})
}

// However long a label is, the unit stays.
func TestUnitsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := aPlot().Draw(t, "plot")
		p.Y.Unit = "TEPS"
		for _, m := range p.layout().marks {
			if m.text.upwards && m.text.size == labelSize && strings.Contains(m.text.string, "TEPS") {
				return
			}
		}
		t.Fatal("the vertical axis has no unit")
	})
}

// Both kinds of SVG are XML, and hostile names are text in them.
func TestSVGIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := aPlot().Draw(t, "plot")
		for _, write := range []func(io.Writer) error{p.SVG, p.Inline} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			d := xml.NewDecoder(&b)
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
					t.Fatal("there is a script")
				}
			}
		}
	})
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		want   string // the title and the ticks
	}{
		{Axis{Label: "time", Unit: "s"}, 0, 0.0042, "time (ms): 0 1 2 3 4 5"},
		{Axis{Label: "rate", Unit: "TEPS"}, 4.2e9, 5.1e9, "rate (GTEPS): 4.2 4.4 4.6 4.8 5.0 5.2"},
		{Axis{Label: "found", Unit: "vertices", Scale: Log10}, 1, 2e5, "found (vertices, logarithmic): 1 10 100 1 k 10 k 100 k"},
		{Axis{Label: "ranks", Scale: Log2}, 1, 16, "ranks (logarithmic): 1 2 4 8 16"},
		{Axis{Unit: "s", Scale: Log10}, 1e-5, 1e-4, "s (logarithmic): 10 µs 20 µs 50 µs 100 µs"},
		{Axis{Label: "bandwidth", Unit: "B/s", Scale: Log10}, 2e6, 8e9, "bandwidth (B/s, logarithmic): 10 M 100 M 1 G 10 G"},
		{Axis{Label: "moved", Unit: "B", Scale: Log10}, 1 << 10, 1 << 18, "moved (B, logarithmic): 1 KiB 4 KiB 16 KiB 64 KiB 256 KiB"},
		{Axis{Label: "edges", Unit: "edges"}, 0, 23e3, "k edges: 0 5 10 15 20 25"},
		{Axis{Label: "edges", Unit: "edges", Scale: Log10}, 1, 500, "edges (logarithmic): 1 10 100"},
		{Axis{Label: "energy", Unit: "J"}, -2, 2, "energy (J): -2 -1 0 1 2"},
		{Axis{Label: "memory", Unit: "B"}, 0, 23 << 20, "memory (MiB): 0 5 10 15 20 25"},
		{Axis{Label: "search", Whole: true}, 1, 3, "search: 1 2 3"},
		{Axis{Label: "searches"}, 0, 64, "searches: 0 20 40 60 80"},
	} {
		few := func(_ extent, ticks []tick) bool { return len(ticks) <= 6 }
		r := rule(c.axis, extent{c.lo, c.hi}, true, few)
		got := r.title() + ":"
		for _, t := range r.ticks {
			got += " " + t.label
		}
		if got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.lo, c.hi, got, c.want)
		}
		if r.lo > c.lo || r.hi < c.hi {
			t.Errorf("%v to %v became %v", c.lo, c.hi, r.extent)
		}
	}
}

func TestValue(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{0.00123, "s", "1.23 ms"},
		{16777216, "edges", "16.8 M edges"},
		{5.07e9, "TEPS", "5.07 GTEPS"},
		{1536, "B", "1.50 KiB"},
		{2.2e9, "TEPS", "2.20 GTEPS"},
		{55.96, "%", "56.0 %"},
		{0.0999, "%", "0.0999 %"},
		{999.6, "s", "1000 s"},
		{9.996e9, "B/s", "10.0 GB/s"},
		{42, "", "42"},
		{math.NaN(), "s", "none"},
		{0, "s", "0 s"},
		{250, "s", "250 s"},
	} {
		if got := Value(c.v, c.unit); got != c.want {
			t.Errorf("%v %s is %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestSpark(t *testing.T) {
	for _, c := range []struct {
		values []float64
		scale  Scale
		want   string
	}{
		{nil, Linear, ""},
		{[]float64{0, 7}, Linear, "▁█"},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, Linear, "▁▂▃▄▅▆▇█"},
		{[]float64{1, 0, 1e7}, Log10, "▁ █"},
		{[]float64{5, math.NaN(), 5}, Linear, "█ █"},
	} {
		if got := Spark(c.values, c.scale); got != c.want {
			t.Errorf("%v is %q, want %q", c.values, got, c.want)
		}
	}
}

// examples are plots as they are used, for tests and for the eye.
func examples() map[string]*Plot {
	ms := func(v ...float64) []float64 {
		for i := range v {
			v[i] /= 1000
		}
		return v
	}
	return map[string]*Plot{
		"line": {
			Title: "Rate by threads", X: Axis{Label: "threads", Scale: Log2}, Y: Axis{Label: "rate", Unit: "TEPS", Scale: Log10},
			Series: []Series{
				{Name: "this machine", X: []float64{1, 2, 4, 8, 16}, Y: []float64{1e9, 1.9e9, 3.5e9, 6e9, 8e9}, Low: []float64{0.9e9, 1.7e9, 3e9, 5e9, 7e9}, High: []float64{1.1e9, 2.1e9, 4e9, 7e9, 9e9}},
				{Name: "the paper", Kind: Points, X: []float64{1, 2, 4, 8, 16}, Y: []float64{0.5e9, 0.9e9, 1.5e9, 3e9, 5e9}},
				{Name: "a model", X: []float64{1, 2, 4, 8, 16}, Y: []float64{0.8e9, 1.6e9, 3.2e9, 6.4e9, 12.8e9}},
			},
			Note: "The error bars are quartiles.",
		},
		"stack": {
			Title: "Time per level", X: Axis{Label: "level", Categories: []string{"0\nTD", "1\nTD", "2\nBU", "3\nBU", "4\nTD"}}, Y: Axis{Label: "time", Unit: "s"},
			Series: []Series{
				{Name: "computing", Kind: Stack, Y: ms(0.1, 0.4, 2, 1, 0.2)},
				{Name: "sending", Kind: Stack, Y: ms(0.05, 0.2, 0.5, 0.6, 0.1)},
				{Name: "waiting", Kind: Stack, Y: ms(0.05, 0.1, 0.7, 0.2, 0.1)},
			},
		},
		"bars": {
			Title: "Seven styles of bars", X: Axis{Label: "engine", Categories: []string{"cpu:threads=2", "cpu:threads=2,direction=top-down", "gpu"}}, Y: Axis{Label: "share", Unit: "%"},
			Series: []Series{
				{Name: "one", Kind: Bar, Y: []float64{10, 20, 30}},
				{Name: "two", Kind: Bar, Y: []float64{11, 22, 31}},
				{Name: "three", Kind: Bar, Y: []float64{12, 24, 32}},
				{Name: "four", Kind: Bar, Y: []float64{13, 26, 33}},
				{Name: "five", Kind: Bar, Y: []float64{14, 28, 34}},
				{Name: "six", Kind: Bar, Y: []float64{15, 29, 35}},
				{Name: "seven", Kind: Bar, Y: []float64{16, 18, 36}},
			},
		},
		"box": {
			Title: "Score", X: Axis{Label: "result", Categories: []string{"before", "after"}}, Y: Axis{Label: "rate", Unit: "TEPS"},
			Series: []Series{{Kind: Box, Samples: [][]float64{
				{4.1e9, 4.2e9, 4.25e9, 4.3e9, 4.4e9, 4.5e9, 4.6e9, 3.0e9, 5.9e9}, {5.1e9, 5.2e9, 5.25e9, 5.3e9, 5.4e9, 5.5e9},
			}}},
		},
		"points": {
			Title: "Progress of a long thing whose title does not fit into a single line of this plot", X: Axis{Label: "time", Unit: "s"}, Y: Axis{Label: "searches"},
			Series: []Series{{Name: "done", Kind: Points, X: []float64{0, 1, 2.5, 3, 6}, Y: []float64{0, 1, 2, 3, 4}}, {Name: "planned", Y: []float64{0, 1, 2, 3, 4, 5, 6}}},
		},
	}
}

// go test -artifacts keeps the examples for people to look at.
func TestPNGShowsTheExamples(t *testing.T) {
	dir := t.ArtifactDir()
	for name, p := range examples() {
		if testing.Short() && name != "line" {
			continue
		}
		var b, v bytes.Buffer
		density := 2.0
		if testing.Short() {
			density = 1
		}
		if err := errors.Join(p.PNG(&b, density), p.SVG(&v)); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(dir, name+".png"), b.Bytes(), 0o666), os.WriteFile(filepath.Join(dir, name+".svg"), v.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		colours := map[[3]uint32]int{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				r, g, b, _ := img.At(x, y).RGBA()
				colours[[3]uint32{r >> 8, g >> 8, b >> 8}]++
			}
		}
		for i := range p.Series {
			c := rgb(light[ofSeries(p.style(i))])
			if n := colours[[3]uint32{uint32(c.R), uint32(c.G), uint32(c.B)}]; n < 50 {
				t.Errorf("%s: %d pixels in the colour of series %d", name, n, i)
			}
		}
	}
}
