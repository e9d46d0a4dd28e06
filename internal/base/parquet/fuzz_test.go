package parquet

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// FuzzOpen reads whatever bytes as a file. Rows are bounded, because a run of one value
// has any number of them.
func FuzzOpen(f *testing.F) {
	for name, data := range duckFiles(f) {
		if len(data) < 40<<10 {
			f.Add(data)
		} else {
			f.Logf("%s is too long for a seed", name)
		}
	}
	f.Add(file(f, []int64{1, 2, 3}, []float64{1, 2, 3}, []string{"a", "b", "a"}))
	f.Fuzz(func(_ *testing.T, data []byte) { drain(data) })
}

// FuzzFooter fuzzes footers alone, behind some bytes that are no pages.
func FuzzFooter(f *testing.F) {
	for _, data := range duckFiles(f) {
		length := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
		f.Add(data[len(data)-8-length : len(data)-8])
	}
	f.Fuzz(func(_ *testing.T, footer []byte) {
		data := append([]byte(magic+"\x15\x00\x15\x10\x15\x10\x2C\x15\x02\x15\x00\x15\x06\x15\x06\x00\x00"), footer...)
		drain(append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), magic...))
	})
}

func drain(data []byte) {
	file, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	for c := range file.Columns {
		for g := range min(file.Groups(), 8) {
			if r, err := file.Reader(g, c); err == nil {
				for range 8 {
					if drained(r) != nil {
						break
					}
				}
			}
		}
	}
}

func drained(r *Reader) (err error) {
	const limit = 4096
	switch r.column.Kind {
	case Int:
		_, err = r.Ints(nil, limit)
	case Real:
		_, err = r.Reals(nil, limit)
	default:
		_, err = r.Texts(nil, limit)
	}
	return err
}
