package page

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gohops/hops/internal/page/plot"
)

const hostile = `<script>alert("1")</script>&'`

func sample() *Page {
	return &Page{
		Title: hostile, Subtitle: hostile, Footer: hostile,
		Sections: []Section{{
			Title: hostile, Text: []string{hostile}, Facts: []Fact{{hostile, hostile}}, Commands: []string{hostile},
			Verdict: &Verdict{Good, hostile},
			Plots:   []*plot.Plot{{Title: hostile, Series: []plot.Series{{Name: hostile, Y: []float64{1, 2}}, {Y: []float64{1}}}}},
			Tables: []Table{
				{Title: hostile, Columns: Columns("name", "time:s", "root:#"), Rows: [][]any{{hostile, time.Millisecond, 123456789}, {"b", nil, uint64(7)}}, Note: hostile},
				{Title: "all of them", Detail: true, Columns: Columns(hostile), Rows: [][]any{{0.1}}},
			},
		}, {Title: hostile}},
	}
}

func TestHostileNamesAreText(t *testing.T) {
	var b strings.Builder
	if err := sample().HTML(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("a name has become an element")
	}
	if n := strings.Count(b.String(), "&lt;script&gt;"); n < 15 {
		t.Errorf("the name is shown %d times", n)
	}
}

func TestSectionsHaveTheirOwnAddress(t *testing.T) {
	var b strings.Builder
	if err := sample().HTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"script-alert-1-script", "script-alert-1-script-2"} {
		if strings.Count(b.String(), `id="`+id+`"`) != 1 || !strings.Contains(b.String(), `href="#`+id+`"`) {
			t.Errorf("section %s", id)
		}
	}
}

func TestTheFileLoadsNothing(t *testing.T) {
	var b strings.Builder
	if err := sample().HTML(&b); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(b.String(), `"http://www.w3.org/2000/svg"`, "")
	for _, loader := range []string{"http:", "https:", "src=", "@import", "url("} {
		if strings.Contains(text, loader) {
			t.Errorf("there is %s", loader)
		}
	}
}

func TestTextObeysNobody(t *testing.T) {
	p := sample()
	p.Sections[0].Text = []string{"a\x1b[31mb\rc"}
	var b strings.Builder
	if err := p.Text(&b); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\r") || !strings.Contains(b.String(), "a[31mbc") {
		t.Errorf("%q", b.String())
	}
	for _, want := range []string{"1 ms", "123456789", Unknown, "▅█", "✓ <script>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "all of them") {
		t.Error("a detail is shown")
	}
}

// Numbers survive CSV with every bit, whatever they are.
func TestCSVIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, n, s := rapid.Float64().Draw(t, "x"), rapid.Uint64().Draw(t, "n"), rapid.StringMatching(`[^\r]*`).Draw(t, "s")
		var b bytes.Buffer
		if err := (Table{Columns: Columns("a:s", "b:#", "c"), Rows: [][]any{{x, n, s}}}).CSV(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 || rows[0][0] != "a (s)" {
			t.Fatal(rows, err)
		}
		gotX, _ := strconv.ParseFloat(rows[1][0], 64)
		gotN, _ := strconv.ParseUint(rows[1][1], 10, 64)
		if gotX != x || gotN != n || rows[1][2] != s {
			t.Fatalf("%q", rows[1])
		}
	})
}

func TestFilesOfEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for ext, write := range map[string]func(string) ([]string, error){".svg": sample().SVG, ".png": sample().PNG, ".csv": sample().CSV} {
		if testing.Short() && ext == ".png" {
			continue
		}
		paths, err := write(dir)
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		if ext == ".csv" && len(paths) != 3 { // facts and two tables
			t.Errorf("%q", paths)
		}
		for _, p := range paths {
			if info, err := os.Stat(p); err != nil || info.Size() == 0 || filepath.Ext(p) != ext || filepath.Dir(p) != dir {
				t.Error(p, err)
			}
		}
	}
	if _, err := sample().CSV("/dev/null/x"); err == nil {
		t.Error("files in a file")
	}
}
