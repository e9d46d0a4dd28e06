package parquet

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

var duckDB = flag.String("duckdb", "", "folder where DuckDB was installed: npm install --prefix FOLDER @duckdb/node-api@1.5.6-r.1")

// readByDuckDB is the digest of a file that DuckDB 1.5.6 has read right.
const readByDuckDB = "testdata/read-by-duckdb.sha256"

// sample is a file with two row groups and every kind of column.
func sample(t *testing.T) (ints []int64, reals []float64, texts []string, written []byte) {
	const n = groupRows + 1000
	ints, reals, texts = make([]int64, n), make([]float64, n), make([]string, n)
	for i := range n {
		ints[i], reals[i], texts[i] = int64(i)*int64(i)-5, float64(i)/8, "ü "+strconv.Itoa(i%9000)
	}
	return ints, reals, texts, file(t, ints, reals, texts)
}

// The files that are written are those that DuckDB has read. After a change of the writer
// make duckdb has it read them again, and records their digest.
func TestDuckDBHasReadWhatIsWritten(t *testing.T) {
	want, err := os.ReadFile(readByDuckDB)
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, written := sample(t)
	if got := fmt.Sprintf("%x\n", sha256.Sum256(written)); got != string(want) {
		t.Errorf("the file has the digest %s, and DuckDB has read %s: run make duckdb", got, want)
	}
}

// DuckDB reads what Writer writes.
func TestDuckDBReadsWhatIsWritten(t *testing.T) {
	if *duckDB == "" {
		t.Skip("make duckdb runs it")
	}
	folder, err := filepath.Abs(*duckDB)
	if err != nil {
		t.Fatal(err)
	}
	ints, reals, texts, written := sample(t)
	n := len(ints)
	path := filepath.Join(t.TempDir(), "x.parquet")
	script, err := os.ReadFile("testdata/make.mjs")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "make.mjs"), script, 0o600)
	}
	if err == nil {
		err = os.WriteFile(path, written, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", filepath.Join(folder, "make.mjs"), "-", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	i := 0
	for ; lines.Scan() && i < n; i++ {
		var row struct {
			Int, Text string
			Real      float64
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Int != strconv.FormatInt(ints[i], 10) || row.Real != reals[i] || row.Text != texts[i] {
			t.Fatalf("row %d: %v", i, row)
		}
	}
	if i != n {
		t.Fatalf("%d of %d rows", i, n)
	}
	if err := os.WriteFile(readByDuckDB, fmt.Appendf(nil, "%x\n", sha256.Sum256(written)), 0o644); err != nil {
		t.Fatal(err)
	}
}
