package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mm = "%%MatrixMarket matrix coordinate "

// malformed is what must be refused, and with which words.
var malformed = []struct {
	name, data string
	opts       Options
	want       string
}{
	{"x.el", "", Options{}, "x.el:1: the file has no edges"},
	{"x.el", "# only\n\n", Options{}, "x.el:3: the file has no edges"},
	{"x.el", "1 2\n3 -4\n", Options{}, `x.el:2: name "-4" is negative`},
	{"x.el", "1 2\n3 18446744073709551616\n", Options{}, `x.el:2: name "18446744073709551616" does not fit in 64 bits`},
	{"x.el", "1 2\n3\n", Options{}, "x.el:2: 1 columns, where there should be 2"},
	{"x.el", "1 2\n3 4 5\n", Options{}, "x.el:2: 3 columns, where there should be 2"},
	{"x.wel", "A A\n0\n", Options{}, "x.wel:2: 1 columns, where there should be 3"}, // after a header
	{"x.el", "1 2\n3 4x\n", Options{}, `x.el:2: name "4x" is not a number; --ids string reads names, --header yes skips a first line`},
	{"x.el", "1 2\n3 4.0\n", Options{}, `x.el:2: name "4.0" is not a number`},
	{"x.el", "1 2\n\x00\x01\x02\n", Options{}, "x.el:2: 1 columns, where there should be 2"},
	{"x.el", "\xFF\xFE1\x00", Options{}, "x.el:1: text in UTF-16; convert it to UTF-8"},
	{"x.txt", "1 2 3\n3 4\n", Options{}, "x.txt:2: 2 columns, where there should be 3"},
	{"x.txt", "1\n", Options{}, "x.txt:1: one column, where an edge has two ends"},
	{"x.txt", "1 2 3 4\n", Options{}, `x.txt:1: 4 columns: choose those of the two ends, like --columns 1,2; there are 1: "1", 2: "2", 3: "3", 4: "4"`},
	{"x.txt", "1 2 4\n1 2 NaN\n", Options{}, `x.txt:2: weight "NaN" is not finite`},
	{"x.txt", "1 2 4\n1 2 1e99\n", Options{}, `x.txt:2: weight "1e99" is not finite`},
	{"x.txt", "1 2 4\n1 2 four\n", Options{}, `x.txt:2: weight "four" is not a number`},
	{"x.txt", "a b\n", Options{}, `x.txt:1: name "a" is not a number; --ids string reads names, --header yes skips a first line`},
	{"x.csv", "a,b\n1,2\nc,d\n", Options{}, `x.csv:3: name "c" is not a number; --ids string reads names`},
	{"x.csv", "-1,-2\n", Options{}, `x.csv:1: name "-1" is negative`},
	{"x.csv", "1,2\n1,\n", Options{}, "x.csv:2: a name is missing"},
	{"x.csv", "a,b\n", Options{Columns: []string{"a", "c"}}, `x.csv:1: there is no column "c"; there are 1: "a", 2: "b"`},
	{"x.csv", "1,2\n", Options{Columns: []string{"1", "3"}}, `x.csv:1: there is no column "3"; there are 1: "1", 2: "2"`},
	{"x.csv", "1,2,3\n1,2\n", Options{Columns: []string{"1", "3"}}, "x.csv:2: 2 columns, where column 3 is needed"},
	{"x.csv", "\"a,b\n", Options{IDs: TextIDs}, "x.csv:1: a quote is not closed on its line"},
	{"x.csv", "\"a\"b,c\n", Options{IDs: TextIDs}, `x.csv:1: text after a closing quote: "b,c"`},
	{"x.csv", "a,b\n\x01,c\n", Options{IDs: TextIDs}, `x.csv:2: name "\x01" has a control character: this is not text`},
	{"x.mtx", "", Options{}, "x.mtx:1: the file ends before its header does"},
	{"x.mtx", "1 2\n", Options{}, `x.mtx:1: the first line is not "%%MatrixMarket matrix coordinate FIELD SYMMETRY"`},
	{"x.mtx", mm + "complex general\n", Options{}, `x.mtx:1: entries are "complex"; hops reads pattern, integer and real`},
	{"x.mtx", mm + "real hermitian\n", Options{}, `x.mtx:1: the matrix is "hermitian"; hops reads general and symmetric`},
	{"x.mtx", "%%MatrixMarket matrix array real general\n", Options{}, `x.mtx:1: only the coordinate format is a graph, not "array"`},
	{"x.mtx", mm + "real general\n% c\n", Options{}, "x.mtx:3: the file ends before its header does"},
	{"x.mtx", mm + "real general\n2 3 1\n1 1 1\n", Options{}, "x.mtx:2: a matrix of 2 rows and 3 columns is not that of a graph"},
	{"x.mtx", mm + "real general\n2 2 2\n1 1 1\n", Options{}, "x.mtx:2: the header says 2 entries, there are 1"},
	{"x.mtx", mm + "pattern general\n2 2 1\n1 1\n1 2\n", Options{}, "x.mtx:2: the header says 1 entries, there are 2"},
	{"x.mtx", mm + "pattern general\n2 2 2\n1 1\n1 3\n", Options{}, "x.mtx:4: vertex 3 is not within 1 … 2"},
	{"x.mtx", mm + "pattern general\n2 2 2\n1 1\n0 1\n", Options{}, "x.mtx:4: vertex 0 is not within 1 … 2"},
	{"x.mtx", mm + "pattern symmetric\n2 2 2\n1 1\n1 2\n", Options{}, "x.mtx:4: an entry above the diagonal of a symmetric matrix"},
	{"x.mtx", mm + "pattern general\n2 2 1\n1 1 5\n", Options{}, "x.mtx:3: 3 columns, where there should be 2"},
	{"x.mtx", mm + "integer general\n2 2 1\n1 1 0.5\n", Options{}, `x.mtx:3: weight "0.5" is not an integer`},
	{"x.gr", "a 1 2 3\n", Options{}, `x.gr:1: "a" comes before "p sp VERTICES ARCS"`},
	{"x.gr", "p cnf 2 1\ne 1 2\n", Options{}, `x.gr:1: the header is neither "p sp VERTICES ARCS" nor "p edge VERTICES EDGES"`},
	{"x.gr", "p sp 2 2\na 1 2 3\n", Options{}, "x.gr:1: the header says 2 arcs, there are 1"},
	{"x.gr", "p sp 2 1\na 1 3 3\n", Options{}, "x.gr:2: vertex 3 is not within 1 … 2"},
	{"x.gr", "p sp 2 1\na 1 2\n", Options{}, "x.gr:2: 2 columns, where there should be 3"},
	{"x.gr", "p sp 2 1\nc\np sp 2 1\n", Options{}, "x.gr:3: a second header"},
	{"x.gr", "p sp 2 1\ne 1 2\n", Options{}, `x.gr:2: a line that begins with "e", where arcs begin with "a"`},
	{"x.graph", "% c\n", Options{}, "x.graph:2: the file ends before its header does"},
	{"x.graph", "2 1 7\n", Options{}, `x.graph:1: the third number of the header is "7", not three digits of 0 and 1`},
	{"x.graph", "3 2\n2\n1 3\n", Options{}, "x.graph:1: the header says 3 vertices, there are 2 rows"},
	{"x.graph", "3 3\n2\n1 3\n2\n", Options{}, "x.graph:1: the header says 3 edges, there are 2"},
	{"x.graph", "2 1\n2\n1\n\n1\n", Options{}, "x.graph:5: row 4, where the header says 2 vertices"},
	{"x.graph", "2 1\n2\n%\n3\n", Options{}, "x.graph:4: vertex 3 is not within 1 … 2"},
	{"x.graph", "2 1\n%\n2\n1 2\n", Options{}, "x.graph:4: vertex 2 is its own neighbour"},
	{"x.graph", "3 2\n2\n% c\n1 3\n\n", Options{}, "x.graph:4: it is not so that row 2 has 3 as often as row 3 has 2"},
	{"x.graph", "2 1 1\n2 7\n1 8\n", Options{}, "x.graph:2: it is not so that row 1 has 2 as often as row 2 has 1, with weight 7"},
	{"x.graph", "2 1 1\n2 0\n1 0\n", Options{}, `x.graph:2: the weight of an edge is "0", not a positive integer`},
	{"x.graph", "2 1 10 3\n1 1\n", Options{}, "x.graph:2: the row ends before the weights of its vertex do"},
	{"x.sg", "", Options{}, "x.sg: offset 0: the file ends within its header"},
	{"x.sg", "\x07" + strings.Repeat("\x00", 30), Options{}, "x.sg: offset 0: the first byte is 7, where it says 0 for undirected or 1 for directed"},
	{"x.csv", "source,target\n1,2\n", Options{Columns: []string{"sorce", "target"}}, `x.csv:1: there is no column "sorce"; did you mean "source"?; there are 1: "source", 2: "target"`},
	{"x.mtx", mm + "pattern symmetric\n2 2 1\n2 1\n", Options{Directed: true}, "x.mtx: --directed cannot be: the file says that edges lead both ways; this is Matrix Market, pattern, symmetric"},
	{"x.gr", "p sp 2 1\na 1 2 3\n", Options{Columns: []string{"1", "2"}}, "x.gr: --columns chooses columns of edge lists and Parquet; this is DIMACS shortest paths"},
	{"x.gr", "p sp 2 1\na 1 2 3\n", Options{Header: WithHeader}, "x.gr: --header is about the first line of edge lists; this is DIMACS shortest paths"},
	{"x.gr", "p sp 2 1\na 1 2 3\n", Options{IDs: TextIDs}, "x.gr: --ids string cannot be: names are numbers; this is DIMACS shortest paths"},
	{"x.xml", "<?xml?><gexf>", Options{}, "x.xml: this is GEXF, which hops does not read"},
	{"x.ttl", "@prefix ex: <http://example.org/> .\n", Options{}, "x.ttl: this is Turtle, which hops does not read; it reads N-Triples"},
	{"x.txt", "\x89HDF\r\n", Options{}, "x.txt: this is HDF5, which hops does not read"},
	{"x.bin", "\x00\x01\x02\n", Options{}, "x.bin: binary data in a format that neither content nor name tells; say which it is with --format"},
}

// plainly are options for edge lists of numbers, unless names are said to be text.
func (o Options) plainly(name string) Options {
	suffix := filepath.Ext(name)
	if o.IDs == AutoIDs && (suffix == ".el" || suffix == ".wel" || suffix == ".txt" || suffix == ".csv" || o.Format == "edges") {
		o.IDs = IntIDs
	}
	return o
}

// The line is right however the file is cut into blocks, compressed and parsed.
func TestMalformedFilesAreRefused(t *testing.T) {
	for _, c := range malformed {
		c.opts = c.opts.plainly(c.name)
		for _, w := range ways {
			in, err := w.open(t, c.name, []byte(c.data), c.opts)
			if err == nil {
				_ = in.Close()
				t.Fatalf("%v: %q was read, want %q", w, c.data, c.want)
			}
			if got := strings.TrimSuffix(err.Error(), ", "+w.compression); got != c.want {
				t.Errorf("%v: %q: %v, want %q", w, c.data, err, c.want)
			}
		}
	}
}

// Weights are checked even if they are not to be kept.
func TestDroppedWeightsAreChecked(t *testing.T) {
	for _, c := range malformed {
		c.opts = c.opts.plainly(c.name)
		c.opts.DropWeights = true
		if _, err := ways[3].open(t, c.name, []byte(c.data), c.opts); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %q", c.data, err, c.want)
		}
	}
	g := t0Graph
	g.weighted = true
	odd := serializedBytes(g, false)
	odd[len(odd)-4]++ // the last weight
	for name, data := range map[string]string{
		"x.wel": "0 1 3\n", "x.mtx": mm + "real general\n2 2 1\n1 2 3\n", "x.gr": "p sp 2 1\na 1 2 3\n",
		"x.graph": "2 1 1\n2 3\n1 3\n", "x.wsg": string(serializedBytes(g, false)), "odd.wsg": string(odd),
	} {
		in, err := ways[3].open(t, name, []byte(data), Options{DropWeights: true})
		if name == "odd.wsg" {
			if err == nil || !strings.Contains(err.Error(), "with weight") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(name, err)
		}
		if content(t, in).weighted {
			t.Errorf("%s: has weights", name)
		}
		_ = in.Close()
	}
}

// What is odd but well-formed is read.
func TestOddFilesAreRead(t *testing.T) {
	for _, c := range []struct {
		name, data string
		opts       Options
		edges      int64
		vertices   uint64
	}{
		{"x.el", "1 2\n3 4", Options{}, 2, 4},                                                               // no end of the last line
		{"x.el", "\xEF\xBB\xBF1 2\r\n\r\n\t3  4 \r\n", Options{}, 2, 4},                                     // byte-order mark, CR LF, blanks
		{"x.el", "1 2\r3 4\r", Options{}, 2, 4},                                                             // CR alone ends lines
		{"x.el", "1 1\n1 1\n", Options{}, 2, 1},                                                             // loops, duplicates
		{"x.el", "00000000000000000000000000000007 7\n", Options{}, 1, 1},                                   // leading zeros
		{"x.el", "0 18446744073709551615\n", Options{}, 1, 2},                                               // the largest name
		{"x.csv", "\"1\",\"2\"\n", Options{}, 1, 2},                                                         // quotes
		{"x.csv", "u,v\n1,2\n", Options{}, 1, 2},                                                            // header
		{"x.txt", "u v\n1 2\n", Options{Header: WithHeader}, 1, 2},                                          // header
		{"x.txt", "#a #b\n", Options{IDs: TextIDs, Comment: NoComments}, 1, 2},                              // no comments
		{"x.txt", "; c\n1|2|x\n", Options{Comment: ";", Delimiter: '|', Columns: []string{"2", "1"}}, 1, 2}, // all chosen
		{"x.tsv", "Rome\tNew York\n", Options{IDs: TextIDs}, 1, 2},                                          // blanks in names
		{"x.mtx", "%%matrixmarket MATRIX coordinate Pattern general\n5 5 0\n", Options{}, 0, 5},             // no entries
		{"x.graph", "3 1\n2\n1\n\n\n\n", Options{}, 1, 3},                                                   // blank lines after the last row
		{"x.graph", "2 1 111 2\n9 1 1 2 5\n\n9 1 1 1 5\n", Options{}, 1, 2},                                 // sizes and weights of vertices
	} {
		for _, w := range ways {
			in, err := w.open(t, c.name, []byte(c.data), c.opts)
			if err != nil {
				t.Errorf("%v: %q: %v", w, c.data, err)
				continue
			}
			if g := content(t, in); g.vertices != c.vertices || in.edges.NumEdges() != c.edges {
				t.Errorf("%v: %q: %d vertices, %d edges, want %d, %d", w, c.data, g.vertices, len(g.edges), c.vertices, c.edges)
			}
			_ = in.Close()
		}
	}
}

// A compressed file that is cut off or damaged is refused, with the line that was
// reached, and so is one whose damage only its checksum shows.
func TestDamagedPackingIsRefused(t *testing.T) {
	var text bytes.Buffer
	for i := range 5000 {
		fmt.Fprintf(&text, "%d %d\n", i*7919%5000, i)
	}
	for kind, data := range map[string][]byte{"gzip": gzipped(t, text.Bytes()), "zstd": zstandard(t, text.Bytes())} {
		cut := data[:len(data)/2]
		flipped := bytes.Clone(data)
		flipped[len(data)-2] ^= 0x40 // in the checksum
		for what, bad := range map[string][]byte{"cut": cut, "flipped": flipped} {
			in, err := way{"pipe", 100, 3}.open(t, "x.el."+kind, bad, Options{})
			var at *Error
			if err == nil || !errors.As(err, &at) || at.Line < 1 || at.Line > 5001 || !strings.Contains(err.Error(), kind) {
				t.Errorf("%s %s: %v, %v", kind, what, in, err)
			}
		}
	}
	if _, err := (way{"pipe", 100, 3}).open(t, "x.el.gz", gzipped(t, text.Bytes())[:5], Options{}); err == nil {
		t.Error("a gzip file of five bytes was read")
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	for name, path := range map[string]string{
		"missing": filepath.Join(dir, "none.el"), "directory": dir, "lone edges": filepath.Join(dir, "x.e"),
	} {
		_ = os.WriteFile(filepath.Join(dir, "x.e"), []byte("1 2\n"), 0o600)
		if in, err := Open(t.Context(), path, Options{}); err == nil {
			t.Errorf("%s: read %v", name, in)
		}
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "x.e"), Options{Format: "gif"}); err == nil {
		t.Error("an unknown format was accepted")
	}
}

// Reading stops when it is cancelled, even if a pipe delivers nothing.
func TestReadingCanBeCancelled(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	f := &file{name: "pipe"}
	go func() {
		_, _ = w.Write([]byte("1 2\n3 4\n"))
		cancel(errors.New("enough"))
	}()
	err := f.begin(r, nil, 0)
	if err == nil {
		_, err = f.read(ctx, Options{Format: "edges"})
	}
	if err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("cancelled: %v", err)
	}
}

func TestProgressReachesTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.el")
	data := strings.Repeat("1 2\n", 10000)
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	var last, total int64
	in, err := Open(t.Context(), path, Options{blockBytes: 1000, Threads: 3, Progress: func(done, of int64) {
		if done < last {
			t.Errorf("progress went back from %d to %d", last, done)
		}
		last, total = done, of
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if last != int64(len(data)) || total != int64(len(data)) {
		t.Errorf("progress ended at %d of %d, want %d", last, total, len(data))
	}
}

// Workers may find faults in any order; the first in the file is reported.
func TestTheFirstFaultCounts(t *testing.T) {
	f := failure{block: 1 << 62}
	for _, index := range []int64{5, 2, 3} {
		f.at(block{index, []byte("a\nb\nc\n")}, int(index)-1, fmt.Sprint("fault ", index), nil)
	}
	if f.block != 2 || f.what != "fault 2" || f.lines != 0 || f.precedes(2) || !f.precedes(3) {
		t.Errorf("reported %+v", &f)
	}
}

// An archive has one file, and lies where it can be read from its end.
func TestArchivesAreRefused(t *testing.T) {
	two := archived(t, map[string][]byte{"a.txt": []byte("1 2\n"), "b.txt": []byte("1 2\n")})
	for want, w := range map[string]way{"it holds 2 files, where hops reads one": {"plain", 1, 1}, "cannot be read from a pipe": {"pipe", 1, 1}} {
		if _, err := w.open(t, "x.zip", two, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", w, err)
		}
	}
	if _, err := ways[0].open(t, "x.zip", two[:len(two)-30], Options{}); err == nil || !strings.Contains(err.Error(), "not a zip file") {
		t.Errorf("a truncated archive: %v", err)
	}
}

// A worker that was held up does not take back how far others have come.
func TestProgressOfLateWorkers(t *testing.T) {
	var f file
	for _, end := range []int64{3000, 1000, 4000, 2000} {
		f.arrive(end)
	}
	if got := f.arrived.Load(); got != 4000 {
		t.Errorf("%d bytes have come in, want 4000", got)
	}
}
