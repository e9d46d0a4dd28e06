package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/base/arena"
)

// A client is the other end of a worker that runs in this process.
type client struct {
	*testing.T
	in     io.WriteCloser
	lines  *bufio.Scanner
	folder string
	ended  chan error
}

func start(t *testing.T, ctx context.Context) *client {
	t.Helper()
	fromUs, in := io.Pipe()
	out, toUs := io.Pipe()
	c := &client{T: t, in: in, lines: bufio.NewScanner(out), ended: make(chan error, 1)}
	directory := t.TempDir()
	go func() {
		err := Serve(ctx, fromUs, toUs, Options{Threads: 1, Directory: directory, Version: "test"})
		_ = toUs.Close()
		_ = fromUs.CloseWithError(io.ErrClosedPipe)
		c.ended <- err
	}()
	var g Greeting
	c.read(&g)
	if g.Protocol != Protocol || g.Version != "test" || filepath.Dir(g.Directory) != directory {
		t.Fatalf("the greeting is %+v", g)
	}
	c.folder = g.Directory
	return c
}

func (c *client) read(v any) {
	c.Helper()
	if !c.lines.Scan() {
		c.Fatalf("no answer: %v", c.lines.Err())
	}
	if err := json.Unmarshal(c.lines.Bytes(), v); err != nil {
		c.Fatal(err)
	}
}

// answer is a reply as the other program reads it.
type answer struct {
	ID          int64
	OK          map[string]any
	Error, Kind string
}

func (c *client) ask(format string, args ...any) (a answer) {
	c.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.Fatal(err)
	}
	c.read(&a)
	return a
}

// must is ask for a request that has an answer.
func (c *client) must(format string, args ...any) map[string]any {
	c.Helper()
	a := c.ask(format, args...)
	if a.Error != "" {
		c.Fatalf("%s: %s", fmt.Sprintf(format, args...), a.Error)
	}
	return a.OK
}

func (c *client) end() {
	c.Helper()
	_ = c.in.Close()
	if err := <-c.ended; err != nil {
		c.Error(err)
	}
	if _, err := os.Stat(c.folder); !os.IsNotExist(err) {
		c.Errorf("the folder is still there: %v", err)
	}
}

// array is the content of a file that an answer names.
func array[T any](c *client, name any) []T {
	c.Helper()
	b, err := os.ReadFile(filepath.Join(c.folder, name.(string)))
	if err != nil {
		c.Fatal(err)
	}
	start := 10 + int(binary.LittleEndian.Uint16(b[8:]))
	if start%64 != 0 {
		c.Errorf("numbers begin at byte %d", start)
	}
	return append([]T{}, arena.View[T](b[start:])...)
}

// give writes numbers into the folder as NumPy does.
func (c *client) give(name string, numbers ...uint32) {
	c.Helper()
	text := fmt.Sprintf("%-117s\n", fmt.Sprintf("{'descr': '<u4', 'fortran_order': False, 'shape': (%d,), }", len(numbers)))
	b := append([]byte("\x93NUMPY\x01\x00v\x00"), text...)
	for _, x := range numbers {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	if err := os.WriteFile(filepath.Join(c.folder, name), b, 0o600); err != nil {
		c.Fatal(err)
	}
}

func want[T any](c *client, what string, got, want T) {
	c.Helper()
	if !reflect.DeepEqual(got, want) {
		c.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestQuestionsAboutAFile(t *testing.T) {
	c := start(t, t.Context())
	defer c.end()
	file := filepath.Join(t.TempDir(), "friends.txt")
	if err := os.WriteFile(file, []byte("Ada Bob\nBob Cy\nCy Dan\nEve Fay\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := c.must(`{"id": 1, "op": "open", "path": %q}`, file)
	want(c, "graph", got, map[string]any{"graph": 1., "vertices": 6., "edges": 4., "directed": false, "weighted": false, "names": "text"})
	want(c, "lookup", c.must(`{"id": 2, "op": "lookup", "graph": 1, "names": ["QWRh", "RXZl"]}`), map[string]any{"vertices": []any{0., 4.}})
	want(c, "names", c.must(`{"id": 2, "op": "names", "graph": 1, "vertices": [4, 0]}`), map[string]any{"names": []any{"RXZl", "QWRh"}})
	got = c.must(`{"id": 3, "op": "bfs", "graph": 1, "vertices": [0]}`)
	want(c, "levels", array[int32](c, got["levels"]), []int32{0, 1, 2, 3, -1, -1})
	want(c, "parents", array[int32](c, got["parents"]), []int32{0, 0, 1, 2, -1, -1})
	got = c.must(`{"id": 4, "op": "bfs", "graph": 1, "vertices": [0], "max_depth": 1}`)
	want(c, "levels up to 1", array[int32](c, got["levels"]), []int32{0, 1, -1, -1, -1, -1})
	want(c, "path", c.must(`{"id": 5, "op": "path", "graph": 1, "vertices": [3, 1]}`)["path"], any([]any{3., 2., 1.}))
	want(c, "no path", c.must(`{"id": 5, "op": "path", "graph": 1, "vertices": [3, 4]}`)["path"], nil)
	got = c.must(`{"id": 6, "op": "components", "graph": 1}`)
	want(c, "components", array[int32](c, got["lowest"]), []int32{0, 0, 0, 0, 4, 4})
	want(c, "their number", got["count"], any(2.))
	got = c.must(`{"id": 7, "op": "closeness", "graph": 1, "vertices": [0, 1]}`)
	want(c, "closest first", array[int32](c, got["vertices"]), []int32{1, 0})
	want(c, "reached", array[int64](c, got["reached"]), []int64{4, 4})
	want(c, "sums of hops", array[int64](c, got["hops"]), []int64{4, 6})
	got = c.must(`{"id": 8, "op": "near", "graph": 1, "vertices": [0], "max_depth": 2}`)
	want(c, "near", array[int32](c, got["vertices"]), []int32{0, 1, 2})
	want(c, "hops", array[float64](c, got["distances"]), []float64{0, 1, 2})
	c.must(`{"id": 9, "op": "close", "graph": 1}`)
	want(c, "closed", c.ask(`{"id": 10, "op": "bfs", "graph": 1, "vertices": [0]}`).Kind, "request")
}

func TestEdgesWithWeights(t *testing.T) {
	c := start(t, t.Context())
	defer c.end()
	c.give("in.npy", 0, 1, 0, 1, 2, 2, 0x3f800000, 0x3f000000, 0x40000000) // 0→1 by 1, 1→2 by 0.5, 0→2 by 2
	got := c.must(`{"id": 1, "op": "edges", "path": "in.npy", "count": 4, "directed": true, "weighted": true}`)
	want(c, "directed", got["directed"], any(true))
	got = c.must(`{"id": 2, "op": "distances", "graph": 1, "vertices": [0]}`)
	distances := array[float64](c, got["distances"])
	want(c, "distances", distances[:3], []float64{0, 1, 1.5})
	want(c, "parents", array[int32](c, got["parents"]), []int32{0, 0, 1, -1})
	got = c.must(`{"id": 3, "op": "path", "graph": 1, "vertices": [0, 2], "weighted": true}`)
	want(c, "lightest", got, map[string]any{"path": []any{0., 1., 2.}, "weight": 1.5})
	got = c.must(`{"id": 4, "op": "near", "graph": 1, "vertices": [0], "within": 1}`)
	want(c, "within 1", array[int32](c, got["vertices"]), []int32{0, 1})
}

// The queue follows rows in the order of the edges, not of degrees.
func TestQueueKeepsTheOrderOfRows(t *testing.T) {
	c := start(t, t.Context())
	defer c.end()
	c.give("in.npy", 0, 0, 0, 1, 2, 2 /* to */, 3, 1, 2, 4, 4, 5)
	c.must(`{"id": 1, "op": "edges", "path": "in.npy", "count": 6, "directed": true, "rows": true}`)
	got := c.must(`{"id": 2, "op": "queue", "graph": 1, "vertices": [0]}`)
	want(c, "order", array[int32](c, got["order"]), []int32{0, 3, 1, 2, 4, 5})
	want(c, "parents", array[int32](c, got["parents"]), []int32{0, 0, 0, 0, 1, 2})
	want(c, "ends", array[int64](c, got["ends"]), []int64{1, 4, 6})
	got = c.must(`{"id": 3, "op": "queue", "graph": 1, "vertices": [2, 0], "max_depth": 0}`)
	want(c, "roots alone", array[int32](c, got["order"]), []int32{2, 0})
}

// What cannot be answered says so, and what follows is answered.
func TestRefusals(t *testing.T) {
	c := start(t, t.Context())
	defer c.end()
	c.give("in.npy", 0, 1, 1, 2)
	c.give("odd.npy", 0, 1, 1)
	c.give("unsorted.npy", 1, 0, 2, 1)
	for name, content := range map[string]string{"short.npy": "\x93NUM", "cut.npy": "\x93NUMPY\x01\x00v\x00{'descr'"} {
		if err := os.WriteFile(filepath.Join(c.folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.must(`{"id": 1, "op": "edges", "path": "in.npy", "count": 3}`)
	for _, q := range []struct{ request, kind, message string }{
		{`{"id": 2, "op": "bfs"`, "request", "not a request"},
		{`[1]`, "request", "not a request"},
		{``, "request", "not a request"},
		{"\x00\xff", "request", "not a request"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [0]} {"id": 3}`, "request", "more than one value"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [0]}]`, "request", "more than one value"},
		{`{"id": 99999999999999999999, "op": "bfs"}`, "request", "99999999999999999999"},
		{`{"id": 2, "op": 3}`, "request", "number"},
		{`{"id": 2, "op": "bfs", "graph": "1", "vertices": [0]}`, "request", "string"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [-1]}`, "request", "-1"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [0.5]}`, "request", "0.5"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": {"0": 0}}`, "request", "object"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [18446744073709551616]}`, "request", "18446744073709551616"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [18446744073709551615]}`, "vertex", "18446744073709551615"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [0], "max_depth": 1e30}`, "request", "1e30"},
		{`{"id": 2, "op": "near", "graph": 1, "vertices": [0], "within": NaN}`, "request", "not a request"},
		{`{"id": 2, "op": "near", "graph": 1, "vertices": [0], "within": Infinity}`, "request", "not a request"},
		{`{"id": 2, "op": "near", "graph": 1, "vertices": [0], "within": 1e999}`, "request", "1e999"},
		{`{"id": 2, "op": "near", "graph": 1, "vertices": [0], "within": -1}`, "request", "not negative"},
		{`{"id": 2, "op": "lookup", "graph": 1, "names": ["no base64!"]}`, "request", "base64"},
		{strings.Repeat("[", 20000), "request", "not a request"},
		{`{"op": "` + strings.Repeat("x", maxLine) + `"}`, "request", fmt.Sprint(maxLine)},
		{`{"id": 2, "op": "open", "path": "a\u0000b"}`, "", "invalid"},
		{`{"id": 2, "op": "open"}`, "request", "path of a file"},
		{`{"id": 2, "op": "edges", "path": "short.npy", "count": 3}`, "request", "not a .npy file"},
		{`{"id": 2, "op": "edges", "path": "cut.npy", "count": 3}`, "request", "not a .npy file"},
		{`{"id": 2, "op": "edges", "path": ".", "count": 3}`, "", "directory"},
		{`{"id": 2, "op": "dance"}`, "request", `unknown op "dance"`},
		{`{"id": 2, "op": "bfs", "grpah": 1}`, "request", "grpah"},
		{`{"id": 2, "op": "bfs", "graph": 7, "vertices": [0]}`, "request", "no graph 7 is open"},
		{`{"id": 2, "op": "bfs", "graph": 1}`, "request", "bfs takes 1 vertices"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [3]}`, "vertex", "no vertex 3: the graph has 3"},
		{`{"id": 2, "op": "bfs", "graph": 1, "vertices": [0], "max_depth": 0}`, "request", "at least 1"},
		{`{"id": 2, "op": "path", "graph": 1, "vertices": [0]}`, "request", "path takes 2"},
		{`{"id": 2, "op": "queue", "graph": 1, "vertices": [0]}`, "request", "without its rows"},
		{`{"id": 2, "op": "distances", "graph": 1, "vertices": [0]}`, "", "no weights"},
		{`{"id": 2, "op": "lookup", "graph": 1, "names": ["OQ=="]}`, "vertex", `no vertex is called "9"`},
		{`{"id": 2, "op": "open", "path": "no such file"}`, "file", "no such file"},
		{`{"id": 2, "op": "open", "path": "-"}`, "request", "path of a file"},
		{`{"id": 2, "op": "open", "path": "x", "ids": "words"}`, "request", "words"},
		{`{"id": 2, "op": "edges", "path": "../in.npy", "count": 3}`, "request", "not the name of a file"},
		{`{"id": 2, "op": "edges", "path": "absent.npy", "count": 3}`, "file", "absent.npy"},
		{`{"id": 2, "op": "edges", "path": "odd.npy", "count": 3}`, "request", "odd.npy"},
		{`{"id": 2, "op": "edges", "path": "in.npy", "count": 2}`, "", "2"},
		{`{"id": 2, "op": "edges", "path": "unsorted.npy", "count": 3, "rows": true}`, "request", "in order"},
		{`{"id": 2, "op": "edges", "path": "in.npy", "count": 99999999999}`, "", "99999999999"},
	} {
		if a := c.ask("%s", q.request); a.Kind != q.kind || !strings.Contains(a.Error, q.message) {
			t.Errorf("%s: got %q, kind %q", q.request, a.Error, a.Kind)
		}
	}
	c.must(`{"id": 3, "op": "bfs", "graph": 1, "vertices": [0]}`)
}

// A request that was cancelled before its turn says so.
func TestCancelledRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j := parse([]byte(`{"id": 2, "op": "open", "path": "x"}`))
	j.Context, j.cancel, j.server = ctx, cancel, &server{graphs: map[int64]*entry{}}
	if r := j.answer(); r.Kind != "cancelled" || r.ID != 2 {
		t.Errorf("got %+v", r)
	}
}

// The queue of a worker reads requests ahead, so that it sees one to cancel.
func TestCancelIsReadWhileARequestWaits(t *testing.T) {
	jobs := make(chan *job, maxWait)
	if err := read(t.Context(), strings.NewReader("{\"id\": 1, \"op\": \"bfs\"}\n{\"op\": \"cancel\"}\n{\"id\": 2, \"op\": \"bfs\"}\n"), jobs); err != nil {
		t.Fatal(err)
	}
	if first, second := <-jobs, <-jobs; first.Err() == nil || second.Err() != nil {
		t.Errorf("the first: %v, the second: %v; want only the first cancelled", first.Err(), second.Err())
	}
}

func TestEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	c := start(t, ctx)
	cancel(io.ErrUnexpectedEOF)
	if err := <-c.ended; err != io.ErrUnexpectedEOF {
		t.Errorf("ended with %v", err)
	}
	if _, err := os.Stat(c.folder); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// What was done when its end was asked for is answered: the other program has to know
// which files and graphs are there.
func TestCancelAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	last := ops["close"]
	ops["close"] = struct {
		vertices int
		answer   func(*job) (any, error)
	}{0, func(j *job) (any, error) { defer cancel(); return last.answer(j) }}
	defer func() { ops["close"] = last }()
	s := &server{folder: t.TempDir(), graphs: map[int64]*entry{}}
	if err := os.WriteFile(filepath.Join(s.folder, "in.npy"), []byte("\x93NUMPY\x01\x00\x02\x00\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, r := range []request{{Op: "edges", Path: "in.npy", Count: 3}, {Op: "close", Graph: 1}} {
		if got := (&job{Context: ctx, cancel: func() {}, request: r, server: s}).answer(); got.Error != "" {
			t.Errorf("%s: got %+v", r.Op, got)
		}
	}
	if ctx.Err() == nil || len(s.graphs) != 0 {
		t.Errorf("%v; %d graphs are open", ctx.Err(), len(s.graphs))
	}
}

// Where the second array has no room, the first is not left behind.
func TestNoRoomForAnArray(t *testing.T) {
	s := &server{folder: t.TempDir(), graphs: map[int64]*entry{}}
	if err := os.WriteFile(filepath.Join(s.folder, fileName(2)), nil, 0o600); err != nil { // in its way
		t.Fatal(err)
	}
	j := &job{Context: t.Context(), server: s}
	if _, err := j.files(map[string]any{"one": []int32{1}, "other": []int64{2}}); err == nil {
		t.Fatal("a file was overwritten")
	}
	if _, err := os.Stat(filepath.Join(s.folder, fileName(1))); !os.IsNotExist(err) {
		t.Errorf("the first array is still there: %v", err)
	}
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	c := start(t, t.Context())
	defer c.end()
	file := []byte(filepath.Join(t.TempDir(), "caf\xe9.txt"))
	if err := os.WriteFile(string(file), []byte("1 2\n"), 0o600); err != nil {
		t.Skip(err) // some file systems have no such names
	}
	name, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	want(c, "vertices", c.must(`{"id": 1, "op": "open", "path_bytes": %s}`, name)["vertices"], any(2.))
}

// A worker that opened the pipe of its own requests would swallow them.
func TestOwnPipes(t *testing.T) {
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reads.Close()
	defer writes.Close()
	for _, own := range []*os.File{reads, writes} {
		path := fmt.Sprintf("/proc/self/fd/%d", own.Fd())
		if _, err := os.Stat(path); err != nil {
			t.Skip(err)
		}
		j := &job{Context: t.Context(), request: request{Path: path}, server: &server{Options: Options{Pipes: []*os.File{own}}}}
		if _, err := j.open(); err == nil || kind(err) != "request" || !strings.Contains(err.Error(), "pipe") {
			t.Errorf("%s: got %v", path, err)
		}
	}
}
