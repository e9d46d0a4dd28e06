package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/internal/page/progress"
	"github.com/gohops/hops/papers/bench"
)

func (o *benchFlags) extras(ctx context.Context, src hops.Source, roots []hops.Vertex, display *progress.Display) (all []bench.Extra, release func(), err error) {
	var cleanup []func()
	release = func() {
		for _, f := range cleanup {
			f()
		}
	}
	if o.many > 0 {
		display.Begin("many", 0, "edges")
		g, err := csr.Build(ctx, src, 0)
		if err != nil {
			return nil, nil, err
		}
		cleanup = append(cleanup, func() { _ = g.Close() })
		s, err := many.New(g, many.Options{})
		if err != nil {
			release()
			return nil, nil, err
		}
		cleanup = append([]func(){func() { _ = s.Close() }}, cleanup...)
		all = append(all, bench.Many(s, g, roots[:min(o.many, len(roots))]))
	}
	file := o.file
	for _, p := range o.peers {
		name, command, _ := strings.Cut(p, "=")
		if file == "" && strings.Contains(command, "{graph}") {
			dir, err := os.MkdirTemp("", "hops-bench-")
			if err == nil {
				cleanup = append(cleanup, func() { os.RemoveAll(dir) })
				file = filepath.Join(dir, "graph.el")
				err = writeEdges(ctx, file, src, display)
			}
			if err != nil {
				release()
				return nil, nil, err
			}
		}
		fill := strings.NewReplacer("{graph}", file, "{scale}", strconv.Itoa(o.graph.scale), "{roots}", strconv.Itoa(min(o.roots, len(roots))),
			"{threads}", strconv.Itoa(runtime.GOMAXPROCS(0)))
		all = append(all, bench.Peer(name, fill.Replace(command), o.kernel, src.NumEdges()))
	}
	return all, release, nil
}

func writeEdges(ctx context.Context, file string, src hops.Source, display *progress.Display) error {
	display.Begin("write", src.NumEdges(), "edges")
	return writeTo(file, nil, func(w io.Writer) error {
		return edge.WriteText(ctx, w, src, 0, func(done, _ int64) { display.Advance(done) })
	})
}

// source is the graph, which release gives back, and its name.
func (o *benchFlags) source(ctx context.Context, display *progress.Display) (src hops.Source, name string, release func(), err error) {
	release = func() {}
	if o.file == "" {
		src, err = o.graph.source()
		return src, o.graph.name(), release, err
	}
	opts, err := o.input.options()
	if err != nil {
		return nil, "", nil, err
	}
	in, err := o.input.open(ctx, o.file, opts, display)
	if err != nil {
		return nil, "", nil, err
	}
	if o.input.weights && !in.Weighted {
		return nil, "", nil, errors.Join(noWeights(o.file, in.Graph != nil), in.Close())
	}
	if src, err = in.Source(); err != nil {
		return nil, "", nil, errors.Join(err, in.Close())
	}
	return src, o.file, func() { _ = in.Close() }, nil
}
