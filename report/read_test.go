package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Errors name the file and the field that is wrong.
func TestForeignFiles(t *testing.T) {
	good := write(t, "json", result())
	for name, c := range map[string]struct{ text, want string }{
		"empty":     {" \n", "it is empty"},
		"text":      {"SCALE: 20\n", "not JSON at byte 1"},
		"cut":       {good[:len(good)/2], "it is cut short"},
		"list":      {"[1, 2]", "a JSON array where a result should be"},
		"foreign":   {`{"benchmark": "other"}`, `unknown field "benchmark"`},
		"old":       {strings.Replace(good, `"engine"`, `"motor"`, 1), `unknown field "motor"`},
		"lacking":   {strings.Replace(good, `"started"`, `"command"`, 1), `field "started"`},
		"wrong":     {strings.Replace(good, `"scale": 22`, `"scale": "many"`, 1), `field "config.scale" is a JSON string`},
		"too large": {strings.Replace(good, `"scale": 22`, `"scale": 99`, 1), `field "config"`},
		"no time":   {strings.Replace(good, `"ns": 30000000`, `"ns": 0`, 1), `field "searches[0].ns" is 0`},
		"negative":  {strings.Replace(good, `"frontier": 10,`, `"frontier": -10,`, 1), `field "searches[0].levels[1]"`},
		"two":       {good + good, "more than one result"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "r.json")
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := ReadFile(path)
			if err == nil || !strings.HasPrefix(err.Error(), "report: "+path+": ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "none.json") {
		t.Error(err)
	}
}

// Whatever a file holds, it is refused or can be shown.
func FuzzRead(f *testing.F) {
	var good bytes.Buffer
	if err := JSON(&good, result()); err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add([]byte(`{"version":"","started":"2024-01-01T00:00:00Z","engine":"","config":{},"machine":{},"memory":{},"construction_ns":0,"searches":[{"ns":1}]}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			return
		}
		p := Page([]Named{{"a", r}, {"b", r}})
		if err := p.HTML(&bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		if err := p.Text(&bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
	})
}
