package format

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// detect returns the name of the format of a file. What the content says without
// doubt comes first, then the name, then what the content looks like.
func detect(f *file) (string, error) {
	front, err := f.content.Peek(4 << 10)
	if len(front) == 0 && err != nil {
		front = nil // whichever reader gets it reports it
	}
	if isMatrixMarket(front) {
		return "mtx", nil
	}
	for _, known := range formats {
		if slices.Contains(known.suffixes, f.suffix()) {
			return known.name, nil
		}
	}
	switch {
	case isDimacs(front):
		return "gr", nil
	case isSerialized(front, f):
		return "sg", nil
	case bytes.IndexByte(front, 0) >= 0:
		return "", f.wrong("binary data in a format that the name does not tell; say which it is")
	}
	return "edges", nil
}

func isMatrixMarket(front []byte) bool {
	const banner = "%%MatrixMarket"
	front = bytes.TrimPrefix(front, []byte("\xEF\xBB\xBF"))
	return len(front) >= len(banner) && bytes.EqualFold(front[:len(banner)], []byte(banner))
}

// isDimacs tells whether the first line that is not a comment is a header of the
// challenge.
func isDimacs(front []byte) bool {
	for line := range bytes.Lines(front) {
		fields := words(nil, bytes.TrimSuffix(line, []byte{'\n'}))
		if len(fields) > 0 && !isDimacsComment(fields) {
			return len(fields) == 4 && string(fields[0]) == "p" && string(fields[1]) == "sp"
		}
	}
	return false
}

// isSerialized tells whether a file has the size that the header of a serialized
// graph would give it.
func isSerialized(front []byte, f *file) bool {
	if f.plain == nil || len(front) < serializedHeader || front[0] > 1 {
		return false
	}
	h := serialized{
		directed: front[0] == 1, entrySize: 4,
		entries:  int64(binary.LittleEndian.Uint64(front[1:])),
		vertices: int64(binary.LittleEndian.Uint64(front[9:])),
	}
	return h.possible() && h.size() == f.size
}
