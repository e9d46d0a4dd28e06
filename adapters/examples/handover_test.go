package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/base/handover"
)

// The cpu engine can hand its searches over to a device.
func Example_handover() {
	s := must(cpu.Build(context.Background(), ring(), cpu.Options{}))
	defer s.Close()
	var host handover.Host = s.Portable()
	fmt.Println(host.Isolated(0), host.Isolated(6))
	// Output: false true
}
