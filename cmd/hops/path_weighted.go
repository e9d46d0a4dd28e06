package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// A lightestAnswer is a pathAnswer with the weight of the path, null if there is none.
type lightestAnswer struct {
	pathAnswer
	Distance *float64 `json:"distance"`
}

func (o *pathFlags) answerLightest(ctx context.Context, g *graph.Graph, a, b string, out io.Writer) error {
	from, to, err := lookupBoth(g, a, b)
	if err != nil {
		return err
	}
	line, far, err := query.LightestPath(ctx, g, from, to)
	if err != nil {
		return err
	}
	if far > o.within {
		line = nil
	}
	if !o.json {
		return found(o, line, a, b, printPath(g, line, out))
	}
	answer := lightestAnswer{pathAnswer: newPathAnswer(g, query.Pair{From: from, To: to}, line)}
	if line != nil {
		answer.Distance = &far
	}
	return found(o, line, a, b, printJSON(out, answer))
}

// A withinAnswer is a neighbourhood by weight.
type withinAnswer struct {
	Vertex any            `json:"vertex"`
	Within float64        `json:"within"`
	Count  int            `json:"count"` // the vertex itself included
	Near   []withinVertex `json:"near"`
}

type withinVertex struct {
	Vertex   any     `json:"vertex"`
	Distance float64 `json:"distance"`
}

func answerWithin(ctx context.Context, g *graph.Graph, name string, radius float64, asJSON bool, out io.Writer) error {
	center, err := lookup(g, name)
	if err != nil {
		return err
	}
	answer := withinAnswer{Vertex: jsonName(g, center), Within: radius}
	if !asJSON {
		fmt.Fprintln(out, "distance\tvertex")
	}
	err = query.WithinDistance(ctx, g, center, radius, func(v hops.Vertex, far float64) error {
		if asJSON {
			answer.Near = append(answer.Near, withinVertex{jsonName(g, v), far})
			return nil
		}
		_, err := fmt.Fprintf(out, "%s\t%s\n", distanceText(far), printable(g.Name(v)))
		return err
	})
	if err != nil || !asJSON {
		return err
	}
	answer.Count = len(answer.Near)
	return printJSON(out, answer)
}
