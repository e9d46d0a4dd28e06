package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/compression"
	"github.com/gohops/hops/query"
)

// A pairsAnswer has the paths in the order of the pairs.
type pairsAnswer struct {
	Paths []pathAnswer `json:"paths"`
}

func (o *pathFlags) answerPairs(ctx context.Context, g *graph.Graph, out io.Writer) error {
	pairs, err := o.readPairs(ctx, g)
	if err != nil {
		return err
	}
	paths, err := o.findPaths(ctx, g, pairs)
	if err != nil {
		return err
	}
	for i, line := range paths {
		paths[i] = o.short(line)
	}
	return writeCompressed(o.output, out, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<16)
		return cmp.Or(o.printPairs(g, pairs, paths, buffered), buffered.Flush())
	})
}

// printPairs prints a line or a JSON object for each path, or one object for all.
func (o *pathFlags) printPairs(g *graph.Graph, pairs []query.Pair, paths [][]hops.Vertex, out io.Writer) error {
	if o.json {
		answer := pairsAnswer{Paths: []pathAnswer{}}
		for i, line := range paths {
			answer.Paths = append(answer.Paths, newPathAnswer(g, pairs[i], line))
		}
		return printJSON(out, answer)
	}
	if compression.Suffix(o.output) == ".jsonl" {
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		for i, line := range paths {
			if err := lines.Encode(newPathAnswer(g, pairs[i], line)); err != nil {
				return err
			}
		}
		return nil
	}
	if _, err := io.WriteString(out, "hops\tpath\n"); err != nil {
		return err
	}
	for i, line := range paths {
		figure := strconv.Itoa(len(line) - 1)
		if line == nil {
			line = []hops.Vertex{pairs[i].From, pairs[i].To}
		}
		if err := printPathLine(g, figure, line, out); err != nil {
			return err
		}
	}
	return nil
}

// checkOutput refuses a file whose name says a format that paths are not written in.
func (o *pathFlags) checkOutput() error {
	wanted := map[bool][]string{false: {"", ".tsv", ".txt", ".jsonl"}, true: {"", ".json"}}[o.json]
	switch err := compression.Check(o.output); {
	case err != nil:
		return usageError{err}
	case o.output != "-" && !slices.Contains(wanted, compression.Suffix(o.output)):
		return usageError{fmt.Errorf("%s: paths are written as .tsv, .txt or .jsonl, or with --json as .json, and compressed as .gz or .zst", o.output)}
	}
	return nil
}

// findPaths finds the paths in the way that is likely to be the fastest: on the cores of
// this machine by pair or by source, and otherwise by source.
func (o *pathFlags) findPaths(ctx context.Context, g *graph.Graph, pairs []query.Pair) ([][]hops.Vertex, error) {
	bySource, sources := query.BySource(pairs), len(query.Sources(pairs))
	if o.engine.engine == "" && !bySource {
		return query.PathsByPair(ctx, g, pairs, o.input.threads)
	}
	engine, err := o.resolve(g, sources)
	if err != nil {
		return nil, err
	}
	if engine.Name == calibratedEngine && !bySource && hasOnly(engine, "threads") {
		return query.PathsByPair(ctx, g, pairs, number(engine, "threads"))
	}
	shared, err := shareSearches(ctx, g, engine, max(minShared, sources), 0)
	if err != nil {
		return nil, err
	}
	if shared != nil {
		defer shared.Close()
		return query.PathsBySource(ctx, g, shared, pairs)
	}
	s, err := o.engine.app.newSearcher(ctx, g, engine)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return query.PathsByTree(ctx, g, s, pairs)
}

// readPairs reads a file like an edge list of the names of g. A first line is a header as
// --header says, or if it looks like one, and then only if neither of its names is a vertex.
// Lines are comments as --comment says, or if no vertex has a name like one.
func (o *pathFlags) readPairs(ctx context.Context, g *graph.Graph) ([]query.Pair, error) {
	name := o.pairs
	opts, err := o.input.options()
	if err != nil {
		return nil, err
	}
	opts = format.Options{Format: "edges", DropWeights: true, Header: opts.Header, Comment: opts.Comment}
	if opts.Comment == "" && hasCommentName(g) {
		opts.Comment = format.NoComments
	}
	if opts.IDs = format.IntIDs; g.Names.IsText() {
		opts.IDs = format.TextIDs
	}
	opts.IsEdge = func(from, to string) bool {
		_, isFrom := g.Lookup(from)
		_, isTo := g.Lookup(to)
		if opts.Header == format.WithHeader {
			return isFrom && isTo
		}
		return isFrom || isTo
	}
	in, err := format.Open(ctx, name, opts)
	if errors.Is(err, format.ErrNoEdges) {
		return nil, fmt.Errorf("%s: no line has a pair of vertices", name)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	src, err := in.Source()
	if err != nil {
		return nil, err
	}
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n < len(edges) {
		return nil, fmt.Errorf("%s: pair %d: %w", name, n, err)
	}
	known := make([]hops.Vertex, src.NumVertices())
	for v := range known {
		if known[v], err = lookup(g, in.Names.Name(hops.Vertex(v))); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !o.input.quiet {
		fmt.Fprintf(o.stderr, "pairs        %d; %s\n", len(edges), in.Format)
		for _, note := range in.Notes {
			fmt.Fprintf(o.stderr, "note         %s\n", note)
		}
	}
	pairs := make([]query.Pair, len(edges))
	for i, e := range edges {
		pairs[i] = query.Pair{From: known[e.U], To: known[e.V]}
	}
	return pairs, nil
}

// hasCommentName tells whether a vertex has a name that begins as a comment does.
func hasCommentName(g *graph.Graph) bool {
	if !g.Names.IsText() {
		return false
	}
	for v := range g.NumVertices() {
		if name := g.Names.Name(v); strings.HasPrefix(name, "#") || strings.HasPrefix(name, "%") {
			return true
		}
	}
	return false
}
