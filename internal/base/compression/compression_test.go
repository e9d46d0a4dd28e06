package compression

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// Files that the programs of these names compress are decompressed, in one stream or in two.
func TestDecompressesWhatOthersWrite(t *testing.T) {
	for _, program := range []string{"gzip", "bzip2", "xz"} {
		t.Run(program, func(t *testing.T) {
			text := strings.Repeat("1 2\n3 4\n", 5000)
			compress := exec.Command(program, "-c")
			compress.Stdin = strings.NewReader(text)
			compressed, err := compress.Output()
			if err != nil {
				t.Fatal(err)
			}
			if name := Name(compressed[:4]); name != program {
				t.Fatalf("this is %q", name)
			}
			for n := range 2 {
				got := decompressed(t, program, bytes.Repeat(compressed, n+1))
				if got != strings.Repeat(text, n+1) {
					t.Fatalf("%d bytes of %d", len(got), (n+1)*len(text))
				}
			}
			r, _, err := NewReader(program, bytes.NewReader(compressed[:len(compressed)/2]))
			if err == nil {
				_, err = io.ReadAll(r)
			}
			if err == nil {
				t.Fatal("half a file is a whole one")
			}
		})
	}
}

func decompressed(t *testing.T, name string, compressed []byte) string {
	r, closed, err := NewReader(name, bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	if closed != nil {
		defer closed()
	}
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

func TestWrittenPackings(t *testing.T) {
	for path, name := range map[string]string{"a.csv.gz": "gzip", "a.csv.ZST": "zstd"} {
		var b bytes.Buffer
		err := Write(path, &b, func(w io.Writer) error { _, err := io.WriteString(w, "hello"); return err })
		if err != nil {
			t.Fatal(err)
		}
		if got := Name(b.Bytes()[:4]); got != name || decompressed(t, name, b.Bytes()) != "hello" {
			t.Errorf("%s: %s", path, got)
		}
	}
	if Check("a.gz") != nil || Check("a.xz") == nil || Suffix("x/y.z/A.CSV.gz") != ".csv" || Suffix("") != "" {
		t.Error("suffixes")
	}
}
