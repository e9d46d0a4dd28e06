package webgraph

import (
	"bufio"
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A bitWriter writes codes as the framework's paper describes them.
type bitWriter struct {
	text strings.Builder // of 0 and 1
	k    int
}

func (w *bitWriter) number(x int64, width int) {
	if width > 0 {
		fmt.Fprintf(&w.text, "%0*b", width, x)
	}
}

func (w *bitWriter) write(c code, x int64) {
	top := bits.Len64(uint64(x+1)) - 1 // of x+1
	switch c {
	case unary:
		w.text.WriteString(strings.Repeat("0", int(x)) + "1")
	case gamma:
		w.write(unary, int64(top))
		w.number(x+1-1<<top, top)
	case delta:
		w.write(gamma, int64(top))
		w.number(x+1-1<<top, top)
	case zeta:
		// x+1 lies in [2^(hk), 2^(hk+k)); its offset has a minimal binary code.
		h := top / w.k
		w.write(unary, int64(h))
		left := int64(1) << (h * w.k)
		width := h*w.k + w.k
		if offset := x + 1 - left; offset < left {
			w.number(offset, width-1)
		} else {
			w.number(offset+left, width)
		}
	}
}

func (w *bitWriter) bytes() []byte {
	text := w.text.String()
	out := make([]byte, (len(text)+7)/8)
	for i, c := range text {
		if c == '1' {
			out[i/8] |= 0x80 >> (i % 8)
		}
	}
	return out
}

func natural(x int64) int64 {
	if x >= 0 {
		return 2 * x
	}
	return -2*x - 1
}

// compress writes rows with the references that pick returns.
func compress(rows [][]int64, p *Properties, pick func(most int64) int64) []byte {
	w := &bitWriter{k: p.zetaK}
	for i, row := range rows {
		x := int64(i)
		w.write(p.codes["OUTDEGREES"], int64(len(row)))
		if len(row) == 0 {
			continue
		}
		rest := row
		if p.window > 0 {
			ref := pick(min(x, p.window))
			if w.write(p.codes["REFERENCES"], ref); ref > 0 {
				rest = w.blocks(p, row, rows[x-ref])
			}
		}
		if len(rest) > 0 {
			w.extra(p, x, rest)
		}
	}
	return w.bytes()
}

// blocks writes which runs of the reference a row has, and returns what it has beside them.
func (w *bitWriter) blocks(p *Properties, row, ref []int64) (rest []int64) {
	var lengths []int64
	copying, run := true, int64(0)
	for _, v := range ref {
		if slices.Contains(row, v) != copying {
			lengths, copying, run = append(lengths, run), !copying, 0
		}
		run++
	}
	w.write(p.codes["BLOCK_COUNT"], int64(len(lengths)))
	for i, n := range lengths {
		if i > 0 {
			n--
		}
		w.write(p.codes["BLOCKS"], n)
	}
	for _, v := range row {
		if !slices.Contains(ref, v) {
			rest = append(rest, v)
		}
	}
	return rest
}

func (w *bitWriter) extra(p *Properties, x int64, rest []int64) {
	var starts, lengths, residuals []int64
	for i := 0; i < len(rest); {
		n := 1
		for i+n < len(rest) && rest[i+n] == rest[i]+int64(n) {
			n++
		}
		if p.minInterval > 0 && int64(n) >= p.minInterval {
			starts, lengths = append(starts, rest[i]), append(lengths, int64(n))
		} else {
			residuals = append(residuals, rest[i:i+n]...)
		}
		i += n
	}
	if p.minInterval > 0 {
		w.write(gamma, int64(len(starts)))
		for i, s := range starts {
			if i == 0 {
				w.write(gamma, natural(s-x))
			} else {
				w.write(gamma, s-(starts[i-1]+lengths[i-1])-1)
			}
			w.write(gamma, lengths[i]-p.minInterval)
		}
	}
	for i, v := range residuals {
		if i == 0 {
			w.write(p.codes["RESIDUALS"], natural(v-x))
		} else {
			w.write(p.codes["RESIDUALS"], v-residuals[i-1]-1)
		}
	}
}

func read(p *Properties, data []byte) (rows [][]int64, err error) {
	for row, err := range p.Rows(bufio.NewReader(bytes.NewReader(data))) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, slices.Clone(row))
	}
	return rows, nil
}

func TestCompressedGraphsAreRead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(rt, "nodes")
		var rows [][]int64
		arcs := 0
		for range n {
			row := rapid.SliceOfNDistinct(rapid.Int64Range(0, int64(n-1)), 0, n, rapid.ID[int64]).Draw(rt, "row")
			slices.Sort(row)
			rows, arcs = append(rows, row), arcs+len(row)
		}
		flags := rapid.SampledFrom([]string{"", "RESIDUALS_GAMMA | OUTDEGREES_DELTA", "REFERENCES_GAMMA|BLOCKS_UNARY", "RESIDUALS_DELTA | BLOCK_COUNT_ZETA"}).Draw(rt, "flags")
		p, err := Parse(fmt.Sprintf("# made\nnodes=%d\narcs=%d\nwindowsize=%d\nminintervallength=%d\nzetak=%d\ncompressionflags=%s\ngraphclass=it.unimi.dsi.webgraph.BVGraph\n",
			n, arcs, rapid.SampledFrom([]int{0, 1, 7}).Draw(rt, "window"), rapid.SampledFrom([]int{0, 2, 4}).Draw(rt, "interval"), rapid.IntRange(1, 5).Draw(rt, "k"), flags))
		if err != nil {
			rt.Fatal(err)
		}
		data := compress(rows, p, func(most int64) int64 { return rapid.Int64Range(0, most).Draw(rt, "reference") })
		got, err := read(p, data)
		if err != nil || !slices.EqualFunc(got, rows, slices.Equal) {
			rt.Fatalf("%v became %v, %v", rows, got, err)
		}
		if _, err := read(p, data[:len(data)/2]); err == nil && arcs > 8 {
			rt.Fatalf("half of %d bytes is a whole graph", len(data))
		}
	})
}

func TestPropertiesThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"nodes=3\narcs=2\n":                                                     "graphclass",
		"nodes=x\narcs=2\ngraphclass=a.BVGraph":                                 "nodes",
		"nodes=3\narcs=2\nzetak=0\ngraphclass=a.BVGraph":                        "zetak",
		"nodes=3\narcs=2\nendianness=little\ngraphclass=a.BVGraph":              "endianness",
		"nodes=3\narcs=2\ncompressionflags=BLOCKS_GOLOMB\ngraphclass=BVGraph":   "BLOCKS_GOLOMB",
		"nodes=3\narcs=2\ncompressionflags=NOTHING\ngraphclass=a.BVGraph":       "NOTHING",
		"nodes=3\narcs=2\nwindowsize=99999999\ngraphclass=it.unimi.dsi.BVGraph": "windowsize",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzRows(f *testing.F) {
	f.Add([]byte("\x12\x34\x56"), uint8(5), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, nodes, window uint8) {
		p := &Properties{Nodes: int64(nodes), Arcs: 1 << 40, window: int64(window), minInterval: 2, zetaK: 3, codes: map[string]code{"OUTDEGREES": gamma, "BLOCKS": gamma, "RESIDUALS": zeta, "REFERENCES": unary, "BLOCK_COUNT": gamma}}
		rows, err := read(p, data)
		if err == nil && nodes > 0 {
			t.Fatalf("%d rows have 2⁴⁰ arcs", len(rows))
		}
	})
}
