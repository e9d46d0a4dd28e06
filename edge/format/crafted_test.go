package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"

	"github.com/gohops/hops/internal/base/topo"
)

// craftedRoom is the memory that readers of crafted files are told there is, and craftedPeak what
// they may allocate in all: a blob of OpenStreetMap is 32 MiB decompressed, and its parts are listed.
const (
	craftedRoom = 1 << 20
	craftedPeak = 1 << 30
)

// openCrafted opens a file that may claim anything. It returns an error that names the file, and
// does not take more memory than the file justifies.
func openCrafted(t *testing.T, path string) error {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in, err := Open(t.Context(), path, Options{fits: within(craftedRoom), memoryStep: craftedRoom / 4})
	runtime.ReadMemStats(&after)
	if err == nil {
		_ = in.Close()
	} else if !strings.Contains(err.Error(), filepath.Base(path)+":") && !strings.Contains(err.Error(), "x.properties:") {
		t.Errorf("the error does not name the file: %v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > craftedPeak {
		t.Errorf("%d MiB were allocated for a file of a few bytes: %v", took>>20, err)
	}
	return err
}

// damage changes some bits of data, cuts it, or repeats, drops or moves a part.
func damage(r *rand.Rand, data []byte) []byte {
	data = slices.Clone(data)
	for range 1 + r.IntN(3) {
		if len(data) < 2 {
			return data
		}
		lo := r.IntN(len(data))
		hi := lo + 1 + r.IntN(min(8, len(data)-lo))
		switch r.IntN(6) {
		case 0:
			data[lo] ^= 1 << r.IntN(8)
		case 1:
			data = data[:lo]
		case 2:
			data = slices.Insert(data, lo, data[lo:hi]...)
		case 3:
			data = slices.Delete(data, lo, hi)
		case 4: // the largest number of its length
			for i := lo; i < hi; i++ {
				data[i] = 0xFF
			}
		case 5:
			clear(data[lo:hi])
		}
	}
	return data
}

// webGraphFile writes a graph and its properties.
func webGraphFile(t testing.TB, bits []byte, properties string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.graph")
	if err := errors.Join(os.WriteFile(path, bits, 0o600), os.WriteFile(strings.TrimSuffix(path, "graph")+"properties", []byte(properties), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

const webGraphProperties = "nodes=%d\narcs=%d\nwindowsize=%d\nminintervallength=%d\nzetak=%d\ngraphclass=it.unimi.dsi.webgraph.BVGraph\n"

func openWebGraph(t *testing.T, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 12))
	bits := []byte(webGraph)
	if r.IntN(2) == 0 { // any bits
		bits = make([]byte, 1+r.IntN(200))
		for i := range bits {
			bits[i] = byte(r.Uint64() | r.Uint64()) // ones: short codes
		}
	}
	size := func() int64 {
		return []int64{0, 1, 3, 1000, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40, 1<<63 - 1}[r.IntN(9)]
	}
	text := fmt.Sprintf(webGraphProperties, []int64{3, 100, size()}[r.IntN(3)], []int64{3, 1000, size()}[r.IntN(3)], []int64{0, 7, size()}[r.IntN(3)], []int64{0, 2, size()}[r.IntN(3)], 1+r.IntN(17))
	if r.IntN(4) == 0 {
		text = string(damage(r, []byte(text)))
	}
	_ = openCrafted(t, webGraphFile(t, damage(r, bits), text))
}

func TestCraftedWebGraphs(t *testing.T) {
	for seed := range uint64(1000) {
		openWebGraph(t, seed)
	}
}

func FuzzCraftedWebGraph(f *testing.F) {
	f.Add([]byte(webGraph), fmt.Sprintf(webGraphProperties, 3, 3, 0, 0, 3))
	f.Fuzz(func(t *testing.T, bits []byte, properties string) {
		_ = openCrafted(t, webGraphFile(t, bits, properties))
	})
}

// A few bits may say that a row has all vertices, by an interval. Properties may claim as many.
func TestWebGraphsThatClaimTooMuch(t *testing.T) {
	// The first row: 2²⁷ - 1 successors, by no reference and one interval from 0 on, all in codes γ but for the reference.
	bits := bitsOf(gammaCode(1<<27-1) + "1" + gammaCode(1) + gammaCode(0) + gammaCode(1<<27-1-4))
	err := openCrafted(t, webGraphFile(t, bits, fmt.Sprintf(webGraphProperties, 1<<27, int64(1)<<40, 7, 4, 3)))
	if err == nil || !strings.Contains(err.Error(), "1.00 GiB of memory") {
		t.Errorf("2²⁷ vertices: %v", err)
	}
	// Of 100,000 vertices, with room for them, every row is a copy of the row before, in ten bits each.
	rows := gammaCode(90000) + "1" + gammaCode(1) + gammaCode(0) + gammaCode(90000-4)
	rows += strings.Repeat(gammaCode(90000)+"01"+gammaCode(0), 99999)
	err = openCrafted(t, webGraphFile(t, bitsOf(rows), fmt.Sprintf(webGraphProperties, 100000, int64(90000)*100000, 7, 4, 3)))
	if short := (*topo.Shortage)(nil); !errors.As(err, &short) {
		t.Errorf("copies of a row: %v", err)
	}
}

// gammaCode is the γ code of a number, as text.
func gammaCode(x int) string {
	b := fmt.Sprintf("%b", x+1)
	return strings.Repeat("0", len(b)-1) + b
}

func bitsOf(text string) []byte {
	data := make([]byte, len(text)/8+1)
	for i, c := range text {
		data[i/8] |= byte(c-'0') << (7 - i%8)
	}
	return data
}

// A protobuf is a message of Protocol Buffers, as bytes.
type protobuf []byte

func (p protobuf) number(field int, x uint64) protobuf {
	return binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3), x)
}

func (p protobuf) bytes(field int, data []byte) protobuf {
	return append(binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3|2), uint64(len(data))), data...)
}

// pbfBlob is a blob with its header, around a body that says what its content is.
func pbfBlob(kind string, body protobuf) []byte {
	header := protobuf{}.bytes(1, []byte(kind)).number(3, uint64(len(body)))
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(header))), header...), body...)
}

func deflated(content []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(content)
	_ = w.Close()
	return b.Bytes()
}

// roadsOf writes a file of a block, compressed or not.
func roadsOf(block []byte, packed bool) []byte {
	body := protobuf{}.bytes(1, block)
	if packed {
		body = protobuf{}.number(2, uint64(len(block))).bytes(3, deflated(block))
	}
	return append(pbfBlob("OSMHeader", protobuf{}.bytes(1, protobuf{}.bytes(4, []byte("OsmSchema-V0.6")))), pbfBlob("OSMData", body)...)
}

// roadBlock has three nodes and a road along them.
func roadBlock() protobuf {
	texts := protobuf{}
	for _, s := range []string{"", "highway", "primary"} {
		texts = texts.bytes(1, []byte(s))
	}
	nodes := protobuf{}.bytes(1, []byte{20, 2, 2}).bytes(8, []byte{2, 2, 2}).bytes(9, []byte{2, 2, 2})
	way := protobuf{}.number(1, 7).bytes(2, []byte{1}).bytes(3, []byte{2}).bytes(8, []byte{20, 2, 2})
	return protobuf{}.bytes(1, texts).bytes(2, protobuf{}.bytes(2, nodes)).bytes(2, protobuf{}.bytes(3, way)).number(17, 100)
}

func openRoads(t *testing.T, data []byte) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.osm.pbf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return openCrafted(t, path)
}

func TestCraftedRoads(t *testing.T) {
	if err := openRoads(t, roadsOf(roadBlock(), true)); err != nil {
		t.Fatalf("a file without faults: %v", err)
	}
	r := rand.New(rand.NewPCG(1, 13))
	for seed := range 1000 {
		if packed := seed%2 == 0; seed%3 == 0 {
			_ = openRoads(t, damage(r, roadsOf(roadBlock(), packed)))
		} else { // what is damaged is within the compressed blob
			_ = openRoads(t, roadsOf(damage(r, roadBlock()), packed))
		}
	}
}

func FuzzCraftedRoads(f *testing.F) {
	f.Add([]byte(roadBlock()))
	f.Fuzz(func(t *testing.T, block []byte) { _ = openRoads(t, roadsOf(block, false)) })
}

// Blobs that decompress to more than the format allows, and claims of any length, are refused before
// there is memory for them.
func TestRoadsThatClaimTooMuch(t *testing.T) {
	bomb := deflated(make([]byte, 256<<20))
	// A frame of Zstandard, by its descriptor: a window of 2⁴⁰ bytes, then a block of zeros.
	window := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xF0, 0x03, 0x00, 0x00, 0x00}
	many := protobuf{}
	for range 64 {
		many = many.bytes(3, bomb)
	}
	for name, data := range map[string][]byte{
		"zlib":                pbfBlob("OSMData", protobuf{}.number(2, 256<<20).bytes(3, bomb)),
		"several in one blob": pbfBlob("OSMData", many),
		"window":              pbfBlob("OSMData", protobuf{}.number(2, 1<<40).bytes(7, window)),
		"length of a header":  []byte("\x7F\xFF\xFF\xFF\x0A\x09OSMHeader"),
		"length of a blob":    append([]byte("\x00\x00\x00\x14"), protobuf{}.bytes(1, []byte("OSMData")).number(3, 1<<63)...),
		"length of a text":    roadsOf([]byte{0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}, false),
	} {
		whole := append(pbfBlob("OSMHeader", protobuf{}.bytes(1, nil)), data...)
		if name == "length of a header" {
			whole = data
		}
		if err := openRoads(t, whole); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
