package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/spell"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/query"
	"github.com/gohops/hops/sssp"
)

// ops are the requests: how many vertices each needs at least, and what answers it.
var ops = map[string]struct {
	vertices int
	answer   func(*job) (any, error)
}{
	"open": {0, (*job).open}, "edges": {0, (*job).edges}, "close": {0, (*job).closeGraph},
	"lookup": {0, (*job).lookup}, "names": {0, (*job).names},
	"bfs": {1, (*job).bfs}, "queue": {0, (*job).queue}, "distances": {1, (*job).distances}, "path": {2, (*job).path},
	"near": {1, (*job).near}, "components": {0, (*job).components}, "closeness": {0, (*job).closeness},
}

// files makes a .npy file of every array, and returns their names by the same keys.
func (j *job) files(arrays map[string]any) (_ any, err error) {
	first := j.server.files
	defer func() {
		for i := first; err != nil && i < j.server.files; i++ {
			_ = os.Remove(filepath.Join(j.folder, fileName(i+1)))
		}
	}()
	for key, numbers := range arrays {
		switch s := numbers.(type) {
		case []int32:
			arrays[key], err = j.file("<i4", 4, arena.Bytes(s))
		case []int64:
			arrays[key], err = j.file("<i8", 8, arena.Bytes(s))
		case []float64:
			arrays[key], err = j.file("<f8", 8, arena.Bytes(s))
		case []uint32: // of vertices: signed, so that "no vertex" is -1, unless there are too many
			dtype := "<i4"
			if j.graph.NumVertices() > math.MaxInt32 {
				dtype = "<u4"
			}
			arrays[key], err = j.file(dtype, 4, arena.Bytes(s))
		}
		if err != nil {
			return nil, fmt.Errorf("worker: %s: %w; --directory names a folder with more room", key, err)
		}
	}
	return arrays, nil
}

// file makes a .npy file and returns its name. The header is padded so that the numbers
// begin at a multiple of 64 bytes.
func (j *job) file(dtype string, size int, content []byte) (string, error) {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", dtype, len(content)/size)
	header = fmt.Sprintf("\x93NUMPY\x01\x00v\x00%-117s\n", header)
	j.server.files++
	name := fileName(j.server.files)
	f, err := os.OpenFile(filepath.Join(j.folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(header)
	if err == nil {
		_, err = f.Write(content)
	}
	return name, errors.Join(err, f.Close())
}

func fileName(number int) string { return strconv.Itoa(number) + ".npy" }

// depth is the most hops that are asked for.
func (r *request) depth() int {
	if r.MaxDepth == nil {
		return math.MaxInt32
	}
	return max(*r.MaxDepth, 0)
}

// search fills the tree from a root. A depth of 0 is no limit.
func (j *job) search(root hops.Vertex, depth int) (trace hops.Trace, err error) {
	if j.searcher == nil {
		if j.searcher, err = cpu.New(j.graph, cpu.Options{Threads: j.Threads}); err != nil {
			return trace, err
		}
		j.tree = hops.NewTree(j.graph.NumVertices())
	}
	j.tree.Reset()
	j.searcher.LimitDepth(depth)
	return j.searcher.Search(j, root, j.tree)
}

func (j *job) bfs() (any, error) {
	if j.depth() == 0 {
		return nil, requestError{errors.New("max_depth of bfs is at least 1")}
	}
	if _, err := j.search(j.Vertices[0], j.depth()); err != nil {
		return nil, err
	}
	j.levels = j.tree.Levels(j.levels)
	return j.files(map[string]any{"levels": j.levels, "parents": j.tree.Narrow})
}

func (j *job) queue() (any, error) {
	if j.rows == nil {
		return nil, requestError{fmt.Errorf("graph %d was made without its rows", j.Graph)}
	}
	order, parents, ends, err := j.rows.queue(j, j.Vertices, j.depth())
	if err != nil {
		return nil, err
	}
	return j.files(map[string]any{"order": order, "parents": parents, "ends": ends})
}

func (j *job) distances() (any, error) {
	p := hops.NewPaths(j.graph.NumVertices())
	if _, err := j.shortest(j.Threads)(j, j.Vertices[0], p); err != nil {
		return nil, err
	}
	return j.files(map[string]any{"distances": p.Double, "parents": p.Narrow})
}

// shortest searches for shortest paths from one vertex to all.
func (e *entry) shortest(threads int) query.DistanceSearch {
	return func(ctx context.Context, root hops.Vertex, p *hops.Paths) (_ hops.Trace, err error) {
		if e.paths == nil {
			if e.paths, err = sssp.New(e.graph, sssp.Options{Threads: threads}); err != nil {
				return hops.Trace{}, err
			}
		}
		return e.paths.Search(ctx, root, p)
	}
}

// landmark is shortest for landmarks, which fails at first where these do not fit in memory.
func (e *entry) landmark(threads int) query.DistanceSearch {
	search, fits := e.shortest(threads), false
	return func(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
		if !fits {
			if err := topo.Fits(query.LandmarkBytes * int64(e.graph.NumVertices())); err != nil {
				return hops.Trace{}, err
			}
			fits = true
		}
		return search(ctx, root, p)
	}
}

// path answers with null where there is none.
func (j *job) path() (any, error) {
	if !j.Weighted {
		line, err := query.ShortestPath(j, j.graph, j.Vertices[0], j.Vertices[1])
		return map[string]any{"path": line}, err
	}
	if j.lightest == nil {
		var err error
		if j.lightest, err = query.NewLightestPaths(j.graph, j.landmark(j.Threads)); err != nil {
			return nil, err
		}
	}
	line, weight, err := j.lightest.Find(j, j.Vertices[0], j.Vertices[1])
	if line == nil {
		return map[string]any{"path": nil}, err
	}
	return map[string]any{"path": line, "weight": weight}, err
}

func (j *job) components() (any, error) {
	c, err := query.ConnectedComponents(j, j.graph, j.Threads)
	if err != nil {
		return nil, err
	}
	return j.files(map[string]any{"lowest": c.Root, "count": len(c.All)})
}

// shared is the number of roots from which on a searcher for many of them at once pays
// for the copy of the rows that it makes; hops closeness has the same bound.
const shared = 512

// closeness lists vertices, all if none is named, the closest first, with the vertices
// that each reaches and the sum of the hops to them.
func (j *job) closeness() (any, error) {
	roots := j.Vertices
	for v := hops.Vertex(0); j.Vertices == nil && v < j.graph.NumVertices(); v++ {
		roots = append(roots, v)
	}
	all, err := j.centralities(roots)
	if err != nil {
		return nil, err
	}
	closest, closeness, reached, sums := make([]uint32, len(all)), make([]float64, len(all)), make([]int64, len(all)), make([]int64, len(all))
	for i, c := range all {
		closest[i], closeness[i] = uint32(c.Vertex), c.Closeness
		reached[i], sums[i] = c.Reached, int64(math.Round(c.MeanHops*float64(c.Reached-1)))
	}
	return j.files(map[string]any{"vertices": closest, "closeness": closeness, "reached": reached, "hops": sums})
}

func (j *job) centralities(roots []hops.Vertex) ([]query.Centrality, error) {
	if len(roots) < shared {
		return query.ClosenessOfTraces(j.graph.NumVertices(), func(root hops.Vertex) (hops.Trace, error) { return j.search(root, 0) }, roots)
	}
	m, err := many.New(j.graph, many.Options{Threads: j.Threads})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return query.Closeness(j, j.graph, m, roots)
}

// near lists the neighbourhood of a vertex, the nearest first.
func (j *job) near() (_ any, err error) {
	var found []uint32
	var far []float64
	visit := func(v hops.Vertex, distance float64) error {
		found, far = append(found, uint32(v)), append(far, distance)
		return nil
	}
	if j.Within != nil && *j.Within < 0 {
		return nil, requestError{fmt.Errorf("within is %g: want a distance, which is not negative", *j.Within)}
	} else if j.Within != nil {
		err = query.WithinDistance(j, j.graph, j.Vertices[0], *j.Within, visit)
	} else {
		err = query.Near(j, j.graph, j.Vertices[0], j.depth(), func(v hops.Vertex, depth int) error { return visit(v, float64(depth)) })
	}
	if err != nil {
		return nil, err
	}
	return j.files(map[string]any{"vertices": found, "distances": far})
}

// names are those of the vertices in Vertices.
func (j *job) names() (any, error) {
	all := make([][]byte, len(j.Vertices))
	for i, v := range j.Vertices {
		all[i] = j.graph.AppendName(nil, v)
	}
	return map[string]any{"names": all}, nil
}

// lookup finds the vertices of names.
func (j *job) lookup() (any, error) {
	found := make([]hops.Vertex, len(j.Names))
	for i, name := range j.Names {
		v, ok := j.graph.Lookup(string(name))
		if found[i] = v; !ok {
			return nil, vertexError{fmt.Errorf("no vertex is called %q%s", name, spell.Suggest(string(name), func(yield func(string) bool) {
				for v := range j.graph.NumVertices() {
					if !j.graph.Names.IsText() || !yield(j.graph.Name(v)) {
						return
					}
				}
			}))}
		}
	}
	return map[string]any{"vertices": found}, nil
}

func (j *job) closeGraph() (any, error) {
	delete(j.graphs, j.Graph)
	return map[string]any{}, j.entry.close()
}
