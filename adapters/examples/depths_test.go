package examples

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/depths"
)

// A search from many roots writes the levels of every vertex, a bit for each root.
func Example_depths() {
	d := depths.New(3)
	d.Roots = []hops.Vertex{0}
	d.Reserve(1)
	d.Reached[0], d.Reached[1] = 1, 1
	d.Bits[0][0], d.Bits[0][1] = 0, 1
	fmt.Println(d.Level(0, 0), d.Level(0, 1), d.Level(0, 2))
	// Output: 0 1 -1
}
