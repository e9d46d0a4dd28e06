package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/level"
)

type fixed struct{ s level.Step; below int64 }

func (f fixed) Next(fr level.Front, all []level.Step) level.Step {
	if fr.Vertices+fr.Edges < f.below { return level.Step{Name: "top-down", Direction: level.TopDown, Workers: 1} }
	return f.s
}
func (fixed) IgnoresWork() {}

func main() {
	T, _ := strconv.Atoi(os.Args[2])
	var src hops.Source
	if s, err := strconv.Atoi(os.Args[1]); err == nil {
		src, _ = edge.NewKronecker(s, 16, 2, 3)
	} else {
		in, err := format.Open(context.Background(), os.Args[1], format.Options{})
		if err != nil { panic(err) }
		src, err = in.Source()
		if err != nil { panic(err) }
	}
	g, err := csr.Build(context.Background(), src, 16)
	if err != nil { panic(err) }
	tree := hops.NewTree(g.NumVertices())
	for _, form := range os.Args[3:] {
		o := cpu.Options{Threads: T}
		switch {
		case form == "auto" || form == "trace":
			o.Policy = nil
		case form == "bins":
			o.Policy = fixed{level.Step{Name: "top-down-bins", Direction: level.TopDown, Workers: T}, 8192}
		default:
			k, _ := strconv.Atoi(form)
			o.Policy = fixed{level.Step{Name: "top-down", Direction: level.TopDown, Workers: k}, 0}
		}
		s, err := cpu.New(g, o)
		if err != nil { panic(err) }
		fmt.Println("before", s.Prices())
		var times []time.Duration
		var tr hops.Trace
		root := hops.Vertex(12345)
		for i := range 12 {
			root = (root*2862933555777941757 + 3037000493) % g.NumVertices()
			for g.Out.Degree(uint32(root)) == 0 { root++ }
			tree.Reset()
			t := time.Now()
			tr, err = s.Search(context.Background(), root, tree)
			if i > 1 { times = append(times, time.Since(t)) }
			if err != nil { panic(err) }
		}
		fmt.Println("after", s.Prices())
		slices.Sort(times)
		fmt.Printf("%s T=%d %s: median %v levels %d\n", os.Args[1], T, form, times[len(times)/2], len(tr.Levels))
		if form == "trace" || len(os.Args) > 3 && os.Getenv("TRACE") != "" {
			step := max(1, len(tr.Levels)/12)
			for i := 0; i < len(tr.Levels); i += step {
				l := tr.Levels[i]
				fmt.Printf("  %d %s*%d frontier %d examined %d found %d time %v\n", i, l.Step, l.Workers, l.Frontier, l.Examined, l.Found, l.Time)
			}
		}
		s.Close()
	}
}
