package worker

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gohops/hops"
)

// FuzzRequests sends any bytes after a graph was made. Every line that a worker writes is
// an answer, and none tells of a panic; and it answers what comes after all that.
func FuzzRequests(f *testing.F) {
	for op := range ops {
		f.Add([]byte(`{"id": 2, "op": "`+op+`", "graph": 1, "vertices": [0, 2], "max_depth": 2, "names": ["MQ=="]}`), []byte{})
	}
	f.Add([]byte("{\"op\": \"cancel\"}\n{}\n[]\nnull\n\"\"\n"), []byte{})
	f.Add([]byte(`{"id": 4, "op": "open", "path": "any.npy"}`), []byte("1 2\n"))
	f.Add([]byte(`{"id": 5, "op": "near", "graph": 1, "vertices": [0], "within": NaN}`), []byte{})
	f.Add([]byte(`{"id": 6, "op": "bfs", "graph": 1, "vertices": [0]} {"id": 7}`), []byte{})
	f.Add([]byte(`{"id": 8, "op": "bfs", "graph": 1, "vert`), []byte{})
	f.Fuzz(func(t *testing.T, requests, file []byte) {
		if len(requests) > 4096 || bytes.ContainsRune(requests, '/') || bytes.ContainsRune(requests, '\\') || bytes.Contains(bytes.ToLower(requests), []byte("count")) {
			return // no path out of the folder, and no graph of billions of vertices
		}
		folder := t.TempDir()
		t.Chdir(folder)
		if err := os.WriteFile(filepath.Join(folder, "any.npy"), file, 0o600); err != nil {
			t.Fatal(err)
		}
		const open = `{"id": 1, "op": "open", "path": "any.txt"}` + "\n"
		input := slices.Concat([]byte(open), requests, []byte("\n"+open))
		if err := os.WriteFile(filepath.Join(folder, "any.txt"), []byte("0 1\n1 2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Serve(t.Context(), bytes.NewReader(input), &out, Options{Threads: 1, Directory: folder}); err != nil {
			t.Fatal(err)
		}
		var r reply
		for line := range bytes.Lines(out.Bytes()) {
			r = reply{}
			if err := json.Unmarshal(line, &r); err != nil || bytes.Contains(line, []byte("runtime error")) {
				t.Errorf("%s: %v", line, err)
			}
		}
		if r.OK == nil {
			t.Errorf("the last request was not answered, but %+v", r)
		}
	})
}

// FuzzEdges makes graphs of any file. What is accepted can be searched.
func FuzzEdges(f *testing.F) {
	f.Add([]byte("\x93NUMPY\x01\x00\x02\x00\n\n\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x80\x3f"), uint16(4), true, false, true)
	f.Add([]byte("\x93NUMPY\x01\x00\x02\x00\n\n\x00\x00\x00\x00\x01\x00\x00\x00"), uint16(2), false, true, false)
	f.Fuzz(func(t *testing.T, file []byte, count uint16, directed, rows, weighted bool) {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "any.npy"), file, 0o600); err != nil {
			t.Fatal(err)
		}
		s := &server{Options: Options{Threads: 1}, folder: folder, graphs: map[int64]*entry{}}
		defer s.close()
		r := request{Path: "any.npy", Count: hops.Vertex(count), Directed: directed, Rows: rows, Weighted: weighted}
		j := &job{Context: t.Context(), request: r, server: s}
		if _, err := j.edges(); err != nil {
			return
		}
		for _, op := range []string{"components", "closeness"} {
			j := &job{Context: t.Context(), request: request{Op: op, Graph: 1}, server: s}
			if _, err := j.do(); err != nil {
				t.Errorf("%s: %v", op, err)
			}
		}
	})
}
