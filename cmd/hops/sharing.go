package main

import (
	"context"
	"io"
	"strconv"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/query"
)

// A sharedSearcher searches from up to 64 roots at once.
type sharedSearcher interface {
	query.ManySearcher
	io.Closer
}

// minShared is the number of roots from which the cpu engine searches from 64 at a time:
// the copy of the rows takes as long as some 250 searches. On two cores at scale 20 both
// ways took the same time for 290 roots, on sixteen at scale 24 for about 500.
const minShared = 512

// shareSearches returns the many-source search of an engine for so many roots, or nil if
// it should search from them one by one: because it has none, because its options are for
// single searches, or because there are few roots.
func shareSearches(ctx context.Context, g *graph.Graph, engine spec.Spec, roots, maxDepth int) (sharedSearcher, error) {
	switch {
	case engine.Name == calibratedEngine && roots >= minShared && hasOnly(engine, "threads"):
		return many.New(g, many.Options{Threads: number(engine, "threads"), MaxDepth: maxDepth})
	case engine.Name == "gpu" && hasOnly(engine, "driver", "device"):
		list, err := g.Source()
		if err != nil {
			return nil, err
		}
		m, err := gpu.NewMany(ctx, list, gpu.Options{Driver: value(engine, "driver"), Device: number(engine, "device")})
		if err != nil {
			return nil, err
		}
		m.Limit(maxDepth)
		return m, nil
	}
	return nil, nil
}

// hasOnly tells whether an engine has no options but these.
func hasOnly(engine spec.Spec, keys ...string) bool {
	given := 0
	for _, key := range keys {
		if value(engine, key) != "" {
			given++
		}
	}
	return given == len(engine.Options)
}

// value is that of an option, or "".
func value(engine spec.Spec, key string) string {
	for _, o := range engine.Options {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

// number is the value of an option that the engine's table has found to be a number, or 0.
func number(engine spec.Spec, key string) int {
	n, _ := strconv.Atoi(value(engine, key))
	return n
}
