package format_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge/format"
)

func ExampleOpen() {
	in, err := format.Open(context.Background(), "testdata/real/romania.csv", format.Options{
		IDs:     format.TextIDs,
		Columns: []string{"from", "to", "km"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	roads, err := in.Source()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d towns, %d roads\n", in.Format, roads.NumVertices(), roads.NumEdges())

	var road [1]hops.Edge
	var km [1]float32
	if _, err := roads.EdgesAt(road[:], 14); err != nil {
		log.Fatal(err)
	}
	if _, err := roads.(hops.WeightedSource).WeightsAt(km[:], 14); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s to %s: %v km\n", in.Names.Name(road[0].U), in.Names.Name(road[0].V), km[0])
	// Output:
	// edge list, columns separated by ',', header "from,to,km" skipped, names are text, weighted: 20 towns, 23 roads
	// Fagaras to Bucharest: 211 km
}
