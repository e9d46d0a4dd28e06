package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What is left out, rounded or taken for an edge is said, with the first of its kind.
func TestNotes(t *testing.T) {
	long := strings.Repeat("1 2 16777216\n", 20_000) // in several blocks
	for _, c := range []struct {
		name, data string
		opts       Options
		want       []string // parts of the notes
	}{
		{"x.csv", "Ann,Bob\n#tag,b\nBob,c\n  %x,c\n", Options{}, []string{`comments left out: 2, the first is "#tag,b"`}},
		{"x.el", "# made by hand\n# on paper\n0 1\n#1 2\n1 2\n", Options{}, []string{`comments left out: 3, the first is "# made by hand"`}},
		{"x.csv", "Ann,Bob\n#tag,Bob\n", Options{Comment: NoComments}, nil},
		{"x.csv", "Ann,Bob\n\n \nBob,c\n", Options{}, nil},
		{"x.wel", "0 1 16777216\n1 2 16777218\n2 0 -16777216\n", Options{}, nil},
		{"x.wel", "0 1 16777217\n1 2 33554435\n", Options{}, []string{"integers up to 16777216: 2, the first, 16777217 is 16777216"}},
		{"x.wel", "0 1 16777217.5\n1 2 1e30\n1 2 18446744073709551615\n", Options{}, []string{": 1, the first, 18446744073709551615 is 18446744073709551616"}},
		{"x.wel", "0 1 -16777217.0\n", Options{}, []string{": 1, the first, -16777217.0 is -16777216"}},
		{"x.wel", "0 1 16777217\n", Options{DropWeights: true}, nil},
		{"x.wel", long + "1 2 20000001\n" + long + "1 2 30000001\n" + long, Options{}, []string{": 2, the first, 20000001 is 20000000"}},
		{"x.gr", "p sp 3 2\na 1 2 123456789\na 2 3 7\n", Options{}, []string{": 1, the first, 123456789 is 123456792"}},
		{"x.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 99999999\n", Options{}, []string{": 1, the first, 99999999 is 100000000"}},
		{"x.metis", "2 1 001\n2 16777217\n1 16777217\n", Options{}, []string{"the first, 16777217 is 16777216"}},
		{"x.dot", "graph { a -- b [weight=16777217] }", Options{}, []string{": 1, the first, 16777217 is 16777216"}},
		{"x.csv", "person,target\nAda,Bob\nBob,Cy\n", Options{}, []string{`the first line, "person,target", may be a header but is read as an edge; --header yes skips it`}},
		{"x.csv", "person,pal\nAda,Bob\nBob,Cy\n", Options{}, []string{`the first line, "person,pal", may be`}},
		{"x.csv", "person,target\nAda,Bob\nBob,Cy\n", Options{Header: NoHeader}, nil},
		{"x.csv", "person,pal\nAda,Bob\nCy,Dan\n", Options{}, nil},
		{"x.csv", "Ada,target\nAda,Bob\nBob,Cy\n", Options{}, nil},
	} {
		for _, w := range ways {
			in, err := w.open(t, c.name, []byte(c.data), c.opts)
			if err != nil {
				t.Fatalf("%v: %.60q: %v", w, c.data, err)
			}
			if len(in.Notes) != len(c.want) || !slices.EqualFunc(in.Notes, c.want, strings.Contains) {
				t.Errorf("%v: %s %.60q: %q, want %q", w, c.name, c.data, in.Notes, c.want)
			}
			_ = in.Close()
		}
	}
}

// The notes are the same for any number of workers and any size of blocks.
func TestNotesDoNotDependOnBlocks(t *testing.T) {
	var data strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&data, "%d %d %d\n", i, i+1, 20_000_000+i)
		if i%10 == 3 {
			fmt.Fprintf(&data, "# comment %d\n", i)
		}
	}
	want := []string{
		`comments left out: 300, the first is "# comment 3"; --comment none reads them`,
		"weights rounded to 32-bit floating point, which holds integers up to 16777216: 1500, the first, 20000001 is 20000000",
	}
	for _, blockBytes := range []int{1 << 10, 1 << 14, 1 << 20} {
		for threads := range 4 {
			for _, w := range ways {
				in, err := w.open(t, "x.wel", []byte(data.String()), Options{Threads: 1 + threads, blockBytes: blockBytes})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(in.Notes, want) {
					t.Errorf("%v, %d threads, blocks of %d: %q", w, 1+threads, blockBytes, in.Notes)
				}
				_ = in.Close()
			}
		}
	}
}
