package parquet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// DuckDB reads what Writer writes. The test runs where DuckDB was installed by
//
//	npm install --prefix build/duckdb @duckdb/node-api@1.5.6-r.1
func TestDuckDBReadsWhatIsWritten(t *testing.T) {
	folder, _ := filepath.Abs("../../build/duckdb")
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		t.Skip("no DuckDB in build/duckdb: npm install --prefix build/duckdb @duckdb/node-api@1.5.6-r.1")
	}
	const n = groupRows + 1000
	ints, reals, texts := make([]int64, n), make([]float64, n), make([]string, n)
	for i := range n {
		ints[i], reals[i], texts[i] = int64(i)*int64(i)-5, float64(i)/8, "ü "+strconv.Itoa(i%9000)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	script, err := os.ReadFile("testdata/make.mjs")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "make.mjs"), script, 0o600)
	}
	if err == nil {
		err = os.WriteFile(path, file(t, ints, reals, texts), 0o600)
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
}
