package format

import (
	"bytes"
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
	if bytes.IndexByte(front, 0) >= 0 {
		return "", f.wrong("binary data in a format that the name does not tell; say which it is")
	}
	return "edges", nil
}

func isMatrixMarket(front []byte) bool {
	const banner = "%%MatrixMarket"
	front = bytes.TrimPrefix(front, []byte("\xEF\xBB\xBF"))
	return len(front) >= len(banner) && bytes.EqualFold(front[:len(banner)], []byte(banner))
}
