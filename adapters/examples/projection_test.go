package examples

import (
	"fmt"

	"github.com/gohops/hops/projection"
)

// The machines that papers have published figures for are known by name.
func Example_projection() {
	machine := must(projection.ByName(projection.PublishedMachines[0].Name))
	fmt.Println(machine.Name == projection.PublishedMachines[0].Name)
	// Output: true
}
