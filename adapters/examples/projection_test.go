package examples

import (
	"fmt"

	"github.com/gohops/hops/projection"
)

func Example_projection() {
	fmt.Println(len(projection.PublishedMachines) > 0)
	// Output: true
}
