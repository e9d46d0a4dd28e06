package explore

import (
	"context"
	"strconv"
	"unicode/utf8"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/jsontext"
	"github.com/gohops/hops/internal/page/explore/view"
)

// The bounds of requests. openapi.json says the same, and a test holds it to them.
const (
	maxMatches  = view.MostNames
	maxHops     = 6
	maxVertices = 400
	maxExpand   = 40
	maxDegree   = 1 << 31
	maxPath     = 10_000
	// maxName is the length of a name in an answer, in bytes. Longer ones are cut.
	maxName = 200
)

// A route is an address that answers in JSON.
type route struct {
	path   string
	params []string
	answer func(ctx context.Context, q *request) (any, error)
}

// routes are all of them. openapi.json describes them.
var routes = []route{
	{"/api/graphs", nil, answerGraphs},
	{"/api/names", []string{"graph", "typed", "limit"}, answerNames},
	{"/api/around", []string{"graph", "vertex", "vertex.id", "hops", "limit", expandParam, "max_degree", "direction"}, answerAround},
	{"/api/path", []string{"graph", "from", "from.id", "to", "to.id", "limit"}, answerPath},
	{"/api/paths", []string{"graph", "from", "from.id", "to", "to.id", "limit"}, answerPaths},
	{"/api/levels", []string{"graph", "vertex", "vertex.id"}, answerLevels},
}

// A request asks for something about a graph.
type request struct {
	*params
	server *Server
	graph  *served
}

type graphAnswer struct {
	Name     jsontext.Text `json:"name"`
	Vertices uint64        `json:"vertices"`
	Edges    int64         `json:"edges"`
	Directed bool          `json:"directed"`
	Text     bool          `json:"text"` // names are text, not numbers
}

func answerGraphs(_ context.Context, q *request) (any, error) {
	all := []graphAnswer{}
	for _, g := range q.server.graphs {
		all = append(all, graphAnswer{jsontext.Text(g.title), uint64(g.NumVertices()), g.NumEdges(), g.Directed, g.Names.IsText()})
	}
	return map[string]any{"graphs": all}, nil
}

// A vertexAnswer is a vertex as answers have it.
type vertexAnswer struct {
	ID    uint64        `json:"id"`
	Name  jsontext.Text `json:"name"`
	Exact bool          `json:"exact"` // the name is whole and UTF-8, so that it can be asked for
	// Degree are the edges at the vertex, in both directions, and InDegree those into it of a
	// directed graph.
	Degree   int64 `json:"degree"`
	InDegree int64 `json:"in_degree"`
}

func newVertex(g *served, v hops.Vertex) vertexAnswer {
	name := g.Name(v)
	shown := shorten(name)
	exact := len(shown) == len(name) && utf8.ValidString(name)
	return vertexAnswer{uint64(v), jsontext.Text(shown), exact, view.Degree(g.Graph, uint32(v)), view.InDegree(g.Graph, uint32(v))}
}

// shorten cuts a name that is too long for an answer, at the end of a character.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	end := maxName
	for end > maxName-utf8.UTFMax && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

func answerNames(ctx context.Context, q *request) (any, error) {
	typed, limit := q.values.Get("typed"), q.number("limit", 12, 1, maxMatches)
	if q.err != nil {
		return nil, q.err
	}
	found, more, done := q.graph.names.Complete(typed, limit)
	if !done {
		one, err := q.graph.scans.borrow(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { q.graph.scans.free <- one }()
		if found, more, err = q.graph.names.Scan(ctx, typed, limit); err != nil {
			return nil, err
		}
	}
	matches := []vertexAnswer{}
	for _, v := range found {
		matches = append(matches, newVertex(q.graph, v))
	}
	return map[string]any{"matches": matches, "more": more}, nil
}

// A viewAnswer is a small part of a graph.
type viewAnswer struct {
	Vertices  []drawnVertex `json:"vertices"`
	Edges     [][2]int      `json:"edges"` // places in vertices
	EdgesLeft int           `json:"edges_left"`
}

type drawnVertex struct {
	vertexAnswer
	Level  int `json:"level"`
	Parent int `json:"parent"`
	*hiddenEdges
}

// hiddenEdges are the edges at a vertex whose other end is not in the view. Views of paths do
// not count them.
type hiddenEdges struct {
	Hidden   int `json:"hidden"`
	HiddenIn int `json:"hidden_in"` // of these, how many lead to the vertex
}

func newView(g *served, v *view.View) viewAnswer {
	a := viewAnswer{Vertices: []drawnVertex{}, Edges: [][2]int{}, EdgesLeft: v.EdgesLeft}
	for _, w := range v.Vertices {
		a.Vertices = append(a.Vertices, drawnVertex{newVertex(g, w.Vertex), w.Level, w.Parent, nil})
	}
	a.Edges = append(a.Edges, v.Edges...)
	return a
}

type aroundAnswer struct {
	viewAnswer
	HubsLeft int  `json:"hubs_left"`
	Partial  bool `json:"partial"`
}

func answerAround(ctx context.Context, q *request) (any, error) {
	a := view.Around{
		Center: q.vertex(q.graph, "vertex"), Hops: q.number("hops", 2, 1, maxHops), Limit: q.number("limit", 80, 1, maxVertices),
		MaxDeg: q.number("max_degree", 0, 0, maxDegree-1), Incoming: q.choice("direction", "out", "in") == "in",
	}
	expand := q.values[expandParam]
	if len(expand) > maxExpand {
		q.fail(bad("%d vertices to expand: at most %d", len(expand), maxExpand))
		expand = nil
	}
	for _, id := range expand {
		a.Expand = append(a.Expand, q.place(q.graph, id))
	}
	if q.err != nil {
		return nil, q.err
	}
	s, err := q.graph.searchers.borrow(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { q.graph.searchers.free <- s }()
	v, err := s.picker.Around(ctx, a)
	if err != nil {
		return nil, err
	}
	drawn := newView(q.graph, v)
	for i, w := range v.Vertices {
		drawn.Vertices[i].hiddenEdges = &hiddenEdges{w.HiddenOut + w.HiddenIn, w.HiddenIn}
	}
	return aroundAnswer{drawn, v.HubsLeft, v.Partial}, nil
}

// answerPath writes its answer by hand: it is what programs ask most.
func answerPath(ctx context.Context, q *request) (any, error) {
	from, to, limit := q.vertex(q.graph, "from"), q.vertex(q.graph, "to"), q.number("limit", 1000, 2, maxPath)
	if q.err != nil {
		return nil, q.err
	}
	s, err := q.graph.searchers.borrow(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { q.graph.searchers.free <- s }()
	path, err := s.paths.Find(ctx, s.path[:0], from, to)
	if err != nil {
		return nil, err
	}
	hopCount := len(path) - 1
	left := max(0, len(path)-limit)
	path = path[:len(path)-left]
	out := strconv.AppendInt(append(make([]byte, 0, 256), `{"hops":`...), int64(hopCount), 10)
	out = append(out, `,"path":[`...)
	for i, v := range path {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontext.Append(out, shorten(q.graph.Name(v)))
	}
	out = append(out, `],"ids":[`...)
	for i, v := range path {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendUint(out, uint64(v), 10)
	}
	out = append(strconv.AppendInt(append(out, `],"left":`...), int64(left), 10), '}')
	if cap(path) > cap(s.path) {
		s.path = path
	}
	return out, nil
}

type pathsAnswer struct {
	viewAnswer
	Hops         int    `json:"hops"`
	Paths        string `json:"paths"` // how many there are, which may be more than 64 bits hold
	VerticesLeft int    `json:"vertices_left"`
}

func answerPaths(ctx context.Context, q *request) (any, error) {
	from, to, limit := q.vertex(q.graph, "from"), q.vertex(q.graph, "to"), q.number("limit", 80, 2, maxVertices)
	if q.err != nil {
		return nil, q.err
	}
	w, err := q.graph.whole.borrow(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { q.graph.whole.free <- w }()
	all, err := w.paths.FindAll(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if all.Hops() >= maxVertices {
		return nil, bad("the paths have %d hops, more than a page can show; /api/path lists one", all.Hops())
	}
	v, left := view.Paths(all, limit)
	return pathsAnswer{newView(q.graph, v), all.Hops(), all.Count().String(), left}, nil
}

func answerLevels(ctx context.Context, q *request) (any, error) {
	root := q.vertex(q.graph, "vertex")
	if q.err != nil {
		return nil, q.err
	}
	w, err := q.graph.whole.borrow(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { q.graph.whole.free <- w }()
	sizes, err := w.levels(ctx, q.graph.Graph, root)
	if err != nil {
		return nil, err
	}
	return map[string]any{"levels": sizes}, nil
}
