package format

import (
	"context"
	"os"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/compression"
	"github.com/gohops/hops/internal/base/webgraph"
)

// readWebGraph reads a graph in the BV format of WebGraph, NAME.graph, with its
// NAME.properties beside it.
func readWebGraph(ctx context.Context, f *file, opts *Options) (*Input, error) {
	path := propertiesOf(f)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, f.wrong("a graph of WebGraph needs its properties beside it: %v", err)
	}
	p, err := webgraph.Parse(string(text))
	if err != nil {
		return nil, &Error{File: path, Offset: -1, What: err.Error()}
	}
	if p.Nodes > int64(hops.NarrowLimit) {
		return nil, f.wrong("%v", errTooMany)
	}
	if err := f.fits(8 * p.Nodes); err != nil {
		return nil, f.wrong("a graph of %d vertices %v", p.Nodes, err)
	}
	d := &document{directed: true}
	d.number = func() (*graph.Names, error) {
		d.list.vertices = hops.Vertex(p.Nodes)
		return nil, nil
	}
	return d.read(ctx, f, opts, "WebGraph BV", func(d *document) error {
		u := hops.Vertex(0)
		for row, err := range p.Rows(d.in) {
			for _, v := range row {
				if err == nil {
					err = d.add(hops.Edge{U: u, V: hops.Vertex(v)})
				}
			}
			if err != nil {
				return err
			}
			u++
		}
		return nil
	})
}

// propertiesOf is where the properties of a graph lie.
func propertiesOf(f *file) string {
	return strings.TrimSuffix(compression.Bare(f.path), ".graph") + ".properties"
}

// isWebGraph tells whether the properties beside a file are those of WebGraph.
func isWebGraph(f *file) bool {
	text, err := os.ReadFile(propertiesOf(f))
	return err == nil && strings.Contains(string(text), "graphclass")
}
