// Package compression compresses and decompresses files: gzip and zstd both ways, bzip2 and xz for reading.
package compression

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
)

// Suffixes are how the names of compressed files end. An archive holds one file.
var suffixes = []string{".gz", ".zst", ".bz2", ".xz", ".zip"}

// Suffixes returns how the names of compressed files end.
func Suffixes() []string { return suffixes }

// Bare is a path without the suffix of its compression.
func Bare(path string) string {
	for _, s := range suffixes {
		if bare, ok := strings.CutSuffix(path, s); ok {
			return bare
		}
	}
	return path
}

// Suffix is how a name ends without the suffix of its compression, in lower case.
func Suffix(path string) string { return filepath.Ext(Bare(strings.ToLower(path))) }

const (
	// maxWindow bounds how much memory a zstd file can ask for.
	maxWindow = 1 << 30
	// maxDictionary bounds how much memory an xz file can ask for: xz -9 asks for 64 MiB.
	maxDictionary = 1 << 30
)

// Name returns what a file is compressed by, given its first four bytes; "" if it is not.
func Name(magic []byte) string {
	skippable := len(magic) == 4 && magic[0]&0xF0 == 0x50 && bytes.Equal(magic[1:], []byte{0x2A, 0x4D, 0x18})
	switch {
	case bytes.HasPrefix(magic, []byte{0x1F, 0x8B}):
		return "gzip"
	case bytes.Equal(magic, []byte{0x28, 0xB5, 0x2F, 0xFD}) || skippable: // as parallel compressors begin
		return "zstd"
	case bytes.HasPrefix(magic, []byte("BZh")):
		return "bzip2"
	case bytes.HasPrefix(magic, []byte("\xFD7zX")):
		return "xz"
	case bytes.Equal(magic, []byte("PK\x03\x04")):
		return "zip"
	}
	return ""
}

// NewReader decompresses what Name has named, except archives. closed ends its goroutines; it
// is nil if there are none.
func NewReader(name string, r io.Reader) (content io.Reader, closed func(), err error) {
	switch name {
	case "gzip":
		content, err = gzip.NewReader(r)
	case "zstd":
		d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return d, d.Close, nil
	case "bzip2":
		content = bzip2.NewReader(r)
	case "xz":
		content, err = xz.NewReader(r, maxDictionary)
	default:
		err = fmt.Errorf("%q is not decompressed", name)
	}
	return content, nil, err
}

// Check refuses the name of a file to be written if its kind of compression is only read.
func Check(path string) error {
	switch s := strings.ToLower(filepath.Ext(path)); s {
	case ".bz2", ".xz", ".zip":
		return fmt.Errorf("%s: files are compressed as .gz or .zst; %s is only read", path, s)
	}
	return nil
}

// Write calls write with a writer that compresses as the name of the file asks for.
func Write(path string, w io.Writer, write func(io.Writer) error) (err error) {
	var compressed io.WriteCloser
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz":
		compressed = gzip.NewWriter(w)
	case ".zst":
		compressed, err = zstd.NewWriter(w)
	default:
		return write(w)
	}
	if err == nil {
		err = write(compressed)
	}
	if err == nil {
		err = compressed.Close()
	}
	return err
}
