package format

import (
	"testing"

	"github.com/gohops/hops/internal/base/compression"
)

// An oracle reads a file the plain way.
type oracle func(data []byte, suffix string, opts Options) (fileGraph, error)

// fuzzWays are few, so that many inputs can be tried.
var fuzzWays = []way{{"plain", 1, 2}, {"plain", 1 << 16, 1}, {"plain", 11, 3}, {"pipe", 3, 2}}

// fuzz compares a reader with its oracle, on what the fuzzer finds and on the
// corpus in testdata/fuzz.
func fuzz(f *testing.F, name string, opts Options, read oracle, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	suffix := (&file{path: name}).suffix()
	f.Fuzz(func(t *testing.T, data []byte) {
		if isCompressed(data) {
			t.Skip("compressed data is for the reader of another format")
		}
		opts := opts.plainly(name)
		if opts.IDs == TextIDs && opts.Columns == nil {
			opts.Header = NoHeader // a guess, which has tests of its own
		}
		want, fails := read(data, suffix, opts)
		agree(t, name, data, opts, fuzzWays, want, fails)
	})
}

// isCompressed tells that the content would be decompressed first.
func isCompressed(data []byte) bool {
	return compression.Name(data[:min(4, len(data))]) != ""
}

func FuzzEdgeList(f *testing.F) {
	fuzz(f, "x.txt", Options{Format: "edges"}, edgeListOracle,
		"# c\n1 2\n3\t4\n", "1 2 0.5\r\n2 3 7", "1,2\n3,4\n", "a;b\n1;2", "\xEF\xBB\xBF5 6\n", "18446744073709551615 0\n",
		"18446744073709551616 0\n", "1 -2\n", "0 1\n\n  \n2 3 4\n", "src,dst\n\"1\",\"2\"\n")
}

func FuzzEL(f *testing.F) {
	fuzz(f, "x.el", Options{}, edgeListOracle, "0 1\n1 2\n", "4294967296 1\n2 3\n", "1 2 3\n", "000000000000000000000001 2\n")
}

func FuzzWEL(f *testing.F) {
	fuzz(f, "x.wel", Options{}, edgeListOracle, "0 1 2\n", "0 1 NaN\n", "0 1 1e39\n", "0 1 0x1p3\n", "1 2 -0.5e-3\n", "1 2\n")
}

func FuzzText(f *testing.F) {
	fuzz(f, "x.txt", Options{Format: "edges", IDs: TextIDs}, edgeListOracle,
		"anna bert\nbert carl\n", "a\tb c\n", "\"x, y\",z\n\"q\"\"q\",z\n", "a b\x00\n", "\"open,b\n", ",b\n")
}

func FuzzCSV(f *testing.F) {
	fuzz(f, "x.csv", Options{Columns: []string{"to", "from", "w"}}, edgeListOracle,
		"w,from,to\n1.5,1,2\n", "from,to\n1,2\n", "to;from;w\n\"1\" ; 2;3;junk\n", "to,from,w\n1,2\n")
}

func FuzzTSV(f *testing.F) {
	fuzz(f, "x.tsv", Options{IDs: TextIDs, Columns: []string{"2", "3"}, Comment: "//"}, edgeListOracle,
		"1\tNew York\tSan Jose\n//\n2\tRome\tNew York\n", "\ta\tb\n", "\t\tb\n", "a\tb\n")
}

func FuzzMatrix(f *testing.F) {
	fuzz(f, "x.mtx", Options{Format: "mtx"}, matrixOracle,
		"%%MatrixMarket matrix coordinate pattern general\n% c\n3 3 2\n1 2\n3 1\n",
		"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 1 1e3\n",
		"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 2 0.5\n",
		"%%MatrixMarket matrix coordinate integer general\r\n2 2 1\r\n1 2 5\r\n",
		"%%MatrixMarket matrix array real general\n2 2\n1\n", "%%MatrixMarket matrix coordinate pattern general\n2 3 0\n")
}

func FuzzDimacs(f *testing.F) {
	fuzz(f, "x.gr", Options{}, dimacsOracle,
		"c hello\np sp 3 2\na 1 2 7\na 2 3 9\n", "p sp 2 1\na 1 3 1\n", "p sp 2 2\na 1 2 1\n", "a 1 2 3\n", "p sp 1 0\np sp 1 0\n",
		"p sp 2 1\na 1 2 1.5\n")
}

func FuzzMetis(f *testing.F) {
	fuzz(f, "x.graph", Options{Format: "metis"}, metisOracle,
		"3 2\n2\n1 3\n2\n", "% c\n3 2 1\n2 5\n1 5 3 6\n%\n2 6\n", "2 1 11\n4 2 7\n4 1 7\n", "3 2\n2\n3\n2\n", "2 0\n\n\n", "2 1 010 2\n1 1 2\n1 1 1\n",
		"2 1\n2\n", "1 1\n1\n")
}

func FuzzSerialized(f *testing.F) {
	fuzz(f, "x.sg", Options{}, serializedOracle, string(serializedBytes(t0Graph, false)), string(serializedBytes(t0Graph, true)), "", "\x02")
}

func FuzzWeightedSerialized(f *testing.F) {
	g := t0Graph
	g.weighted = true
	fuzz(f, "x.wsg", Options{}, serializedOracle, string(serializedBytes(g, false)), string(serializedBytes(g, true)))
}

func FuzzPacked(f *testing.F) {
	// A plain file is left on disk, so it is opened in a test of its own.
	for _, s := range []string{"", "0123456789ab", "0123456789abc", "\x01\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if isCompressed(data) {
			t.Skip("compressed data is for the reader of another format")
		}
		want, fails := packedOracle(data, "", Options{})
		agree(t, "x.packed", data, Options{}, []way{{"pipe", 1, 2}, {"pipe", 30, 3}, {"gzip", 100, 1}}, want, fails)
	})
}
