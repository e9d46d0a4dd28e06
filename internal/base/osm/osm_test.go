package osm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// Messages of Protocol Buffers, as the format's description defines them.

func number(field int, x uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), x)
}

func text(field int, data ...[]byte) []byte {
	all := slices.Concat(data...)
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(all))), all...)
}

func sint(x int64) uint64 { return uint64(x<<1) ^ uint64(x>>63) }

// deltas packs the differences of numbers.
func deltas(numbers ...int64) (data []byte) {
	last := int64(0)
	for _, x := range numbers {
		data = binary.AppendUvarint(data, sint(x-last))
		last = x
	}
	return data
}

func blob(kind string, content []byte, pack bool) []byte {
	body := text(1, content)
	if pack {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, _ = w.Write(content)
		_ = w.Close()
		body = slices.Concat(number(2, uint64(len(content))), text(3, b.Bytes()))
	}
	header := slices.Concat(text(1, []byte(kind)), number(3, uint64(len(body))))
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(header))), header, body)
}

// texts is the table of texts of all blocks.
var texts = []string{"", "highway", "primary", "oneway", "yes", "-1", "building", "motorway", "area", "proposed"}

func primitives(groups ...[]byte) []byte {
	var table []byte
	for _, s := range texts {
		table = append(table, text(1, []byte(s))...)
	}
	block := text(1, table)
	for _, g := range groups {
		block = append(block, text(2, g)...)
	}
	return block
}

// way has nodes and tags, which are pairs of texts.
func way(nodes []int64, tags ...string) []byte {
	var keys, values []byte
	for i := 0; i < len(tags); i += 2 {
		keys = binary.AppendUvarint(keys, uint64(slices.Index(texts, tags[i])))
		values = binary.AppendUvarint(values, uint64(slices.Index(texts, tags[i+1])))
	}
	return text(3, number(1, 77), text(2, keys), text(3, values), text(8, deltas(nodes...)))
}

// degrees in units of 10⁻⁷, which a granularity of 100 gives.
func units(degrees ...float64) (all []int64) {
	for _, d := range degrees {
		all = append(all, int64(math.Round(d*1e7)))
	}
	return all
}

func sample(pack bool) []byte {
	dense := text(2, text(1, deltas(10, 11, 12)), text(8, deltas(units(48, 48, 49)...)), text(9, deltas(units(10, 11, 11)...)))
	single := text(1, number(1, sint(20)), number(8, sint(-5e8)), number(9, sint(-1e9)))
	ways := slices.Concat(
		way([]int64{10, 11, 12}, "highway", "primary"), way([]int64{12, 10}, "highway", "primary", "oneway", "yes"),
		way([]int64{10, 20}, "highway", "primary", "oneway", "-1"), way([]int64{11, 20}, "highway", "motorway"),
		way([]int64{10, 20}, "building", "yes"), way([]int64{10, 20}, "highway", "proposed"), way([]int64{10, 11}, "highway", "primary", "area", "yes"),
		way([]int64{10, 99, 11}, "highway", "primary"),
	)
	header := slices.Concat(text(4, []byte("OsmSchema-V0.6")), text(4, []byte("DenseNodes")))
	return slices.Concat(blob("OSMHeader", header, pack), blob("OSMData", primitives(dense, single), pack), blob("Unknown", nil, false), blob("OSMData", primitives(ways), pack))
}

func read(data []byte) (found []Segment, missing int64, err error) {
	r := Reader{Road: func(s Segment) error {
		found = append(found, s)
		return nil
	}}
	err = r.Read(bytes.NewReader(data))
	return found, r.Missing, err
}

func TestRoads(t *testing.T) {
	const degree = 111_195.08 // metres of a degree along a meridian
	east := degree * math.Cos(48*math.Pi/180)
	for _, pack := range []bool{false, true} {
		found, missing, err := read(sample(pack))
		if err != nil || missing != 2 || len(found) != 5 {
			t.Fatalf("%v, %d missing, %v", found, missing, err)
		}
		for i, want := range []Segment{{10, 11, east, BothWays}, {11, 12, degree, BothWays}, {12, 10, -1, Forward}, {10, 20, -1, Backward}, {11, 20, -1, Forward}} {
			got := found[i]
			if want.Metres > 0 && math.Abs(got.Metres-want.Metres) > 0.001*degree {
				t.Errorf("segment %d has %v metres, want %v", i, got.Metres, want.Metres)
			}
			if want.Metres = got.Metres; got != want {
				t.Errorf("segment %d is %v, want %v", i, got, want)
			}
		}
	}
}

func TestDamagedRoads(t *testing.T) {
	data := sample(true)
	if !IsFile(data) {
		t.Error("not recognised")
	}
	var blobs []int // where blobs end
	for at := range len(data) {
		if _, _, err := read(data[:at]); err == nil {
			blobs = append(blobs, at)
		}
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x55
		_, _, _ = read(damaged) // no panic
	}
	if len(blobs) > 3 {
		t.Errorf("files cut at %v are whole", blobs)
	}
	for want, data := range map[string][]byte{
		"blob 1: 4294967295 bytes":           []byte("\xFF\xFF\xFF\xFF"),
		`blob 1: the file needs "Historic`:   blob("OSMHeader", text(4, []byte("HistoricalInformation")), false),
		"blob 1: nodes are not in the order": blob("OSMData", primitives(text(2, text(1, deltas(5, 4)), text(8, deltas(0, 0)), text(9, deltas(0, 0))), way([]int64{4, 5}, "highway", "primary")), false),
		"blob 1: it is compressed by LZMA":   slices.Concat([]byte("\x00\x00\x00\x0B"), text(1, []byte("OSMData")), number(3, 3), text(4, []byte("x"))),
		"blob 1: EOF":                        nil,
	} {
		if _, _, err := read(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	full := errors.New("no memory")
	r := Reader{Road: func(Segment) error { return nil }, Keep: func(int) error { return full }}
	if err := r.Read(bytes.NewReader(data)); !errors.Is(err, full) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample(false))
	f.Fuzz(func(_ *testing.T, data []byte) {
		r := Reader{Road: func(Segment) error { return nil }}
		_ = r.Read(io.LimitReader(bytes.NewReader(data), 1<<20))
	})
}
