package format

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/osm"
)

// readOSM reads the roads of a PBF file of OpenStreetMap. Vertices are nodes of roads, named
// by their ids; weights are metres. One-way roads count if edges are to be directed.
func readOSM(ctx context.Context, f *file, opts *Options) (*Input, error) {
	d := &document{weighted: true, silent: true}
	d.number = func() (*graph.Names, error) { return d.list.compact(opts.team) }
	var r osm.Reader
	in, err := d.read(ctx, f, opts, "OpenStreetMap roads", func(d *document) error {
		r.Keep = d.keep
		r.Road = d.road
		if err := r.Read(d.in); err != nil {
			return err
		}
		if len(d.edges)+len(d.list.segments) == 0 {
			return errors.New("the file has no roads")
		}
		return nil
	})
	if err == nil && r.Missing > 0 {
		in.Format += fmt.Sprintf(", %d segments left out whose nodes are not in the file", r.Missing)
	}
	return in, err
}

// road takes a segment of a road.
func (d *document) road(s osm.Segment) error {
	if s.From < 0 || s.To < 0 {
		return errors.New("a node has a negative id, as files have that are not published")
	}
	e := hops.Edge{U: hops.Vertex(s.From), V: hops.Vertex(s.To)}
	back := hops.Edge{U: e.V, V: e.U}
	if s.Direction == osm.Backward {
		e, back = back, e
	}
	d.weights = append(d.weights, float32(s.Metres))
	if err := d.add(e); err != nil || !d.opts.Directed || s.Direction != osm.BothWays {
		return err
	}
	d.weights = append(d.weights, float32(s.Metres))
	return d.add(back)
}
