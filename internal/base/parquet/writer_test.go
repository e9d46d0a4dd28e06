package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// file writes a file of one column of each kind.
func file(t testing.TB, ints []int64, reals []float64, texts []string) []byte {
	var out bytes.Buffer
	w, err := NewWriter(&out, []Column{{Name: "int", Kind: Int}, {Name: "real", Kind: Real}, {Name: "text", Kind: Text}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ints {
		w.Int(0, ints[i])
		w.Real(1, reals[i])
		w.Text(2, []byte(texts[i]))
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWrittenFilesAreReadBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 700).Draw(rt, "rows")
		ints := rapid.SliceOfN(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 100)), n, n).Draw(rt, "ints")
		reals := rapid.SliceOfN(rapid.Float64(), n, n).Draw(rt, "reals")
		texts := rapid.SliceOfN(rapid.StringN(0, 8, -1), n, n).Draw(rt, "texts")
		readBack(t, rt, ints, reals, texts, rapid.IntRange(1, 300).Draw(rt, "piece"))
	})
}

// fataler is what testing.T and rapid.T have in common.
type fataler interface {
	Fatalf(format string, args ...any)
}

func readBack(t testing.TB, report fataler, ints []int64, reals []float64, texts []string, piece int) {
	data := file(t, ints, reals, texts)
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		report.Fatalf("%v", err)
	}
	for c, sent := range []any{ints, reals, texts} {
		got, err := read(f, c, piece)
		if err != nil || len(got) != len(ints) {
			report.Fatalf("%d of %d values: %v", len(got), len(ints), err)
		}
		for i, x := range got {
			if y := reflect.ValueOf(sent).Index(i).Interface(); x != y {
				report.Fatalf("row %d: %v became %v", i, y, x)
			}
		}
	}
}

// Row groups end, widths reach 64 bits, and a dictionary that grows too large is given up.
func TestLargeFilesAreReadBack(t *testing.T) {
	const n = groupRows + 3000
	ints, reals, texts := make([]int64, n), make([]float64, n), make([]string, n)
	long := strings.Repeat("x", 1000)
	for i := range n {
		ints[i] = int64(i) * math.MaxInt64 / 7
		reals[i] = float64(i) / 3
		if texts[i] = "few"; i > 100 && i < 6000 {
			texts[i] = long + string(rune('a'+i%26)) + long[:i%999]
		}
	}
	readBack(t, t, ints, reals, texts, 9999)
}

// A file whose bytes were changed is read with an error or without, but without a panic,
// and an error names the column.
func TestDamageIsRefused(t *testing.T) {
	n := 300
	ints, reals, texts := make([]int64, n), make([]float64, n), make([]string, n)
	for i := range n {
		ints[i], reals[i], texts[i] = int64(i*i), float64(i), strings.Repeat("y", i%7)
	}
	data := file(t, ints, reals, texts)
	intact, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	footer := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	for at := range len(data) {
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x41
		f, err := Open(bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			continue
		}
		for c := range f.Columns {
			got, err := read(f, c, 512)
			if err != nil && !strings.Contains(err.Error(), `column "`) {
				t.Fatalf("byte %d: %v names no column", at, err)
			}
			if whole, _ := read(intact, c, 512); err == nil && at < footer && !slices.Equal(got, whole) {
				t.Fatalf("byte %d of the pages was changed, column %s with it, and nothing said so", at, f.Columns[c].Name)
			}
		}
	}
	for length := range len(data) {
		if _, err := Open(bytes.NewReader(data[:length]), int64(length)); err == nil {
			t.Fatalf("a file cut after %d of %d bytes was opened", length, len(data))
		}
	}
}

// The example of the format's description of DELTA_BYTE_ARRAY, which DuckDB does not write.
func TestTextsWithSharedPrefixes(t *testing.T) {
	body := append(appendDeltas(nil, []int64{0, 2, 0, 3}), appendDeltas(nil, []int64{4, 2, 6, 5})...)
	var v values
	h := header{values: 4, encoding: deltaStrings}
	if err := v.begin(&Column{Kind: Text, physical: typeByteArray}, nil, h, append(body, "axislebabbleyhood"...)); err != nil {
		t.Fatal(err)
	}
	got := make([][]byte, 4)
	if err := v.texts(got); err != nil || string(bytes.Join(got, []byte(" "))) != "axis axle babble babyhood" {
		t.Fatalf("%q, %v", got, err)
	}
}

// A header that claims more values than there are bytes takes no memory for them.
func TestClaimsTakeNoMemory(t *testing.T) {
	for _, claimed := range []int64{3, 1 << 40, math.MaxInt64, math.MaxInt64/4 + 1} {
		var d dict
		c := Column{Kind: Int, physical: typeInt64}
		if err := d.fill(&c, make([]byte, 16), header{values: claimed}); err == nil {
			t.Errorf("%d values of 16 bytes were read", claimed)
		}
		r := Reader{left: math.MaxInt64}
		for _, h := range []header{{kind: pageDictionary, values: claimed}, {kind: pageData, decompressed: claimed}, {kind: pageDataV2, levels: claimed}} {
			if err := r.checkHeader(&h); err == nil && claimed > math.MaxInt32 {
				t.Errorf("%v is a possible header", h)
			}
		}
	}
}

// footed is a file of no pages whose footer is given.
func footed(footer []byte) []byte {
	data := append([]byte(magic), footer...)
	return append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), magic...)
}

// A few bytes can stand for very many: lists of row groups, structures in structures,
// differences of equal numbers, and pages of one repeated byte. None of them takes the
// memory that it claims.
func TestCraftedFilesTakeNoMemory(t *testing.T) {
	const claimed = 1 << 30
	bomb := []byte{0x28, 0xB5, 0x2F, 0xFD, 0, 0x58} // Zstandard: no size, a window of 2 MiB
	for block := range 1000 {
		head := uint32(1<<17)<<3 | 1<<1 // 128 KiB of one byte
		if block == 999 {
			head |= 1 // the last
		}
		bomb = append(bomb, byte(head), byte(head>>8), byte(head>>16), 0)
	}
	nested := footed(bytes.Repeat([]byte{0xFC}, 16<<20)) // a stack that follows it ends the process
	counts := binary.AppendUvarint([]byte{128, 1, 4}, claimed)
	open := func(data []byte) error {
		_, err := Open(bytes.NewReader(data), int64(len(data)))
		return err
	}
	good := file(t, []int64{1}, []float64{1}, []string{"a"})
	f, err := Open(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"row groups": func() error { return open(footed(binary.AppendUvarint([]byte{0x49, 0xFC}, claimed))) },
		"structures": func() error { return open(nested) },
		"differences": func() error {
			r := Reader{file: f, column: Column{Kind: Int, physical: typeInt64}}
			h := header{values: claimed, encoding: deltaBinary}
			if err := r.values.begin(&r.column, nil, h, append(counts, 2)); err != nil {
				return err
			}
			_, err := r.Ints(nil, 1000)
			return err
		},
		"Zstandard": func() error {
			_, err := (&Reader{file: f}).decompress(codecZstd, bomb, 24)
			return err
		},
		"Zstandard, piece by piece": func() error {
			out, err := unpackStream(codecZstd, bomb, 24)
			if len(out) > 25 {
				t.Errorf("%d bytes were decompressed, where 24 were claimed", len(out))
			}
			return errors.Join(err, errShort) // it is for the caller to compare sizes
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read()
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 32<<20 {
			t.Errorf("%s: %d MiB were taken, and the error is %v", name, took>>20, err)
		}
	}
}
