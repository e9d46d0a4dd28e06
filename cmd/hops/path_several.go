package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// shownPaths is how many of all shortest paths are printed unless --limit says otherwise:
// a few screens.
const shownPaths = 100

// A severalAnswer has paths between the same two vertices. Count is the number of
// all shortest paths, of which Paths may be the first few.
type severalAnswer struct {
	From  any         `json:"from"`
	To    any         `json:"to"`
	Hops  int         `json:"hops"`
	Count json.Number `json:"count"`
	Paths [][]any     `json:"paths"`
}

func (o *pathFlags) answerAll(ctx context.Context, g *graph.Graph, a, b string, out io.Writer) error {
	from, to, err := lookupBoth(g, a, b)
	if err != nil {
		return err
	}
	all, err := query.AllShortestPaths(ctx, g, from, to)
	if err != nil {
		return err
	}
	if float64(all.Hops()) > o.within {
		all = &query.PathLayers{}
	}
	count := all.Count().String()
	var shown [][]hops.Vertex
	for path := range all.Paths() {
		if len(shown) == o.limit {
			break
		}
		shown = append(shown, append([]hops.Vertex(nil), path...))
	}
	if all.Hops() >= 0 && !o.input.quiet && fmt.Sprint(len(shown)) != count {
		fmt.Fprintf(o.stderr, "paths        the first %d of %s; --limit N prints more\n", len(shown), count)
	}
	if o.json {
		answer := severalAnswer{jsonName(g, from), jsonName(g, to), all.Hops(), json.Number(count), [][]any{}}
		for _, path := range shown {
			answer.Paths = append(answer.Paths, jsonNames(g, path))
		}
		err = printJSON(out, answer)
	} else if o.count {
		_, err = fmt.Fprintln(out, count)
	} else if len(all.Layers) > 0 {
		err = printPaths(g, shown, out)
	}
	return found(o, all.Layers, a, b, err)
}

// A kAnswer has the shortest paths between two vertices, the shortest first.
type kAnswer struct {
	From  any     `json:"from"`
	To    any     `json:"to"`
	Paths []kPath `json:"paths"`
}

// A kPath has a distance only if weights count.
type kPath struct {
	Hops     int      `json:"hops"`
	Distance *float64 `json:"distance,omitempty"`
	Path     []any    `json:"path"`
}

func (o *pathFlags) answerK(ctx context.Context, g *graph.Graph, a, b string, out io.Writer) error {
	from, to, err := lookupBoth(g, a, b)
	if err != nil {
		return err
	}
	paths, err := query.KShortestPaths(ctx, g, from, to, o.k, o.input.weights, o.input.threads)
	if err != nil {
		return err
	}
	for i, p := range paths {
		if p.Length > o.within {
			paths = paths[:i]
			break
		}
	}
	if o.json {
		answer := kAnswer{jsonName(g, from), jsonName(g, to), []kPath{}}
		for _, p := range paths {
			one := kPath{Hops: len(p.Vertices) - 1, Path: jsonNames(g, p.Vertices)}
			if o.input.weights {
				one.Distance = &p.Length
			}
			answer.Paths = append(answer.Paths, one)
		}
		return found(o, paths, a, b, printJSON(out, answer))
	}
	head := "hops\tpath\n"
	if o.input.weights {
		head = "distance\tpath\n"
	}
	if len(paths) > 0 {
		_, err = io.WriteString(out, head)
	}
	for _, p := range paths {
		if err == nil {
			err = printPathLine(g, distanceText(p.Length), p.Vertices, out)
		}
	}
	return found(o, paths, a, b, err)
}

// printPaths prints a header and a line for each path: its hops and its vertices.
func printPaths(g *graph.Graph, paths [][]hops.Vertex, out io.Writer) error {
	if _, err := io.WriteString(out, "hops\tpath\n"); err != nil {
		return err
	}
	for _, path := range paths {
		if err := printPathLine(g, fmt.Sprint(len(path)-1), path, out); err != nil {
			return err
		}
	}
	return nil
}

// printPathLine prints a figure and the vertices of a path with tabs between.
func printPathLine(g *graph.Graph, figure string, path []hops.Vertex, out io.Writer) error {
	text := []byte(figure)
	for _, v := range path {
		text = g.AppendName(append(text, '\t'), v)
	}
	_, err := out.Write(append(text, '\n'))
	return err
}
