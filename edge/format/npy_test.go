package format

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// npyBytes writes an array as the description of the format has it.
func npyBytes(kind, fortran, shape string, numbers ...int64) []byte {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", kind, fortran, shape)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	for _, x := range numbers {
		if kind[2] == '4' {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		} else {
			b = binary.LittleEndian.AppendUint64(b, uint64(x))
		}
	}
	return b
}

func TestArraysOfNumPy(t *testing.T) {
	want := fileGraph{vertices: 4, edges: []namedEdge{{from: "0", to: "7"}, {from: "7", to: "2"}, {from: "2", to: "900"}}}
	for _, c := range []struct {
		kind, fortran, shape string
		apart                bool
	}{
		{"<i8", "False", "(3, 2)", false},
		{"<u4", "False", "(3, 2)", false},
		{"<i4", "True", "(3, 2)", true},
		{"<u8", "False", "(2, 3)", true},
		{"<i8", "True", "(2, 3)", false},
	} {
		numbers := []int64{0, 7, 7, 2, 2, 900}
		if c.apart {
			numbers = []int64{0, 7, 2, 7, 2, 900}
		}
		data := npyBytes(c.kind, c.fortran, c.shape, numbers...)
		agree(t, "x.npy", data, Options{}, ways, want, nil)
		agree(t, "x.npy", data[:len(data)-3], Options{}, ways, want, wrong{})
		numbers[2] = -1
		if c.kind[1] == 'i' {
			agree(t, "x.npy", npyBytes(c.kind, c.fortran, c.shape, numbers...), Options{}, ways, want, wrong{})
		}
	}
}
