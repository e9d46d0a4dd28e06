package examples

import (
	"fmt"

	"github.com/gohops/hops/project"
)

func Example_project() {
	fmt.Println(len(project.PublishedMachines) > 0)
	// Output: true
}
