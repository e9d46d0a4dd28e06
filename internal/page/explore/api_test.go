package explore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// mostBytes is the size that no answer exceeds: 400 vertices and those of 40 expansions,
// each with a name of 200 bytes that take six characters each, and 4,000 edges.
const mostBytes = 2 << 20

// handlerOf returns the handler of a server that is ready, without a connection.
func handlerOf(t testing.TB, opts Options, graphs ...Graph) (*Server, http.Handler) {
	t.Helper()
	opts.Timeout = cmp.Or(opts.Timeout, generous)
	s, err := New(graphs, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.check(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, g := range s.graphs {
			_ = g.close()
		}
	})
	return s, s.handler()
}

// askHandler asks a handler, and decodes what comes with a status.
func askHandler(t testing.TB, h http.Handler, address string, want int, value any) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", address, nil))
	if w.Code != want {
		t.Fatalf("%s: status %d, want %d: %.300s", address, w.Code, want, w.Body)
	}
	if value != nil {
		if err := json.Unmarshal(w.Body.Bytes(), value); err != nil {
			t.Fatalf("%s: %v in %.200s", address, err, w.Body)
		}
	}
}

type answered struct {
	Vertices []struct {
		ID                    uint64
		Name                  string
		Exact                 bool
		Degree, Level, Hidden int
		InDegree              int `json:"in_degree"`
		HiddenIn              int `json:"hidden_in"`
	}
	Edges        [][2]int
	Hops         int
	Path         []string
	Paths        string
	Levels       []int64
	Matches      []struct{ Name string }
	HubsLeft     int `json:"hubs_left"`
	VerticesLeft int `json:"vertices_left"`
	Left         int
}

// The facts about Florence are those of Padgett and Ansell: the Medici married into six
// families.
func TestAnswers(t *testing.T) {
	_, h := handlerOf(t, Options{}, Graph{"florence", florence(t)})
	var a answered
	askHandler(t, h, "/api/names?typed=medi", 200, &a)
	if len(a.Matches) != 1 || a.Matches[0].Name != "Medici" {
		t.Errorf("medi: %+v", a.Matches)
	}
	a = answered{}
	askHandler(t, h, "/api/around?vertex=Medici&hops=1", 200, &a)
	if len(a.Vertices) != 7 || a.Vertices[0].Name != "Medici" || a.Vertices[0].Degree != 6 {
		t.Errorf("around the Medici: %+v", a.Vertices)
	}
	a = answered{}
	askHandler(t, h, "/api/path?from=Peruzzi&to=Pazzi", 200, &a)
	if a.Hops != 5 || len(a.Path) != 6 || a.Path[3] != "Medici" || a.Path[4] != "Salviati" {
		t.Errorf("from the Peruzzi to the Pazzi: %+v", a)
	}
	a = answered{}
	askHandler(t, h, "/api/paths?from=Peruzzi&to=Pazzi", 200, &a)
	if a.Hops != 5 || a.Paths != "2" || len(a.Vertices) != 8 || len(a.Edges) != 8 {
		t.Errorf("all paths from the Peruzzi to the Pazzi: %+v", a)
	}
	a = answered{}
	askHandler(t, h, "/api/levels?vertex=Medici", 200, &a)
	if !slices.Equal(a.Levels, []int64{1, 6, 5, 3}) {
		t.Errorf("levels of the Medici: %v", a.Levels)
	}
}

// In a directed graph every edge counts, out of a vertex or into it, also where two vertices
// have one each way. An edge is hidden if its other end is not drawn, whichever way it leads.
func TestDirectedEdgesAreCounted(t *testing.T) {
	_, h := handlerOf(t, Options{}, Graph{"arrows", arrows(t)})
	for _, c := range []struct {
		direction, vertices string
		hidden, hiddenIn    int
	}{
		{"out", "0 1 2 3", 2, 2}, // 4 and 5 lead to the middle, which leads to 1, 2 and 3
		{"in", "0 1 4 5", 2, 0},
	} {
		var a answered
		askHandler(t, h, "/api/around?vertex=0&hops=1&direction="+c.direction, 200, &a)
		var drawn []string
		for _, v := range a.Vertices {
			drawn = append(drawn, v.Name)
		}
		slices.Sort(drawn)
		m := a.Vertices[0]
		if strings.Join(drawn, " ") != c.vertices || m.Degree != 6 || m.InDegree != 3 || m.Hidden != c.hidden || m.HiddenIn != c.hiddenIn {
			t.Errorf("%s of it: %v, %+v, want %s and %d hidden, %d of them into it", c.direction, drawn, m, c.vertices, c.hidden, c.hiddenIn)
		}
	}
}

func TestRefusals(t *testing.T) {
	_, h := handlerOf(t, Options{}, Graph{"florence", florence(t)})
	for address, want := range map[string]int{
		"/api/around":                                                           400,
		"/api/around?vertex=Medici&hops=7":                                      400,
		"/api/around?vertex=Medici&hops=-1":                                     400,
		"/api/around?vertex=Medici&limit=401":                                   400,
		"/api/around?vertex=Medici&direction=up":                                400,
		"/api/around?vertex=Medici&vertex=Pazzi":                                400,
		"/api/around?vertex=Medici&vertex.id=1":                                 400,
		"/api/around?vertex=Medici&nonsense=1":                                  400,
		"/api/around?vertex=Medici&" + strings.Repeat("expand=1&", maxExpand+1): 400,
		"/api/around?vertex=Medici&expand=99":                                   404,
		"/api/around?vertex.id=99":                                              404,
		"/api/around?vertex.id=-1":                                              404,
		"/api/around?vertex=Nobody":                                             404,
		"/api/around?graph=other&vertex=Medici":                                 404,
		"/api/path?from=Medici":                                                 400,
		"/api/path?from=Medici&to=%zz":                                          400,
		"/api/path?from=Medici&to=a;b=c":                                        400,
		"/api/names?limit=51":                                                   400,
		"/api/other":                                                            404,
	} {
		var value struct{ Error string }
		w := httptest.NewRecorder()
		h.ServeHTTP(w, &http.Request{Method: "GET", URL: mustParse(t, address), Header: http.Header{}})
		if w.Code != want {
			t.Errorf("%s: %d, want %d", address, w.Code, want)
		}
		if strings.HasPrefix(address, "/api/") && address != "/api/other" && (json.Unmarshal(w.Body.Bytes(), &value) != nil || value.Error == "") {
			t.Errorf("%s: %s", address, w.Body)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/api/graphs", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

func mustParse(t testing.TB, address string) *url.URL {
	path, query, _ := strings.Cut(address, "?")
	return &url.URL{Path: path, RawQuery: query}
}

// A hub does not make an answer large: what is left out is counted.
func TestBoundsOfAnAnswer(t *testing.T) {
	const leaves = 20_000
	var edges []hops.Edge
	for v := range hops.Vertex(leaves) {
		edges = append(edges, hops.Edge{U: 0, V: v + 1})
	}
	_, h := handlerOf(t, Options{}, Graph{"star", build(t, edge.List(edges, leaves+2))})
	var a answered
	askHandler(t, h, "/api/around?vertex=0&limit=80&hops=1", 200, &a)
	if len(a.Vertices) != 80 || a.Vertices[0].Hidden != leaves-79 {
		t.Errorf("%d vertices, %d hidden", len(a.Vertices), a.Vertices[0].Hidden)
	}
	a = answered{}
	askHandler(t, h, "/api/around?vertex=5&limit=80&hops=2&max_degree=100", 200, &a)
	if len(a.Vertices) != 1 || a.HubsLeft != 1 {
		t.Errorf("without hubs: %d vertices, %d left out", len(a.Vertices), a.HubsLeft)
	}
	a = answered{}
	askHandler(t, h, fmt.Sprintf("/api/path?from=1&to=%d", leaves+1), 200, &a)
	if a.Hops != -1 || len(a.Path) != 0 {
		t.Errorf("no path: %+v", a)
	}
}

// A path that is longer than an answer may be is cut, and says so.
func TestLongPath(t *testing.T) {
	const length = 3000
	var edges []hops.Edge
	for v := range hops.Vertex(length) {
		edges = append(edges, hops.Edge{U: v, V: v + 1})
	}
	_, h := handlerOf(t, Options{}, Graph{"line", build(t, edge.List(edges, length+1))})
	var a answered
	askHandler(t, h, fmt.Sprintf("/api/path?from=0&to=%d", length), 200, &a)
	if a.Hops != length || len(a.Path) != 1000 || a.Left != length+1-1000 {
		t.Errorf("%d hops, %d vertices, %d left", a.Hops, len(a.Path), a.Left)
	}
	askHandler(t, h, fmt.Sprintf("/api/paths?from=0&to=%d", length), 400, nil)
}

// hostile are names that do harm where they are taken for something else than text.
var hostile = []string{
	`<script>document.title="pwned"</script>`, `"><img src=x onerror=alert(1)>`, "\x1b[31mred\x07", "a\x00b", "\xff\xfe not UTF-8", "\xff\xfd not UTF-8", "=cmd|x", "@SUM",
	"right\u202eleft", "line\nline\u2028line", `back\slash "quote" 'quote'`, "=1+1", "ünïcödé 日本 😀", "", strings.Repeat("long", 300_000), "&amp;", "%41%00", "a b+c#d?e",
}

func hostileGraph(t testing.TB) *graph.Graph {
	var pairs [][2]string
	for _, name := range hostile {
		pairs = append(pairs, [2]string{"center", name})
	}
	return named(t, pairs...)
}

// Names arrive as what they are, or say that they are not exact and come by number.
func TestHostileNames(t *testing.T) {
	g := hostileGraph(t)
	_, h := handlerOf(t, Options{}, Graph{`<b>"x"` + "\n", g})
	var all answered
	askHandler(t, h, "/api/around?vertex=center&hops=1", 200, &all)
	if len(all.Vertices) != len(hostile)+1 {
		t.Fatalf("%d vertices", len(all.Vertices))
	}
	seen := map[string]bool{}
	for _, v := range all.Vertices {
		name := g.Name(hops.Vertex(v.ID))
		if v.Exact != (len(name) < 1000 && !strings.Contains(name, "\xff")) || v.Exact && v.Name != name {
			t.Errorf("%.60q came as %.60q, exact: %v", name, v.Name, v.Exact)
		}
		seen[v.Name] = true
		var one answered
		if v.Exact {
			askHandler(t, h, "/api/around?hops=1&vertex="+url.QueryEscape(name), 200, &one)
		} else {
			askHandler(t, h, fmt.Sprintf("/api/around?hops=1&vertex.id=%d", v.ID), 200, &one)
		}
		if one.Vertices[0].ID != v.ID {
			t.Errorf("%.60q asks for another vertex", name)
		}
	}
	askHandler(t, h, "/api/around?vertex=%ff%fe+not+UTF-8", 200, nil) // its bytes name it too
	askHandler(t, h, "/metrics", 200, nil)
}

// Many requests leave no memory behind.
func TestMemoryDoesNotGrow(t *testing.T) {
	g := kronecker(t, 12)
	_, h := handlerOf(t, Options{Searchers: 2}, Graph{"k", g})
	ask := func(count int) {
		for i := range count {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", fmt.Sprintf("/api/path?from=%d&to=%d", i*5%4096, (i*7+3)%4096), nil))
			if w.Code != 200 {
				t.Fatal(w.Code, w.Body)
			}
		}
	}
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	ask(4096)
	before := held()
	ask(20_000)
	if after := held(); after > before+(4<<20) {
		t.Errorf("%d bytes before, %d after", before, after)
	}
}

// Whatever is asked, the answer is whole, small and of a known status.
func FuzzRequest(f *testing.F) {
	for _, r := range routes {
		f.Add(r.path, "graph=hostile&vertex=center&from=center&to=center&typed=a&limit=3&hops=2&expand=1&expand=2&max_degree=3&direction=in")
		f.Add(r.path, "vertex.id=3&from.id=1&to.id=2")
	}
	f.Add("/api/names", "typed=%ff%00;")
	s, err := New([]Graph{{"hostile", hostileGraph(f)}, {"k", kronecker(f, 6)}}, Options{Searchers: 1, Timeout: generous})
	if err != nil {
		f.Fatal(err)
	}
	if err := s.check(f.Context()); err != nil {
		f.Fatal(err)
	}
	h := s.handler()
	f.Fuzz(func(t *testing.T, path, query string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, &http.Request{Method: "GET", URL: &url.URL{Path: path, RawQuery: query}, Header: http.Header{}})
		if !slices.Contains([]int{200, 301, 307, 308, 400, 404}, w.Code) || w.Body.Len() > mostBytes {
			t.Errorf("%q %q: status %d, %d bytes", path, query, w.Code, w.Body.Len())
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q %q: %.200s", path, query, w.Body)
		}
		for _, g := range s.graphs {
			if g.searchers.busy() > 0 || g.scans.busy() > 0 || g.whole.busy() > 0 {
				t.Errorf("%q %q: a searcher is lost", path, query)
			}
		}
	})
}
