package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
)

func Example_engineCPU() {
	s := must(cpu.Build(context.Background(), ring(), cpu.Options{Threads: 2}))
	defer s.Close()
	tree := hops.NewTree(7)
	trace := must(s.Search(context.Background(), 0, tree))
	fmt.Println(trace.Found()+1, tree.Level(3))
	// Output: 6 3
}
