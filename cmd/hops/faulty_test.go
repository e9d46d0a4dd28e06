package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
)

// faultyEngines search like the cpu engine, almost.
var faultyEngines = []engine{
	faulty("liar", func(_ context.Context, t *hops.Tree) error {
		for v := range hops.Vertex(t.Len()) {
			if t.Parent(v) != hops.NoVertex && t.Parent(v) != v {
				t.SetParent(v, v)
				break
			}
		}
		return nil
	}),
	faulty("slow", func(context.Context, *hops.Tree) error {
		time.Sleep(50 * time.Millisecond)
		return nil
	}),
	faulty("stuck", func() func(context.Context, *hops.Tree) error {
		searches := 0
		return func(ctx context.Context, _ *hops.Tree) error {
			if searches++; searches < 5 {
				return nil
			}
			fmt.Fprintln(os.Stderr, "the engine is stuck")
			<-ctx.Done()
			return ctx.Err()
		}
	}()),
	faulty("deaf", func(context.Context, *hops.Tree) error {
		fmt.Fprintln(os.Stderr, "the engine is deaf")
		time.Sleep(time.Hour)
		return nil
	}),
}

func faulty(name string, after func(context.Context, *hops.Tree) error) engine {
	return engine{name: name, summary: "A fault.", open: func() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
		return nil, func(*launch.World) (graph500.Engine, error) {
			return graph500.Engine{Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
				s, err := cpu.Build(ctx, src, cpu.Options{})
				return faultySearcher{s, after}, err
			}}, nil
		}
	}}
}

type faultySearcher struct {
	*cpu.Searcher
	after func(context.Context, *hops.Tree) error
}

func (s faultySearcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	trace, err := s.Searcher.Search(ctx, root, t)
	if err == nil {
		err = s.after(ctx, t)
	}
	return trace, err
}
